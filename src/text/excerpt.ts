// Excerpts: a long text cut so that what tells remains.

/**
 * The text, if longer than `charsMax` cut in the middle: two thirds head, one third tail, and between them how many
 * characters were cut. Never longer than `charsMax`, never half a surrogate pair; doing it twice changes nothing.
 */
export function truncateMiddle(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const note = (cut: number) => `\n… ${cut} characters cut …\n`
  const room = charsMax - note(text.length).length
  if (room <= 0) return text.slice(0, wholeAt(text, charsMax))
  const head = wholeAt(text, Math.ceil((room * 2) / 3))
  const tail = text.length - Math.floor(room / 3)
  // A pair cut in two at the tail's start leaves its second half behind.
  const start = wholeAt(text, tail) === tail ? tail : tail + 1
  return text.slice(0, head) + note(start - head) + text.slice(start)
}

/** The first line that is not blank, white space folded, at most `charsMax` characters, the last an ellipsis if it was cut. */
export function firstLine(text: string, charsMax: number): string {
  const line = (/\S[^\n]*/.exec(text)?.[0] ?? '').replace(/\s+/g, ' ').trim()
  if (line.length <= charsMax) return line
  return charsMax < 1 ? '' : `${line.slice(0, wholeAt(line, charsMax - 1))}…`
}

/**
 * The sentences of English and Japanese prose, in order; code blocks, tables and headings are no sentences, and a line's end
 * ends one. A person who writes in lower case writes sentences all the same.
 */
export function splitSentences(text: string): string[] {
  const prose = text.replace(/(```|~~~)[\s\S]*?(?:\1|$)/g, '\n')
  const sentences: string[] = []
  for (const line of prose.split('\n')) {
    const plain = line.replace(/^\s*(?:[-*>•]|\d+[.)])\s+/, '').trim()
    if (plain === '' || plain.startsWith('#') || plain.startsWith('|')) continue
    for (const one of plain.split(SENTENCE_END)) {
      const sentence = one.trim()
      if (sentence !== '') sentences.push(sentence)
    }
  }
  return sentences
}

// Not after e.g., i.e., etc., vs., Mr. and initials; a Japanese stop inside a quotation's end belongs to the quotation.
const SENTENCE_END =
  /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|Mrs?|Dr|St|[A-Z])\.)(?<=[.!?])\s+(?=[A-Za-z0-9\u00c0-\uffef"'`(])|(?<=[.!?]["')])\s+(?=[A-Z])|(?<=[。！？])(?![」』）。！？])/

/** The characters `text.slice(0, at)` would keep, one fewer where that would split a surrogate pair. */
function wholeAt(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, at)
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff ? at - 1 : at
}
