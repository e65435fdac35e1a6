// Error signatures: the same trouble met again has the same signature, whatever paths, numbers and times stand around it.

const ANSI = /\x1b\[[0-9;?]*[A-Za-z]/g
const ERRORISH =
  /error|fail|cannot|can't|not found|no such|unrecognized|undefined|unexpected|denied|fatal|unknown|invalid|illegal|does not exist|panic|ENOENT|EACCES|timeout|timed out|missing|refused|conflict|エラー|失敗|見つかりません/i
const NOISE =
  /^(\$ |> |at |[✓✔ℹ▶#]|ok \d|\d+ passing|exit status|npm (err|error)|Traceback|\[[\w-]+\] \$|=+|-+$|~+\^?|duration_ms|code:|errno|syscall)/i
/** Lines that name the trouble itself, best first. */
const TELLING = [
  /^(?:#\s*)?(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception|Panic)(?: \[\w+\])?: .+/,
  /^(?:error|fatal|panic|ERROR)(?:\[\w+\]|\s+TS\d+)?: .+/,
  /: (?:error|fatal error)(?: TS\d+)?: .+/,
  /^(?:--- FAIL|FAIL|FAILED|not ok)\b.+/,
]
const GENERIC =
  /user doesn't want to proceed|sibling tool call errored|has not been read yet|tool use was rejected|request interrupted|requested permissions|exceeds maximum allowed tokens|modified since read|unexpectedly modified|was cancelled|hook error|string to replace not found|no changes to make|matches of the string to replace/i

/** Whether an error says nothing of the project: a person said no, a sibling call failed, the editor asks for a fresh read. */
export const isGenericError = (error: string): boolean => GENERIC.test(error)

/** The line of an error, a stack trace or a test's output that says what is wrong; empty for an empty error. */
export function tellingLine(error: string): string {
  const lines = error
    .replace(ANSI, '')
    .replace(/<\/?tool_use_error>/g, '')
    .split('\n')
    .map((line) => line.trim().replace(/^#\s+/, ''))
    .filter((line) => line !== '' && !/^Exit code \d+$/.test(line))
  for (const pattern of TELLING) {
    const at = lines.findIndex((line) => pattern.test(line))
    // YAML's block form (node's test runner) says the error on the line below.
    if (at !== -1)
      return /: [|>]-?$/.test(lines[at]!) && lines[at + 1]
        ? `${lines[at]!.replace(/ [|>]-?$/, '')} ${lines[at + 1]}`
        : lines[at]!
  }
  return (
    lines.find((line) => ERRORISH.test(line) && !NOISE.test(line)) ??
    lines.find((line) => !NOISE.test(line)) ??
    lines[0] ??
    ''
  )
}

const SIGNATURE_CHARS_MAX = 120

/** `tool|line` in lower case with what differs from time to time blanked, at most 120 characters; undefined for an empty error. */
export function errorSignature(tool: string, error: string): string | undefined {
  const line = tellingLine(error)
  if (line === '') return undefined
  const blanked = line
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>')
    .replace(/[a-z]+:\/\/\S+/gi, '<url>')
    .replace(/(?:[A-Za-z]:)?[/\\](?:[\w.@+-]+[/\\])*[\w.@+-]+(?::\d+)*/g, '<p>')
    .replace(/[\w.@-]+(?:\/[\w.@-]+)+(?::\d+)*/g, '<p>')
    .replace(/\b[\w-]+\.(?:go|ts|tsx|js|jsx|mjs|cjs|json|md|py|sh|ya?ml|toml|rs|rb|java|c|cpp|h)\b(?::\d+)*/g, '<f>')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/gi, '<h>')
    .replace(/\d+(?:[.,:]\d+)*(?:ms|s)?/g, '#')
    .replace(/\s+/g, ' ')
  return `${tool}|${blanked}`.toLowerCase().slice(0, SIGNATURE_CHARS_MAX)
}
