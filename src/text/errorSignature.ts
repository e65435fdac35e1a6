// Error signatures: the same error has the same signature, whatever paths, numbers and times it contains.
import {
  findErrorKind,
  findErrorLine,
  findReportingStep,
  isFinding,
  isInformative,
  splitErrorLines,
} from './errorLines.ts'

const GENERIC =
  /user doesn't want to proceed|(?:sibling|parallel) tool call.{0,80} errored|has not been read yet|tool use was rejected|request interrupted|requested permissions|exceeds maximum allowed tokens|modified since read|unexpectedly modified|was cancelled|hook error|string to replace not found|no changes to make|matches of the string to replace|aborted by (?:the )?user/i

const SIGNATURE_CHARS_MAX = 120

/** Whether an error says nothing about the project: a refused call, a failed sibling call, a file that was not read. */
export const isGenericError = (error: string): boolean => GENERIC.test(error)

/**
 * The line of an error of one line, which is every third: there is nothing to choose, and the patterns that choose take
 * a cold hook 2 ms. Undefined for several lines, and for the line of a step, which may have a prefix that names it.
 */
const onlyLine = (lines: readonly string[]): string | undefined =>
  lines.length === 1 && !/^[$>] /.test(lines[0] ?? '') ? lines[0] : undefined

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
    'with type get set received equal equals strictly values typeerror referenceerror syntaxerror modulenotfounderror'
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
  const line = salientLine(error)
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
