// Text fitted to a terminal: columns counted, lines clipped, padded and wrapped. Japanese and Chinese take two columns a character.
import stringWidth from 'string-width'

/** What foreign text may do to a terminal: escape sequences, control characters, and marks that turn the writing direction. */
const HARMFUL =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Splits a text into what a reader sees as characters, so that an emoji of several code points is never cut. */
const CHARACTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Text from elsewhere made harmless for a terminal. Newlines stay, a tab becomes two spaces. */
export const sanitizeForTerminal = (text: string): string => text.replace(HARMFUL, '').replaceAll('\t', '  ')

/** The columns a line takes. Colours take none. */
export const displayWidth = (line: string): number => stringWidth(line)

/** The line, cut to `columns` with an ellipsis where it is longer; white space of any kind becomes one space. */
export function clipText(line: string, columns: number): string {
  const folded = line.replace(/\s+/g, ' ').trim()
  if (displayWidth(folded) <= columns) return folded
  let kept = ''
  let width = 0
  for (const { segment } of CHARACTERS.segment(folded)) {
    width += displayWidth(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return columns > 0 ? `${kept.trimEnd()}…` : ''
}

/** The line with spaces up to `columns`, at its end or (for numbers) before it. */
export function padText(line: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const spaces = ' '.repeat(Math.max(0, columns - displayWidth(line)))
  return side === 'left' ? line + spaces : spaces + line
}

/** A text in lines of at most `columns`, broken at spaces where there are any. Its own line ends and indents stay. */
export function wrapText(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    // Continuation lines align with the text, not with the list mark before it.
    const indent = /^ *(?:- )?/.exec(line)?.[0].length ?? 0
    const [first = '', ...rest] = wrappedLine(line, Math.max(4, columns), indent)
    return [first, ...rest.map((more) => ' '.repeat(indent) + more)]
  })
}

function wrappedLine(line: string, columns: number, indent: number): string[] {
  const lines: string[] = []
  let current = ''
  let width = 0
  let available = columns
  for (const { segment } of CHARACTERS.segment(line)) {
    const segmentWidth = displayWidth(segment)
    if (width + segmentWidth > available) {
      const space = current.trimEnd().lastIndexOf(' ')
      // A break far to the left would leave a ragged half line; Japanese has no spaces at all.
      const end = space > current.length / 2 ? space + 1 : current.length
      lines.push(current.slice(0, end).trimEnd())
      current = current.slice(end)
      width = displayWidth(current)
      available = Math.max(4, columns - indent)
    }
    current += segment
    width += segmentWidth
  }
  return [...lines, current]
}
