// The lines of a tool's output, the one that says what is wrong, and its signature. Not a runner's prefix, not the log
// of a passing test, not a warning, and not the line that only says that something failed.
import { FILE_TOOLS } from '../model/event.ts'

const GENERIC =
  /user doesn't want to proceed|(?:sibling|parallel) tool call.{0,80} errored|has not been read yet|tool use was rejected|request interrupted|requested permissions|exceeds maximum allowed tokens|modified since read|unexpectedly modified|was cancelled|hook error: (?:\[[^\]]*\]: )?(?:no stderr output|$)|string to replace not found|no changes to make|matches of the string to replace|aborted by (?:the )?user/i

const SIGNATURE_CHARS_MAX = 120

/** Whether an error says nothing about the project: a refused call, a failed sibling call, a file that was not read. */
export const isGenericError = (error: string): boolean => GENERIC.test(error)

/**
 * The line of an error of one line, which is every third: there is nothing to choose, and the patterns that choose take
 * a cold hook 2 ms. Undefined for several lines, and for the line of a step, which may have a prefix that names it.
 */
const onlyLine = (lines: readonly string[]): string | undefined =>
  lines.length === 1 && !/^[$>] /.test(lines[0] ?? '') ? lines[0] : undefined

/** Whether the error of a file tool says nothing but that its path is not there: a text may be missing in it, too. */
export const isMissingPath = ({ tool, error }: { readonly tool: string; readonly error: string }): boolean =>
  FILE_TOOLS.has(tool) && /exist|no such|not found|ENOENT/i.test(salientLine(error)) && !isGenericError(error)

/** The line of an error, stack trace or test output that says what is wrong, at most 500 characters; may be empty. */
export function salientLine(error: string): string {
  const lines = linesOf(error)
  return (
    onlyLine(lines) ??
    findErrorLine(lines) ??
    lines.find(isInformative) ??
    lines.find((line) => !/^[$>] /.test(line)) ??
    lines[0] ??
    ''
  )
}

/**
 * `tool|line` in lower case, with placeholders for paths, file names, hashes, ids, numbers and times; at most 120
 * characters; undefined for an empty error. Findings of linters and compilers differ each time, so those without error
 * words are named by the step that reported them, if the output says which; `errorSubject` tells them apart.
 */
export function errorSignature(tool: string, error: string): string | undefined {
  const lines = linesOf(error)
  const line =
    onlyLine(lines) ?? findErrorKind(lines) ?? findReportingStep(lines, error) ?? findErrorLine(lines) ?? lines[0]
  if (line === undefined) return undefined
  const signature = `${tool}|${replaceVariables(line)}`.toLowerCase()
  const test = isAssertion(signature) ? failingTestName(lines, line) : ''
  return test === ''
    ? signature.slice(0, SIGNATURE_CHARS_MAX)
    : `${signature.slice(0, SIGNATURE_CHARS_MAX - TEST_CHARS_MAX)}|${test}`
}

/** Words that say little about which error it is. */
const GENERAL_WORDS = new Set(
  (
    'error errors fail failed failure fatal exit code status exited file files directory folder path such does not ' +
    'exist exists found find open read cannot could unable undefined unknown invalid missing unexpected expected ' +
    'assert assertion assertionerror err_assertion test tests enoent eacces eval line http null undefined value ' +
    'argument arguments flag option command module import imported used unused command-line-arguments the and for ' +
    'with type get set received equal equals strictly values typeerror referenceerror syntaxerror ' +
    'modulenotfounderror note your current working did you mean'
  ).split(' '),
)

/** Least number of other words in a signature that says which error it is. */
const SPECIFIC_WORDS_MIN = 3

/** Whether many different errors have this signature: `bash|exit status #`, `read|file does not exist.` */
export function isGeneralSignature(signature: string): boolean {
  const line = signature.slice(signature.indexOf('|') + 1)
  const words = line.replace(/<\w>/g, ' ').match(/[\p{L}_][\p{L}\w-]{2,}/gu) ?? []
  const specific = words.filter((word) => !GENERAL_WORDS.has(word))
  // A word of a script without spaces is a whole phrase.
  return new Set(specific).size < SPECIFIC_WORDS_MIN && !specific.some((word) => /[\u3040-\u9fff]{4}/.test(word))
}

