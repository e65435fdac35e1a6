// The findings of linters in the output of a call: `file:line: message (rule)`, and the blocks of eslint, biome,
// clippy, ruff and shellcheck. A finding needs the name of a rule; errors of the compiled code itself are left out.

export interface LintFinding {
  /** The rule as its linter names it: `errcheck`, `gocritic appendAssign`, `no-var`, `SC2086`. */
  readonly rule: string
  /** What names the rule in the output: `(errcheck)`. */
  readonly marker: string
  /** Without the rule's name; may be empty. */
  readonly message: string
  /** As the linter names it, forward slashes. */
  readonly file?: string | undefined
  /** The line of code that it is about, if the linter prints it. */
  readonly source?: string | undefined
}

/** The output of one call has at most this many findings; a first run over an old project has thousands. */
const FINDINGS_MAX = 60

/** The findings that an output shows, in order. */
export function findLintFindings(output: string): LintFinding[] {
  const lines = output.replace(ANSI, '').split(/\r?\n/)
  const isReport = REPORT.test(output)
  const findings: LintFinding[] = []
  let heading: string | undefined
  for (let at = 0; at < lines.length && findings.length < FINDINGS_MAX; at++) {
    const line = lines[at] ?? ''
    if (PATH_ALONE.test(line)) heading = line.trim()
    else if (line.trim() === '') continue
    const found = parseLine(line, isReport) ?? parseTableRow(line, heading) ?? parseBlock(lines, at)
    if (found === undefined || isCodeError(found.rule)) continue
    findings.push({ ...found, source: found.source ?? sourceBelow(lines, at) })
  }
  return findings
}

/** A linter counts its findings, or the runner names it. */
const REPORT = /\b\d+ (?:issue|problem|error|warning|violation|offense)s?\b|\blint/i
const ANSI = /\x1b\[[0-9;?]*[A-Za-z]/g
/** eslint and stylelint print the file on a line of its own. */
const PATH_ALONE = /^(?:\/|\.{0,2}\/|[A-Za-z]:[\\/])?[\w@.()[\]-]+(?:[\\/][\w@.()[\]-]+)*\.\w{1,6}$/

/** file:line[:column] or file(line,column), perhaps a level, then the rest. */
const LOCATED = new RegExp(
  [
    '^((?:[A-Za-z]:)?[^\\s:()│|>]+\\.\\w{1,8}|(?:[^\\s:]*/)?(?:Dockerfile|Makefile|Containerfile))',
    '(?::\\d+([:.]\\d+)?|(\\(\\d+,\\d+\\))):?\\s+(?:- )?',
    '(?:(?:error|warning|warn|note|info|style|fatal error):\\s+|\\[(?:error|warning)\\]\\s+)?(\\S.*)$',
  ].join(''),
  'i',
)

/** MSBuild names the project after each message. */
const PROJECT_AT_END = / \[[^\]]+\.\w*proj\]$/

// The rule at the end: (errcheck), [SC2086], [-Wunused-value], (standard:no-wildcard-imports).
const RULE_AT_END = /^(.*\S)\s+([([])((?:standard:|-W)?@?[A-Za-z][\w/:@+-]*?)([)\]])$/
// At the beginning: F401, E0601:, C: Style/StringLiterals:, MD013/line-length, DL3008 warning:, TS7006:.
const CODE_AT_START =
  /^(?:error |warning )?([A-Z]{1,6}\d{2,5}(?:\/[\w/-]+)?):?\s+(?:\[\*\]\s+)?(?:(?:warning|info|error|style): )?(\S.*)$/
const COP_AT_START = /^[CWEFR]: (?:\[Correctable\] )?([A-Z]\w+\/[A-Z]\w+(?:\/\w+)?): (\S.*)$/

