// Width: how many columns a text takes on a terminal. Japanese and Chinese take two a character, accents none.

/** Colour as this house writes it: seen by nobody, so it takes no column. */
const COLOUR = /\u001b\[\d+m/g

/** What a foreign text may do to a terminal: escape sequences, control characters, and marks that turn the direction of writing. */
const HARMFUL =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** First and last code point of what is drawn two columns wide (Unicode's East Asian Width W and F, the common blocks). */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1faff],
  [0x20000, 0x3fffd],
]

/** A text from elsewhere made harmless for a terminal. Newlines stay, a tab becomes two blanks. */
export const plain = (text: string): string => text.replace(HARMFUL, '').replaceAll('\t', '  ')

/** The columns a line takes. Colours count nothing. */
export function widthOf(line: string): number {
  let width = 0
  for (const character of line.replace(COLOUR, '')) width += widthOfCharacter(character)
  return width
}

/** The line, cut to `columns` with an ellipsis where it is longer; white space of any kind becomes one blank. */
export function clipped(line: string, columns: number): string {
  const folded = line.replace(/\s+/g, ' ').trim()
  if (widthOf(folded) <= columns) return folded
  let kept = ''
  let width = 0
  for (const character of folded) {
    width += widthOfCharacter(character)
    if (width > columns - 1) break
    kept += character
  }
  return columns > 0 ? `${kept.trimEnd()}…` : ''
}

/** The line with blanks up to `columns`, at its end or (for numbers) before it. */
export function padded(line: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, columns - widthOf(line)))
  return side === 'left' ? line + blanks : blanks + line
}

/** A text in lines of at most `columns`, broken at blanks where there are any. Its own line ends and indents stay. */
export function wrapped(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    // What goes on stands below its beginning, not below its list mark.
    const indent = /^ *(?:- )?/.exec(line)![0].length
    const [first, ...rest] = wrappedLine(line, Math.max(4, columns), indent)
    return [first!, ...rest.map((more) => ' '.repeat(indent) + more)]
  })
}

function wrappedLine(line: string, columns: number, indent: number): string[] {
  const lines: string[] = []
  let now = ''
  let width = 0
  let room = columns
  for (const character of line) {
    const wide = widthOfCharacter(character)
    if (width + wide > room) {
      const blank = now.trimEnd().lastIndexOf(' ')
      // A break far to the left would leave a ragged half line; Japanese has no blanks at all.
      const at = blank > now.length / 2 ? blank + 1 : now.length
      lines.push(now.slice(0, at).trimEnd())
      now = now.slice(at)
      width = widthOf(now)
      room = Math.max(4, columns - indent)
    }
    now += character
    width += wide
  }
  return [...lines, now]
}

function widthOfCharacter(character: string): number {
  const code = character.codePointAt(0)!
  if (code < 0x300) return code < 0x20 ? 0 : 1
  if (/^(?:\p{M}|[\u200b-\u200d]|\ufe0e|\ufe0f)$/u.test(character)) return 0
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1
}
