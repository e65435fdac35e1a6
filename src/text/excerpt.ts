// Excerpts of a long text: its ends, its first line, its sentences; how many tokens it has; and no half characters.

/**
 * A text longer than `charsMax` with its middle cut: two thirds head, one third tail, and between them the number of
 * characters cut. Never longer than `charsMax`, never half a surrogate pair; idempotent.
 */
export function truncateMiddle(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const note = (cut: number) => `\n… ${cut} characters cut …\n`
  const available = charsMax - note(text.length).length
  if (available <= 0) return text.slice(0, pairBoundary(text, charsMax))
  const head = pairBoundary(text, Math.ceil((available * 2) / 3))
  const tail = text.length - Math.floor(available / 3)
  // A pair that the tail's start would split is left out.
  const start = pairBoundary(text, tail) === tail ? tail : tail + 1
  return text.slice(0, head) + note(start - head) + text.slice(start)
}

/** The first line that is not blank, with single spaces; if longer than `charsMax`, cut and ended by an ellipsis. */
export function firstLine(text: string, charsMax: number): string {
  const line = (/\S[^\n]*/.exec(text)?.[0] ?? '').replace(/\s+/g, ' ').trim()
  if (line.length <= charsMax) return line
  return charsMax < 1 ? '' : `${line.slice(0, pairBoundary(line, charsMax - 1))}…`
}

/** All lines as one, with single spaces; if longer than `charsMax`, cut and ended by an ellipsis. */
export const oneLine = (text: string, charsMax: number): string => firstLine(text.replace(/\s+/g, ' '), charsMax)

/** Without the full stop at its end. A dot that is a path stays: `git add .`. */
export const withoutFullStop = (line: string): string => line.replace(/(?<=[^\s./\\])[.。]$/, '')

/** The first line; if longer than `charsMax`, cut between two words and ended by an ellipsis. */
export function truncateAtWord(text: string, charsMax: number): string {
  const line = firstLine(text, charsMax)
  const end = line.endsWith('…') && line.length === charsMax ? line.lastIndexOf(' ') : -1
  return end > charsMax / 2 ? `${line.slice(0, end).replace(/[\s,;:(—–-]+$/, '')}…` : line
}

/**
 * The sentences of English and Japanese prose, in order, without code blocks, tables and headings. A line's end ends a
 * sentence; a sentence may begin in lower case.
 */
export function splitSentences(text: string): string[] {
  const prose = text.replace(/(```|~~~)[\s\S]*?(?:\1|$)/g, '\n')
  const sentences: string[] = []
  for (const line of prose.split('\n')) {
    const plain = line.replace(/^\s*(?:[-*>•]|\d+[.)])\s+/, '').trim()
    if (plain === '' || plain.startsWith('#') || plain.startsWith('|')) continue
    for (const part of plain.split(SENTENCE_END)) {
      const sentence = part.trim()
      if (sentence !== '') sentences.push(sentence)
    }
  }
  return sentences
}

// Not after e.g., i.e., etc., vs., Mr. and initials, nor at a Japanese full stop before a closing quotation mark.
const SENTENCE_END =
  /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|Mrs?|Dr|St|[A-Z])\.)(?<=[.!?])\s+(?=[A-Za-z0-9\u00c0-\uffef"'`(])|(?<=[.!?]["')])\s+(?=[A-Z])|(?<=[。！？])(?![」』）。！？])/

/** `at`, or one less if `text.slice(0, at)` would split a surrogate pair. */
function pairBoundary(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, at)
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff ? at - 1 : at
}

/** The first characters; half a surrogate pair where it is cut is left out. */
export const firstChars = (text: string, chars: number): string =>
  text.length <= chars ? text : text.slice(0, chars).replace(/[\ud800-\udbff]$/, '')

/** A regular expression: a loop over the characters of its notes takes a hook a millisecond. */
const WIDE = /[\u2e80-\uffff]/

/** The approximate length in tokens: 4 characters of Latin script or 1 of Japanese or Chinese are one token. */
export function estimateTokens(text: string): number {
  if (!WIDE.test(text)) return Math.ceil(text.length / 4)
  let wide = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x2e80) wide++
  return wide + Math.ceil((text.length - wide) / 4)
}

/** The text; if longer than `tokensMax`, cut there and ended by an ellipsis. */
export function truncateToTokens(text: string, tokensMax: number): string {
  if (estimateTokens(text) <= tokensMax) return text
  let quarters = 4 * tokensMax - 1
  let end = 0
  while (end < text.length) {
    quarters -= text.charCodeAt(end) >= 0x2e80 ? 4 : 1
    if (quarters < 0) break
    end++
  }
  return `${firstChars(text, end)}…`
}

/** The output of JSON.stringify with U+FFFD for half pairs, which it writes as `\ud83d`. */
export const wellFormedJson = (json: string): string =>
  json.includes('\\ud')
    ? json.replace(/(\\\\)|\\ud[89a-f][0-9a-f]{2}/g, (_, slashes?: string) => slashes ?? '\ufffd')
    : json

/** The value with U+FFFD for half pairs in all its texts and names; the same value if there are none. */
export function toWellFormed<Value>(value: Value): Value {
  const json = JSON.stringify(value)
  const fixed = wellFormedJson(json)
  return fixed === json ? value : (JSON.parse(fixed) as Value)
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