/** In a text that is no report, `file:12: what (word)` is prose: a name in parentheses needs a column. */
function parseLine(line: string, isReport: boolean): LintFinding | undefined {
  const match = LOCATED.exec(line.slice(0, 600).trimEnd().replace(PROJECT_AT_END, ''))
  const [, file, column, columnInParentheses, rest] = match ?? []
  if (file === undefined || rest === undefined || /^(?:\w+(?:Error|Exception)\b|Error:)/.test(rest)) return undefined
  const path = file.replaceAll('\\', '/')
  const cop = COP_AT_START.exec(rest)
  if (cop?.[1] && cop[2]) return { rule: cop[1], marker: cop[1], message: cop[2], file: path }
  const atEnd = RULE_AT_END.exec(rest)
  const isPlace = isReport || atEnd?.[2] === '[' || column !== undefined || columnInParentheses !== undefined
  if (atEnd?.[1] && isPlace && (atEnd[2] === '(') === (atEnd[4] === ')')) return withinLinter(atEnd, path)
  const code = CODE_AT_START.exec(rest)
  if (code?.[1] && code[2]) return { rule: code[1], marker: code[1], message: code[2], file: path }
  return undefined
}

/** A linter that runs many checks names the check before the message: `ifElseChain: rewrite …(gocritic)`. */
function withinLinter([, text = '', open, name = '', close]: readonly string[], file: string): LintFinding {
  const check = /^(?!sig\b)([A-Z]?\d*[a-z]\w*(?:[A-Z-]\w*)+|[A-Z]{1,4}\d{3,5}|[a-z]{4,}): +(\S.*)$/.exec(text)
  const marker = `${open}${name}${close}`
  if (check?.[1] === undefined || check[2] === undefined) return { rule: name, marker, message: text, file }
  // A code is the rule itself: pylint's `C0114: Missing docstring (missing-module-docstring)`.
  if (/^[CRWEF]\d{4}$/.test(check[1])) return { rule: name, marker, message: check[2], file }
  return { rule: `${name} ${check[1]}`, marker: `${check[1]}: `, message: check[2], file }
}

/** A row of eslint or stylelint: `12:5  error  Unexpected var  no-var`. */
function parseTableRow(line: string, file: string | undefined): LintFinding | undefined {
  const match = /^\s+\d+:\d+\s+(?:error|warning|✖|⚠|×)\s+(\S.*?)\s{2,}(@?[a-z][\w@/-]*)$/.exec(line.trimEnd())
  const [, message, rule] = match ?? []
  if (message === undefined || rule === undefined) return undefined
  return { rule, marker: rule, message, file: file?.replaceAll('\\', '/') }
}

/** The longest block of one finding, in lines. */
const BLOCK_LINES = 24

function parseBlock(lines: readonly string[], at: number): LintFinding | undefined {
  const line = lines[at] ?? ''
  return (
    parseBiome(lines, at, line) ?? parseRust(lines, at, line) ?? parseRuff(lines, at, line) ?? parseShell(lines, at)
  )
}

function parseBiome(lines: readonly string[], at: number, line: string): LintFinding | undefined {
  const match = /^\s*(?:at )?(\S+?):\d+:\d+ (lint\/\w+\/\w+)/.exec(line)
  const [, file, rule] = match ?? []
  if (file === undefined || rule === undefined) return undefined
  const block = blockBelow(lines, at, (next) => /━{6}/.test(next))
  const message = block.find((next) => /^\s*[×!✖] /.test(next))?.replace(/^\s*[×!✖] +/, '') ?? ''
  const fix = block.find((next) => /(?:Safe|Unsafe) fix: /.test(next))?.replace(/^.*fix: /, '')
  return { rule, marker: rule, message: joinSentences(message, fix), file, source: framedSource(block) }
}

/** clippy and rustc: the message, `--> file:line`, the code, and the rule in a note or a link. */
function parseRust(lines: readonly string[], at: number, line: string): LintFinding | undefined {
  const message = /^(?:error|warning)(?:\[\w+\])?: (\S.*)$/.exec(line)?.[1]
  if (message === undefined) return undefined
  const block = blockBelow(lines, at, (next) => /^(?:error|warning)(?:\[\w+\])?: /.test(next))
  const text = block.join('\n')
  const name = /#\[(?:warn|deny|forbid)\(([\w:]+)\)\]|rust-clippy\/\S+#(\w+)|`-[DW] ([\w:-]+)`/.exec(text)
  const rule = name?.[1] ?? (name?.[2] ? `clippy::${name[2]}` : name?.[3]?.replaceAll('-', '_'))
  const file = /-->\s+([^\s:]+):\d+/.exec(text)?.[1]
  if (rule === undefined || file === undefined) return undefined
  const help = /(?:^|\n)\s*(?:= )?help: (?!for further)(.+)/.exec(text)?.[1]
  return {
    rule,
    marker: rule.replace('clippy::', ''),
    message: joinSentences(message, help),
    file,
    source: framedSource(block),
  }
}

