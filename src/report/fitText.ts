// Fits text to a terminal: counts columns, clips, pads and wraps. Japanese and Chinese characters take two columns.
import stringWidth from 'string-width'
import { hideSecrets } from '../broker/commands/newMemory.ts'
import { isolate, translate } from './translation.ts'

/** Escape sequences, control and tag characters, and marks that change the writing direction. */
const UNSAFE = new RegExp(
  String.raw`\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|` +
    String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e0fff}]`,
  'gu',
)

/** The colours of a palette. */
const COLOUR = /(\u001b\[(?:1|2|22|3[1236]|39)m)/

let segmenter: Intl.Segmenter | undefined

/** Splits a text into visible characters, so that an emoji of several code points is never cut. Takes 7 ms at first. */
function splitCharacters(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** Removes what could control a terminal. Newlines stay, a tab becomes two spaces. */
export const removeControls = (text: string): string => text.replace(UNSAFE, '').replaceAll('\t', '  ')

/** The same for a text that memctl has not written: it is printed as it is in any language, without its secrets. */
export const sanitizeForTerminal = (text: string): string => isolate(removeControls(hideSecrets(text)))

/** A line that is printed, whatever texts are in it: on a terminal with the colours of a palette. */
export const sanitizeLine = (line: string, isTerminal: boolean | undefined): string =>
  line
    .split(COLOUR)
    .map((part, i) => (isTerminal && i % 2 === 1 ? part : removeControls(part)))
    .join('')

/** Characters of one column each. The first use of the patterns of string-width takes 40 ms. */
const NARROW = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2500-\u257f]*$/

/** The columns that a line takes. Colours take none. */
export const displayWidth = (line: string): number => (NARROW.test(line) ? line.length : stringWidth(line))

/** The line; if longer than `columns`, cut and ended by an ellipsis. All white space becomes single spaces. */
export function clipText(line: string, columns: number): string {
  const text = line.replace(/\s+/g, ' ').trim()
  if (displayWidth(text) <= columns) return text
  let clipped = ''
  let width = 0
  for (const { segment } of splitCharacters(text)) {
    width += displayWidth(segment)
    if (width > columns - 1) break
    clipped += segment
  }
  return columns > 0 ? `${clipped.trimEnd()}…` : ''
}

/** The line padded with spaces to `columns`; `side` is the side of the text. */
export function padText(line: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const spaces = ' '.repeat(Math.max(0, columns - displayWidth(line)))
  return side === 'left' ? line + spaces : spaces + line
}

/** The text, translated, in lines of at most `columns`, broken at spaces if possible. Its line ends and indents stay. */
export function wrapText(text: string, columns: number): string[] {
  const lines = translate(text).split('\n')
  return lines.flatMap((line) => {
    // Continuation lines align with the text, not with its list marker.
    const indent = /^ *(?:- )?/.exec(line)?.[0].length ?? 0
    const [first = '', ...rest] = wrapLine(line, Math.max(4, columns), indent)
    return [first, ...rest.map((continuation) => ' '.repeat(indent) + continuation)].map(isolate)
  })
}

/** A visible character each, or a colour of no width. */
const splitParts = (line: string): string[] =>
  line.split(COLOUR).flatMap((part, i) => (i % 2 === 1 ? part : Array.from(splitCharacters(part), (at) => at.segment)))

const JAPANESE = /[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]/

/** No line begins with these. */
const ENDS_TEXT = /[、。，．）」』：？！:;]/

function wrapLine(line: string, columns: number, indent: number): string[] {
  const lines: string[] = []
  let current = ''
  let width = 0
  let available = columns
  for (const segment of splitParts(line)) {
    const segmentWidth = displayWidth(segment)
    if (width + segmentWidth > available) {
      const space = current.trimEnd().lastIndexOf(' ')
      // A break far to the left would leave half a line empty. Between Japanese characters no space is needed.
      const isBetween = JAPANESE.test(segment) || JAPANESE.test(current.slice(-1))
      const full = (isBetween && ENDS_TEXT.test(segment) && current.search(/(?:[!-~]+|.)$/su)) || current.length
      const end = space > current.length / 2 && !isBetween ? space + 1 : full
      lines.push(current.slice(0, end).trimEnd())
      current = current.slice(end)
      width = displayWidth(current)
      available = Math.max(4, columns - indent)
      if (isBetween && segment === ' ') continue
    }
    current += segment
    width += segmentWidth
  }
  return [...lines, current]
}
