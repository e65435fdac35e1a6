// What is left of English in a Japanese output.

/** Lines with English words that are no path, option, id or name in quotes. */
export function findEnglish(text: string): string[] {
  return text.split('\n').filter((line) => {
    const words = line
      .replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”/g, '')
      // What has such a character inside; one at its end is the punctuation of a sentence.
      .replaceAll(/\S*[/._<>|@:-][^\s.:]\S*|\S*[<>|]\S*/g, '')
      .replaceAll(/\w*\d\w*/g, '')
      .match(/[a-z]{3,}/gi)
    return (words ?? []).some((word) => !NAMES.has(word))
  })
}

/** Names of programs, commands, values and units that a Japanese text has too. */
const NAMES = new Set(
  [
    'memctl Claude Code Markdown Obsidian MCP JSON Bash Edit PostgreSQL HTML ISO UTC UTF git init import',
    'export project uninstall hub organize rebuild policy memory entry mcp status search list show why recall',
    'shown remember supersede forget report doctor options command COMMAND help MEMCTL OFF HOME DEBUG NO COLOR',
    'LANG yaml issue main default Node decision consolidated fact preference scripts server relevance warm',
    'cold working markdown',
  ].flatMap((line) => line.split(' ')),
)
