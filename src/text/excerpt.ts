// Excerpts: a long text cut so that what tells remains.

/** The characters `text.slice(0, at)` would keep, one fewer where that would split a surrogate pair. */
const wholeAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at - 1)
  return at > 0 && at < text.length && code >= 0xd800 && code <= 0xdbff ? at - 1 : at
}

/**
 * The text, if longer than `charsMax` cut in the middle: two thirds head, one third tail, and between them how many
 * characters were cut. Never longer than `charsMax`; doing it twice changes nothing.
 */
export function headAndTail(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const note = (cut: number) => `\n… ${cut} characters cut …\n`
  const room = charsMax - note(text.length).length
  if (room <= 0) return text.slice(0, wholeAt(text, charsMax))
  const head = wholeAt(text, Math.ceil((room * 2) / 3))
  let tail = text.length - Math.floor(room / 3)
  const code = text.charCodeAt(tail)
  if (code >= 0xdc00 && code <= 0xdfff) tail++
  return text.slice(0, head) + note(tail - head) + text.slice(tail)
}

/** The first line that is not blank, white space folded, at most `charsMax` characters with an ellipsis for the rest. */
export function firstLine(text: string, charsMax: number): string {
  const line = (/\S[^\n]*/.exec(text)?.[0] ?? '').replace(/\s+/g, ' ').trim()
  return line.length <= charsMax ? line : `${line.slice(0, wholeAt(line, charsMax - 1))}…`
}

/** The sentences of English and Japanese prose, in order; code blocks, tables and headings are no sentences. */
export function sentencesOf(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?(```|$)/g, '\n')
  return prose.split('\n').flatMap((line) => {
    const plain = line.replace(/^\s*([-*>]|\d+[.)])\s+/, '').trim()
    if (plain === '' || /^(#|\|)/.test(plain)) return []
    return plain
      .split(/(?<=[.!?])\s+(?=[A-Z0-9"'`(])|(?<=[。！？])/)
      .map((one) => one.trim())
      .filter(Boolean)
  })
}
