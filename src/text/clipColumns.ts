// Clips a line for a person's screen without a package: for hooks and the status line, which have to start fast.
import { removeHidden } from './sanitizeText.ts'

/**
 * The line without what could control a terminal, at most `columns` wide, never half a character. A line that is cut
 * ends with an ellipsis. A Japanese or Chinese character and an emoji take two columns.
 */
export function clipColumns(line: string, columns: number): string {
  const text = removeHidden(line).replace(/[\t\n]/g, '')
  let width = 0
  let end = 0
  for (const character of text) {
    width += character >= '\u2e80' ? 2 : 1
    if (width > columns) return `${text.slice(0, end).trimEnd()}…`
    if (width < columns) end += character.length
  }
  return text
}
