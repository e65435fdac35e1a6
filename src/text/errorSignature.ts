// Error signatures: the same trouble met again has the same signature, whatever paths, numbers and times stand around it.

const ANSI = /\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g
// Both are put to a line in lower case: a flag for it would make them dear to compile in a cold process.
const ERRORISH =
  /error|fail|cannot|can't|not found|no such|unrecognized|undefined|unexpected|denied|fatal|unknown|invalid|illegal|does not exist|panic|enoent|eacces|timeout|timed out|missing|refused|conflict|エラー|失敗|見つかりません|できません/
/** What a runner says of its own: what it started, that it failed, how long it took. None of it says why. */
const NOISE =
  /^(?:\$ |> |at |[✓✔ℹ▶]|ok\b|\d+ passing|exit status|exit code|command failed|traceback|\[[^\]\s]+\] (?:\$|error task)|[=~^-]+$|=== |--- pass|caused by:$|stack backtrace|duration_ms|code[: ]|errno|syscall|a complete log|fail$|\d+ (?:issues?|errors?|problems?)\b|(?:path|command) )/
/** Lines that name the trouble itself, best first. Exceptions of most languages, then compilers and tools, then test runners. */
const TELLING = [
  /^(?:Uncaught |Unhandled |Exception in thread "[^"]*" |Caused by: )?(?:[\w$]+[.:]+)*(?:[A-Z]\w*)?(?:Error|Exception|Panic)(?: \[\w+\]| \(\w+\))?: \S/,
  /^(?:[Ee]rror|ERROR|[Ff]atal|FATAL|panic)(?:\[\w+\]|\s+TS\d+)?: \S/,
  /[:-] (?:fatal )?error(?: [A-Z]+\d+)?: \S|^\S+: (?:fatal|panic): \S/,
  /^(?:--- FAIL|not ok|FAILED|✗|✕|×|●) ?\S/,
]
/** A compiler's or linter's finding: `file:line: what`. */
const FINDING = /^\S+\.\w+[:(]\d+(?:[:,]\d+)?\)?:? \S/

const GENERIC =
  /user doesn't want to proceed|sibling tool call errored|has not been read yet|tool use was rejected|request interrupted|requested permissions|exceeds maximum allowed tokens|modified since read|unexpectedly modified|was cancelled|hook error|string to replace not found|no changes to make|matches of the string to replace|aborted by (?:the )?user/i

const SIGNATURE_CHARS_MAX = 120
/** A line is told and blanked by its beginning: minified code can be one line of a megabyte. */
const LINE_CHARS_MAX = 500
/** Of a longer error both ends are read, this much each: what failed stands first, what it came to last. */
const END_CHARS = 8192

/** Whether an error says nothing of the project: a person said no, a sibling call failed, the editor asks for a fresh read. */
export const isGenericError = (error: string): boolean => GENERIC.test(error)

/** The line of an error, a stack trace or a test's output that says what is wrong, at most 500 characters; empty for an empty error. */
export function salientLine(error: string): string {
  const lines = linesOf(error)
  const named = namedTrouble(lines)
  // A linter's finding need not sound like an error: `type foo is unused`.
  return named ?? lines.find((line) => FINDING.test(line) && !isNoise(line)) ?? fallback(lines)
}

/**
 * `tool|line` in lower case with paths, names of files, hashes, ids, numbers and times blanked, at most 120 characters;
 * undefined for an empty error. A linter whose findings sound like no error is told by its own line: findings differ each
 * time, what comes back is that it found some.
 */
export function errorSignature(tool: string, error: string): string | undefined {
  const lines = linesOf(error)
  const line = namedTrouble(lines) ?? lines[0]
  if (line === undefined) return undefined
  const signature = `${tool}|${blanked(line)}`.toLowerCase()
  const test = isAssertion(signature) ? testBefore(lines, line) : ''
  return test === ''
    ? signature.slice(0, SIGNATURE_CHARS_MAX)
    : `${signature.slice(0, SIGNATURE_CHARS_MAX - TEST_CHARS_MAX)}|${test}`
}

/** What every failing check says alike: only with the test's name does it say which trouble it is. */
const isAssertion = (signature: string): boolean => signature.includes('assert') || signature.includes('|expected ')

const TEST_CHARS_MAX = 48
/** How runners head a failing test: vitest and jest, node's two forms, pytest, Go. */
const FAILING_TEST = /^(?:FAIL(?:ED)?\b|not ok \d+|--- FAIL:|[✖✗✕×●]) *(?:- *)?(.+)/

/** The name of the failing test whose error this is, blanked, its path and time left out; empty where no runner names it. */
function testBefore(lines: readonly string[], error: string): string {
  for (let at = lines.indexOf(error) - 1; at >= 0; at--) {
    const name = FAILING_TEST.exec(lines[at]!)?.[1]
    if (name === undefined || name.startsWith('failing tests')) continue
    const bare = blanked(name.replace(/ *\([\d.]+ ?m?s\)$/, '')).replace(/^(?:<[pf]>[ >:]*)+/, '')
    return bare
      .toLowerCase()
      .trim()
      .slice(0, TEST_CHARS_MAX - 1)
  }
  return ''
}

/** The latest error's lines: a hook asks for the line that tells and for the signature, of the same one. */
let latest: { readonly error: string; readonly lines: readonly string[] } | undefined

function linesOf(error: string): readonly string[] {
  if (latest?.error !== error) latest = { error, lines: linesIn(error) }
  return latest.lines
}

function linesIn(error: string): readonly string[] {
  const ends = error.length > 2 * END_CHARS ? `${error.slice(0, END_CHARS)}\n${error.slice(-END_CHARS)}` : error
  const lines: string[] = []
  for (const raw of ends.replace(ANSI, '').split(/[\r\n]+/)) {
    // What npm, pytest and node's runner put before a line is theirs, not the error's.
    const line = raw
      .replace(/<\/?tool_use_error>/g, '')
      .trim()
      .replace(/^(?:npm (?:ERR!|error|err!)|E {2,}|#) */, '')
      .slice(0, LINE_CHARS_MAX)
    if (line !== '' && !/^exit code \d+$/.test(line.toLowerCase())) lines.push(line)
  }
  return lines
}

function namedTrouble(lines: readonly string[]): string | undefined {
  for (const pattern of TELLING) {
    const at = lines.findIndex((line) => pattern.test(line) && !isNoise(line))
    // YAML's block form (node's test runner) says the error on the line below.
    if (at !== -1) return /: [|>]-?$/.test(lines[at]!) && lines[at + 1] ? joined(lines[at]!, lines[at + 1]!) : lines[at]
  }
  return lines.find((line) => ERRORISH.test(line.toLowerCase()) && !isNoise(line))
}

const isNoise = (line: string): boolean => NOISE.test(line.toLowerCase())

const joined = (line: string, below: string): string => `${line.replace(/ [|>]-?$/, '')} ${below}`

const fallback = (lines: readonly string[]): string => lines.find((line) => !isNoise(line)) ?? lines[0] ?? ''

/** Each pattern is tried only where its mark stands in the line: most of a cold pattern's cost is its first use. */
function blanked(line: string): string {
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
