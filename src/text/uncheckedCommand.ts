// Commands that pass although nothing was solved: a check is skipped, or the exit status is hidden.

/** Options, variables and fallbacks that a person may allow once, but that solve nothing. */
const SKIPPED = [
  /(?:^|\s)--(?:no-verify|no-gpg-sign|force(?:-with-lease)?|skip[\w-]*|no-hooks?|no-checks?|exit-zero)(?![\w-])/,
  /(?:^|\s)--(?:ignore-(?:errors?|failures?|scripts)|allow-(?:dirty|failures?)|insecure|dangerously[\w-]*)(?![\w-])/,
  /\|\|\s*(?:true|:|exit 0)(?![\w-])|;\s*(?:true|exit 0)\s*$|(?:^|[\s;])set \+e\b|-DskipTests\b/,
  /(?:^|\s)(?:[A-Z_]*SKIP[A-Z_]*|HUSKY|LEFTHOOK)=/,
  /\bgit (?:\S{1,200} ){0,8}commit (?:.{0,500} )?-[a-z]*n[a-z]*(?![\w-])/,
  /\bgit (?:\S{1,200} ){0,8}(?:push|add|checkout) (?:.{0,500} )?-[a-z]*f[a-z]*(?![\w-])/,
] as const

/** Whether the command skips a check: `git commit --no-verify`, `npm test || true`, `SKIP=lint git push`. */
export const skipsChecks = (command: string): boolean => {
  const bare = withoutQuotes(command)
  return SKIPPED.some((pattern) => pattern.test(bare))
}

/** Whether its exit status may be another command's: it is piped, has a fallback, or is followed by another one. */
export const hidesExitStatus = (command: string): boolean =>
  !command.includes('pipefail') && /\||;\s*\S|\n\s*\S/.test(withoutQuotes(command))

/** An open quotation mark stays, with everything after it: then no text is read twice. */
const withoutQuotes = (command: string): string =>
  command
    .trim()
    .replace(/"(?:\\[\s\S]|[^"\\])*("?)|'[^']*'/g, (quoted, end) => (end === '' && quoted[0] === '"' ? quoted : "''"))

/** Whether the command gives up, or only asks the program about itself: `git rebase --abort`, `go --version`. */
export const givesUp = (command: string): boolean =>
  /(?:^|\s)(?:--(?:abort|quit|help|version|dry-run)|-h)(?![\w-])/.test(withoutQuotes(command))

/** The command as a reader repeats it: without shortening its output, and without going to a folder first. */
export const withoutSurroundings = (command: string): string =>
  command
    .trim()
    .replace(/^cd (?:"[^"]*"|'[^']*'|[/~][^\s;&|]*) *(?:&&|;)\s*(?=\S)/, '')
    .replace(/(?:\s*\|\s*(?:head|tail)(?:\s+-\S+|\s+\d+)*)+\s*$/, '')
    .replace(/\s+2>&1(?=\s|$)/g, '')
