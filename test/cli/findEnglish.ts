// What is left of English in a Japanese output.
import type { World } from './testContext.ts'

/** Lines with English words that are no path, option, id or name in quotes. */
export const findEnglish = (text: string): string[] =>
  text.split('\n').filter((line) => (removeNames(line).match(/[a-z]{3,}/gi) ?? []).some((word) => !NAMES.has(word)))

/** The same, but a Japanese line may have any name: only words side by side are English there. */
const findSentences = (text: string): string[] =>
  findEnglish(text).filter((line) => !/[ぁ-ん一-龠]/.test(line) || /[a-z]{2,} [a-z]{2,}/i.test(removeNames(line)))

const removeNames = (line: string): string =>
  line
    // A command to paste, and what a server says.
    .replaceAll(/^ {2,}memctl .*|PostgreSQL（[^）]*）: [^。]*/g, '')
    .replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”/g, '')
    // What has such a character inside; one at its end is the punctuation of a sentence.
    .replaceAll(/\S*[/._<>|@:-][^\s.:]\S*|\S*[<>|]\S*/g, '')
    .replaceAll(/\w*\d\w*/g, '')

/** Names of programs, commands, values and units that a Japanese text has too. */
const NAMES = new Set(
  [
    'memctl Claude Code Markdown Obsidian MCP JSON Bash Edit PostgreSQL HTML ISO UTC UTF git init import',
    'export project uninstall hub organize rebuild policy memory entry mcp status search list show why recall',
    'shown remember supersede forget report doctor options command COMMAND help MEMCTL OFF HOME DEBUG NO COLOR',
    'LANG yaml issue main default Node decision consolidated fact preference scripts server relevance warm',
    'cold working markdown pgvector node',
  ].flatMap((line) => line.split(' ')),
)

/**
 * Runs these commands in the project, and returns the lines that are English, each with its command. Words are
 * separated by spaces, and those in quotation marks are one.
 */
export async function runAndFind({ memctl }: Pick<World, 'memctl'>, lines: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const line of lines) {
    const words = (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/s, '$1'))
    const { out, err } = await memctl(...words)
    // A long line is wrapped with an indent, and a diff has lines of a file.
    const printed = (out + err).replaceAll(/\n {20,}/g, ' ').replaceAll(/^[+-].*/gm, '')
    found.push(...findSentences(printed).map((english) => `${line}: ${english}`))
  }
  return found
}