/** ruff's long form: `F401 [*] message`, `--> file:line`, the code, `help: …`. */
function parseRuff(lines: readonly string[], at: number, line: string): LintFinding | undefined {
  const [, rule, message] = /^([A-Z]{1,4}\d{3,4}) (?:\[\*\] )?(\S.*)$/.exec(line) ?? []
  if (rule === undefined || message === undefined) return undefined
  const block = blockBelow(lines, at, (next) => /^[A-Z]{1,4}\d{3,4} /.test(next))
  const text = block.join('\n')
  const file = /-->\s+([^\s:]+):\d+/.exec(text)?.[1]
  if (file === undefined) return undefined
  const help = /(?:^|\n)\s*(?:= )?help: (.+)/.exec(text)?.[1]
  return { rule, marker: rule, message: joinSentences(message, help), file, source: framedSource(block) }
}

/** shellcheck for a terminal: `In file line 3:`, the code, `^-- SC2086 (info): message`. */
function parseShell(lines: readonly string[], at: number): LintFinding | undefined {
  const [, rule, message] = /\^-+\^? (SC\d{4})(?: \(\w+\))?: (\S.*)$/.exec(lines[at] ?? '') ?? []
  if (rule === undefined || message === undefined) return undefined
  for (let above = at - 1; above >= Math.max(0, at - 5); above--) {
    const file = /^In (\S+) line \d+:/.exec(lines[above] ?? '')?.[1]
    if (file !== undefined) return { rule, marker: rule, message, file, source: lines[above + 1]?.trim() }
  }
  return { rule, marker: rule, message }
}

function blockBelow(lines: readonly string[], at: number, isNext: (line: string) => boolean): readonly string[] {
  const below = lines.slice(at + 1, at + 1 + BLOCK_LINES)
  const end = below.findIndex(isNext)
  return end === -1 ? below : below.slice(0, end)
}

/** The marked line of a code frame: `> 60 │ code`, or the first one with a number: `3 | code`. */
function framedSource(block: readonly string[]): string | undefined {
  const frames = block.flatMap((line) => /^\s*(>?)\s*\d+\s*[│|] ?(.*)$/.exec(line) ?? [])
  const marked = block.map((line) => /^\s*>\s*\d+\s*[│|] ?(.*)$/.exec(line)?.[1]).find((code) => code !== undefined)
  return (marked ?? frames[2])?.trim() || undefined
}

/** The line of code below a finding, if a caret on the next line marks a place in it. */
function sourceBelow(lines: readonly string[], at: number): string | undefined {
  const source = lines[at + 1]
  const caret = lines[at + 2]
  return source !== undefined && caret !== undefined && /^\s*[\^~-]*\^[\^~-]*\s*$/.test(caret)
    ? source.trim()
    : undefined
}

const joinSentences = (first: string, second: string | undefined): string =>
  second === undefined ? first : `${first.replace(/[.;,]\s*$/, '')}; ${second}`

/** Errors of types, names and syntax, and unused code: normal while code is being written, and no rule of style. */
const CODE_ERRORS = new RegExp(
  [
    '^(?:typecheck|syntax|parse\\w*|E0\\d{3}|E999|arg-type|attr-defined|assignment|return-value|call-arg|call-overload',
    'name-defined|index|union-attr|operator|override|import|import-not-found|misc|valid-type|var-annotated',
    'report(?!Missing(?:Parameter|Type)|Private|Unnecessary|Unused|Implicit)\\w+)$',
  ].join('|'),
)
const UNUSED = /unused|no-undef|undefined|dead_code|deadcode|unreachable|noUndeclared|F401|F841|F821|formatt?|prettier/i
/** Of TypeScript's errors only those of an option that a project sets: the others are errors of the code. */
const TS_OPTIONS =
  /^TS(?:1294|1371|1484|1286|2375|2379|2412|253[12]|283[45]|4104|4111|4114|5097|7006|7016|703[01]|7053|1804[678])$/

const isCodeError = (rule: string): boolean =>
  CODE_ERRORS.test(rule) ||
  UNUSED.test(rule) ||
  (/^TS\d/.test(rule) && !TS_OPTIONS.test(rule)) ||
  /^CS(?!8[6-9])\d{4}$/.test(rule) ||
  rule.length > 60
