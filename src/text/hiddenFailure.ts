// The failure of a command that passed: a pipe, a second command or a fallback has hidden its exit status, and the
// output has the error. It teaches as much as one that the client reports. What only reads or prints may show an error
// of somebody else.
import { type CallResult, callCommand, type EventOf, isShellTool } from '../model/event.ts'
import { commandShape, isReading } from './command.ts'
import { errorSignature, findNamedError, splitErrorLines } from './errorSignature.ts'

/** Lines of an output that are looked at, from its beginning and its end. */
const LINES_MAX = 30
const LINE_CHARS_MAX = 300

/** A shell or a program names itself: `bash: line 1: cd: src: No such file …`, `gh: Not Found (HTTP 404)`. */
const BY_NAME =
  /^(?:\S*[\\/])?([\w.-]{1,40}): .{0,160}(?:no such file|not found|permission denied|syntax error|unexpected|cannot |can't |(?:illegal|invalid|unrecognized|unknown|missing) |is a directory|\(HTTP [45]\d\d\))/i
const SHELLS = /^(?:ba|z|da|k)?sh(?:\.exe)?$/
/** An error that begins a line. */
const BY_FORM =
  /^(?:(?:fatal|panic|error|ERROR|Error): |npm (?:ERR!|error) |Traceback \(most recent call last\)|(?:[A-Z]\w{2,40})?(?:Error|Exception): )|is not recognized as /

/**
 * The line of the output that reports the failure, findings of compilers, linters and tests too; undefined if there is
 * none, or if the exit status counts.
 */
export function findHiddenFailure(command: string, output: string): string | undefined {
  // The cheap question first: most results are not behind a pipe.
  if (output === '' || !hidesExitStatus(command) || endsInPassedTests(output)) return undefined
  const reads = isReading(commandShape(command))
  return findReportedFailure(command, output, reads) ?? (reads ? undefined : findNamedError(splitErrorLines(output)))
}

/** The same without findings, which are the daily work of a check: the command itself went wrong. */
function findReportedFailure(command: string, output: string, reads: boolean): string | undefined {
  const lines = output.split('\n').map((line) => line.trim().slice(0, LINE_CHARS_MAX))
  const ends = lines.length <= 2 * LINES_MAX ? lines : [...lines.slice(0, LINES_MAX), ...lines.slice(-LINES_MAX)]
  return ends.find((line) => isReportedBy(line, command) || (!reads && BY_FORM.test(line)))
}

function isReportedBy(line: string, command: string): boolean {
  const program = BY_NAME.exec(line)?.[1]
  return program !== undefined && (SHELLS.test(program) || command.includes(program))
}

/** The call as a failed one if its output hides a failure; else the same call. */
export function revealFailure(call: CallResult): CallResult {
  if (call.kind === 'call.failed' || !isShellTool(call.tool)) return call
  const line = findHiddenFailure(callCommand(call), call.output)
  return line === undefined ? call : asFailure(call, isReading(call.commandShape ?? '') ? line : call.output)
}

function asFailure({ kind: _, output: __, ...call }: EventOf<'call.succeeded'>, error: string): EventOf<'call.failed'> {
  return { ...call, kind: 'call.failed', error, errorSignature: errorSignature(call.tool, error), interrupted: false }
}

const REPORTS_FAILURE = new RegExp(
  String.raw`^(?:--- FAIL|FAIL\b|not ok \d|✗|✕)|: error TS\d` +
    String.raw`|(?<![\w.-])[1-9]\d* (?:tests? )?(?:failed|failing|failures?|fail|errors?)\b(?! *[:=] *0)`,
  'im',
)

const COUNTS_PASSED = /(?<![\w.-])[1-9]\d* (?:tests? )?pass(?:ed|ing)?\b/i
/** A runner's last lines: `1274 pass`, `0 fail`, calls of assertions, time. */
const SUMMARY_LINES = 8

/** Whether the output ends with tests that all passed: the errors above are what they log. */
function endsInPassedTests(output: string): boolean {
  const end = output.trimEnd().split('\n').slice(-SUMMARY_LINES).join('\n')
  return COUNTS_PASSED.test(end) && !REPORTS_FAILURE.test(end)
}

/** Whether a call that passed counts failures, and its exit status may be another program's: `npm test | tail`. */
export const reportsFailures = (call: CallResult): boolean =>
  call.kind === 'call.succeeded' && hidesExitStatus(callCommand(call)) && REPORTS_FAILURE.test(call.output)

/** A word of a failure, in an output that has no line of a known form. */
const SUSPECT = new RegExp(
  String.raw`\b(?:error|fail|fatal|panic|denied|refused|invalid|illegal|missing|cannot|can't|could not|unable|` +
    String.raw`no such|does(?: not|n't)|not found|unknown|unexpected|unrecognized|undefined)`,
  'i',
)

/**
 * The call as a failed one if its output may hide a failure: whether it does is known only if an earlier failure had
 * the same text. Undefined for what only reads, and if the exit status counts.
 */
export function suspectFailure(call: CallResult): EventOf<'call.failed'> | undefined {
  if (call.kind === 'call.failed' || !isShellTool(call.tool) || !hidesExitStatus(callCommand(call))) return undefined
  return isReading(call.commandShape ?? '') || !SUSPECT.test(call.output) ? undefined : asFailure(call, call.output)
}

/** Options, variables and fallbacks that a person may allow once, but that solve nothing. */
const SKIPPED = [
  /(?:^|\s)--(?:no-verify|no-gpg-sign|force(?:-with-lease)?|skip[\w-]*|no-hooks?|no-checks?|exit-zero)(?![\w-])/,
  /(?:^|\s)--(?:ignore-(?:errors?|failures?|scripts)|allow-(?:dirty|failures?)|insecure|dangerously[\w-]*)(?![\w-])/,
  /\|\|\s*(?:true|:|exit 0)(?![\w-])|;\s*(?:true|exit 0)\s*$|(?:^|[\s;])set \+e\b|-DskipTests\b/,
  /(?:^|\s)(?:[A-Z_]*SKIP[A-Z_]*|HUSKY|LEFTHOOK)=/,
  /\|\s*grep\s(?:-\S+\s)*-\w*v/,
  /\bgit (?:\S{1,200} ){0,8}commit (?:.{0,500} )?-[a-z]*n[a-z]*(?![\w-])/,
  /\bgit (?:\S{1,200} ){0,8}(?:push|add|checkout) (?:.{0,500} )?-[a-z]*f[a-z]*(?![\w-])/,
] as const

/** Whether it skips a check or hides findings: `git commit --no-verify`, `npm test || true`, `… | grep -v X`. */
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