/**
 * What tells errors of a general signature apart: the path that the line names, else a quoted text. What tells findings
 * of the same step apart: what was found, with placeholders. '' for none.
 */
export function errorSubject(signature: string, error: string): string {
  const line = salientLine(error).replace(/ note: your current working directory is .*/i, '')
  if (isFinding(line)) {
    const found = replaceVariables(line).replace(/^<[pf]>\S* /, '')
    if (!signature.includes(found.toLowerCase().slice(0, FOUND_CHARS))) return found.slice(0, SUBJECT_CHARS_MAX)
  }
  if (!isGeneralSignature(signature)) return ''
  return (
    /(?:[\w@.~-]*\/)+[\w@.+-]+/.exec(line)?.[0] ??
    /['"`]([^'"`\s]{3,80})['"`]/.exec(line)?.[1] ??
    /[\w@-]+\.[a-z]{1,5}\b/.exec(line)?.[0] ??
    ''
  ).slice(-SUBJECT_CHARS_MAX)
}

const SUBJECT_CHARS_MAX = 80
/** So much of a finding is surely in a signature that names it. */
const FOUND_CHARS = 40

/** Failed assertions look alike; only the test's name tells them apart. */
const isAssertion = (signature: string): boolean => signature.includes('assert') || signature.includes('|expected ')

const TEST_CHARS_MAX = 48
/** The line above a failing test's error: vitest and jest, both forms of node, pytest, Go. */
const FAILING_TEST = /^(?:FAIL(?:ED)?\b|not ok \d+|--- FAIL:|[✖✗✕×●]) *(?:- *)?(.+)/

/** The name of the failing test above an error line, without its path and time; empty if no runner names it. */
function failingTestName(lines: readonly string[], error: string): string {
  for (let at = lines.indexOf(error) - 1; at >= 0; at--) {
    const name = FAILING_TEST.exec(lines[at] ?? '')?.[1]
    if (name === undefined || name.startsWith('failing tests')) continue
    const bare = replaceVariables(name.replace(/ *\([\d.]+ ?m?s\)$/, '')).replace(/^(?:<[pf]>[ >:]*)+/, '')
    return bare
      .toLowerCase()
      .trim()
      .slice(0, TEST_CHARS_MAX - 1)
  }
  return ''
}

/** The lines of the latest error: a hook needs both the salient line and the signature of the same error. */
let latest: { readonly error: string; readonly lines: readonly string[] } | undefined

function linesOf(error: string): readonly string[] {
  if (latest?.error !== error) latest = { error, lines: splitErrorLines(error) }
  return latest.lines
}

/**
 * The text with placeholders for what varies. Each pattern runs only if its character occurs: the first use of a
 * pattern in a process costs most.
 */
export function replaceVariables(line: string): string {
  let text = line
  if (text.includes('-')) text = text.replace(/\b[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\b/g, '<id>')
  if (text.includes('://')) text = text.replace(/[A-Za-z]+:\/\/[^\s"'`)>]+/g, '<url>')
  if (text.includes('/') || text.includes('\\'))
    text = text.replace(
      /(?:\b[A-Za-z]:|~)?[/\\](?:[^\s"'`:()<>[\]{},;|/\\]+[/\\])*[^\s"'`:()<>[\]{},;|/\\]+(?::\d+)*/g,
      '<p>',
    )
  if (text.includes('<p>')) text = text.replace(/[\w.@-]+(?:<p>)+(?::\d+)*/g, '<p>')
  if (text.includes('.')) {
    text = text.replace(
      /\b[\w-]+\.(?:[cm]?[jt]sx?|go|json|md|py|sh|ya?ml|toml|rs|rb|java|kt|cs|php|swift|c|cc|cpp|h|hpp|vue|css|html|sql|lock|log|txt)\b(?::\d+)*/g,
      '<f>',
    )
  }
  return text
    .replace(/\b(?=[0-9A-Fa-f]*\d)[0-9A-Fa-f]{7,64}\b/g, '<h>')
    .replace(/\d+(?:[.,:]\d+)*(?:ms|s)?/g, '#')
    .replace(/\s+/g, ' ')
}

const ANSI = /\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g

/** One pattern of several. Those for lower-case lines have no flag that ignores case: it is slow to compile. */
const anyOf = (...patterns: readonly RegExp[]): RegExp => new RegExp(patterns.map(({ source }) => source).join('|'))

/** In lower case, as the next three. */
const ERROR_WORDS = anyOf(
  /error|fail|cannot|can['’]t|could(?: not|n['’]t)|not found|no such|unrecognized|undefined|unexpected|denied/,
  /fatal|unknown|invalid|illegal|does not exist|panic|enoent|eacces|timeout|timed out|missing|refused|conflict/,
  /rejected|not (?:allowed|recognized)|エラー|失敗|見つかりません|できません|内部コマンドまたは外部コマンド|認識されません/,
)
/** A runner's own lines: what it started, what passed, where it happened. None says what is wrong. */
const NOISE = anyOf(
  /^(?:\$ |> |\? |at |or: |[✓✔√ℹ▶]|ok\b|pass(?:ed)?\b|\d+ passing|traceback|[ -/:-@[-`{-~⎯─━]+$|=== )/,
  /^(?:stack backtrace|caused by:$|duration_ms|code[: ]|errno|syscall|a complete log|\d+ \[|(?:path|command) )/,
  /^(?:usage:|hint: |note: |help: |try '|see '|run '|(?:info|debug|trace)\b|\[(?:info|debug|trace|notice)\]|: # )/,
  /(?:\.\.\.|… ) ?ok$| passed(?: |$)|"level":"(?:info|debug|warn)/,
  /error task failed|:\d+: (?:: #|\w+(?:error|exception)$)/,
)
/** Only that something failed, with an exit code, a count or the name of a step. */
const RESULT = anyOf(
  /\bexit(?:ed)?(?: with)?(?: exit)?(?: code| status)?:? *\(?-?\d+\)?[.!]?(?: \(use .*\))?$|\d exit status$|\*\*\* \[/,
  /non-zero code: \d+$|\(code \d+\)$|^fail\s+\S+(?:\s+(?:\[[a-z ]+\]|\(?[\d.]+ ?m?s\)?|\(cached\)))?$|^=+ .* =+$/,
  /^(?:fail$|exit (?:status|code)|(?:error )?command failed|lifecycle script|(?:error: )?test failed\b|elifecycle)/,
  /^(?:error: (?:could not compile|aborting|failed to push)|build fail|failure: build|compilation error|rake aborted)/,
  /^(?:failed to execute goal|failed tests?$|failed (?:tests|suites) \d|execution failed for task|task \S+ failed)/,
  /^(?:(?:errors?|failures?):$|failing tests|there (?:was|were) |some tests|automatic merge failed|ninja: build st)/,
  /^(?:running target|tests?: |test (?:files|suites): |test result: |process completed|error occurred|oh no!)/,
  /^(?:[✖✗×] )?(?:found )?\d+ (?:issues?|errors?|problems?|fail\w*|examples?|tests?)\b/,
  /some (?:errors|warnings) were emitted|^subprocess-exited/,
)
const WARNING = anyOf(
  /^(?:\[warn(?:ing)?\]|warn(?:ing)?\b|npm warn|\(node:\d+\)|\d+:\d+ +warning\b|deprecat|w: )/,
  /\bwarning(?: [a-z]+\d+)?: |(?:deprecation|future|user|runtime|syntax)warning/,
)
const UNCAUGHT =
  '(?:Un(?:caught|handled) |PHP Fatal error: +Uncaught |Exception in thread "[^"]*" |Caused by: |\\*\\* \\()?'
const EXCEPTION = '(?:[\\w$]+[.:]+)*(?:[A-Z]\\w*)?(?:Error|Exception|Panic)(?:\\)|(?: \\[\\w+\\]| \\(\\w+\\))?:) \\S'
/** Lines that name the error, best first: exceptions of most languages, compilers and tools, test runners. */
const ERROR_LINES = [
  /^--- FAIL: \S|^\(fail\) \S|^thread '.*' (?:\(\d+\) )?panicked at /,
  new RegExp(`^${UNCAUGHT}${EXCEPTION}|\\(\\w+(?:Error|Exception)\\)$`),
  anyOf(
    /^(?:[Ee]rror|ERROR|[Ff]atal|FATAL|panic|PHP (?:Parse|Fatal) error)(?:\[\w+\]|\s+TS\d+)?: +\S|^CMake Error/,
    /^! \[(?:remote )?rejected\]|^(?:docker: )?Error (?:response )?from |^ERR_\w+ |^e: \S/,
  ),
  /[:-] (?:fatal )?error(?: [A-Z]+\d+)?: \S|^\S+: (?:fatal|panic): \S|^\d+:\d+ +error +\S/,
  /^(?:not ok|FAILED|Failure\/Error:|[✗✕×●✖]) ?\S/,
] as const
/** A finding of a compiler or linter: `file:line: what`. */
const FINDING = /^\S+\.\w+[:(]\[?\d+(?:[:,]\d+)?[\])]?:? \S/
const ERRORS_AND_FINDINGS: readonly RegExp[] = [...ERROR_LINES, FINDING]
/** The error is on the line below: in YAML of node's test runner, and where Rust and CMake name only the place. */
const BELOW = /: [|>]-?$|panicked at \S+$|^CMake Error at [^:]+:\d+ \(\w+\):$/
/** Source code that a compiler or linter shows with its finding. */
const CODE = anyOf(
  /[{;]$|^[\w.$]+\(.*\)$|^[\w, .]+ :?= |^[>→]? *\d+ *[|│]/,
  /^(?:\/\/|\/\*|\*|#include|import |return |const |func |def )/,
)
/** Runners list the failures below such a line, after the output of all tests. */
const FAILURES_BELOW = anyOf(
  /^(?:✖ failing tests:|failures:|\d+ failing|=+ (?:failures|errors) =+|⎯+ ?failed (?:tests|suites) \d+)/,
  /^(?:summary of all failing tests|there (?:was|were) \d+ (?:failure|error)s?:)/,
)

const SCRIPT = '(?:build|test|lint|check|type-?check|types|format|fmt|dev|start|compile|e2e|unit|verify|ci)[\\w:-]*: +'
/** What a runner writes before each line of a task: `[build] `, `web:build: `, `api-1  | `, a time, `remote: `. */
const PREFIX = anyOf(
  /^\[(?!(?:info|INFO|debug|DEBUG|notice|NOTICE|warn|WARN|WARNING|warning)\])[\w@:./+-]{1,40}\]:? +(?=\S)/,
  new RegExp(`^[@\\w./-]+[:#]${SCRIPT}|^[@\\w-]*[./][\\w./-]* ${SCRIPT}`),
  /^(?:[A-Za-z][\w.-]* +\| +|#\d+ \d+\.\d+ +|remote: +|##\[error\]|::error[^:]*:: ?|[│┃] *|➤ YN\d+: )/,
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?:? +/,
  /^\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?:? +/,
  // A hook of the user refused the call: what it says is a rule of the project.
  /^(?:Pre|Post)ToolUse:\S+ hook error: (?:\[[^\]]*\]: )?/,
)
/** The prefixes of npm, pytest and node's test runner. */
const MARK = /^(?:npm (?:ERR!|error|err!)|ERR!|E {2,}|#) */

/** Only the beginning of a line is used: minified code can be one line of a megabyte. */
const LINE_CHARS_MAX = 500
/** Of a longer error both ends are read, this much each: the cause is mostly first, the result last. */
const END_CHARS = 8192

/** The lines that are not blank, without colours, prefixes and what passing tests printed; each at most 500 long. */
export function splitErrorLines(error: string): readonly string[] {
  const ends = error.length > 2 * END_CHARS ? `${error.slice(0, END_CHARS)}\n${error.slice(-END_CHARS)}` : error
  const lines: string[] = []
  let log: LogBlock | undefined
  for (const raw of ends.replace(ANSI, '').split(/\r\n|[\r\n]/)) {
    const indent = raw.search(/\S/)
    if (log !== undefined && isInLog(log, indent)) continue
    log = undefined
    if (indent === -1) continue
    const line = cleanLine(raw)
    log = openLog(line, indent)
    if (log !== undefined) continue
    if (line.startsWith('--- PASS') || line.startsWith('--- SKIP')) dropTestLog(lines)
    else if (line !== '' && !/^exit code \d+$/.test(line.toLowerCase())) lines.push(line)
  }
  return lines
}

/** What a test printed, as vitest (until a blank line) and jest (while lines are indented more) show it. */
type LogBlock = NonNullable<ReturnType<typeof openLog>>

function openLog(line: string, indent: number) {
  if (/^std(?:err|out) \| \S/.test(line)) return { isIndented: false, indent }
  return /^console\.(?:error|warn|log|info|debug)$/.test(line) ? { isIndented: true, indent } : undefined
}

const isInLog = (log: LogBlock, indent: number): boolean =>
  log.isIndented ? indent === -1 || indent > log.indent : indent !== -1

/** Go prints a passing test's output above the line that says so. */
function dropTestLog(lines: string[]): void {
  const start = lines.findLastIndex((line) => line.startsWith('=== ') || line.startsWith('--- '))
  if (start !== -1 && lines[start]?.startsWith('=== ')) lines.length = start
}

function cleanLine(raw: string): string {
  let line = raw
    .slice(0, 4 * LINE_CHARS_MAX)
    .replace(/<\/?tool_use_error>/g, '')
    .trim()
  for (let i = 0; i < 2; i++) {
    if (/^std(?:err|out) \|/.test(line)) break
    const prefix = PREFIX.exec(line)?.[0].length
    if (prefix === undefined || prefix === line.length) break
    line = line.slice(prefix)
  }
  return line.replace(MARK, '').slice(0, LINE_CHARS_MAX)
}

/** Of several steps the last one failed: it begins below the step's own line, or below the result of passing tests. */
const LAST_STEP = /^\$ \S|^0 fail\w*$|^test result: ok|^tests?:? +\d+ passed(?!.*fail)|^=+ \d+ passed(?!.*fail)/

export const isFinding = (line: string): boolean => FINDING.test(line)

/** The line that names the error without findings, unless a finding has a word such as "undefined". */
const findErrorKind = (lines: readonly string[]): string | undefined => findErrorLine(lines, ERROR_LINES)

/** The line that names the error; undefined if none does, as with a linter's list of files. */
function findErrorLine(lines: readonly string[], patterns = ERRORS_AND_FINDINGS): string | undefined {
  const failures = lines.findIndex((line) => FAILURES_BELOW.test(line.toLowerCase()))
  const step = lines.findLastIndex((line) => LAST_STEP.test(line.toLowerCase()))
  return (
    (failures === -1 ? undefined : findIn(lines.slice(failures + 1), patterns)) ??
    (step === -1 ? undefined : findNamedError(lines.slice(step + 1), patterns)) ??
    findIn(lines, patterns)
  )
}

function findIn(lines: readonly string[], patterns: readonly RegExp[]): string | undefined {
  const named = findNamedError(lines, patterns)
  return named ?? lines.find((line) => ERROR_WORDS.test(line.toLowerCase()) && !CODE.test(line) && isInformative(line))
}

/** The line that names an error in the way of compilers and test runners; a word like "failed" alone is not enough. */
export function findNamedError(lines: readonly string[], patterns = ERRORS_AND_FINDINGS): string | undefined {
  for (const pattern of patterns) {
    const at = lines.findIndex((line) => pattern.test(line) && isInformative(line))
    const line = lines[at]
    if (line === undefined) continue
    // The error is on the line below in a YAML block (node's test runner), and after Rust's place of a panic.
    const below = BELOW.test(line) ? lines[at + 1] : undefined
    return below === undefined ? line : `${line.replace(/ [|>]-?$/, '')} ${below}`
  }
  return undefined
}

const STEP = /^(?:\[[^\]]+\] +)?[$>] .*\S/m
const BUILD_FAILED = /^FAIL\s.*(?:build|setup) failed\]$/

/**
 * What reported findings: Go's result of a build, or the first step near the beginning of the output, as the task
 * runner prints it (`[lint] $ golangci-lint run`). Undefined without one.
 */
const findReportingStep = (lines: readonly string[], error: string): string | undefined =>
  lines.find((line) => BUILD_FAILED.test(line)) ?? STEP.exec(error.slice(0, LINE_CHARS_MAX).replace(ANSI, ''))?.[0]

/** Whether a line can say what is wrong: not a runner's own line, a warning, or a result. */
function isInformative(line: string): boolean {
  const lower = line.toLowerCase()
  return !NOISE.test(lower) && !RESULT.test(lower) && !WARNING.test(lower)
}
