// Rules of linters that the code broke, and the change that satisfied them. Masked failures count too: a pipe hides the
// exit code, and hooks print findings.
import { type CallResult, callCommand, EDIT_TOOLS, isShellTool } from '../../model/event.ts'
import type { FactTrigger } from '../../model/fact.ts'
import { commandFamily } from '../../text/command.ts'
import { splitSimpleCommands } from '../../text/shellCommands.ts'
import type { FactDetector, FactSighting } from './factSighting.ts'
import { findFragments } from './rules/codeFragments.ts'
import { nameReplacer } from './rules/codePattern.ts'
import { diffLines } from './rules/lineChanges.ts'
import { findLintFindings, type LintFinding } from './rules/lintFindings.ts'
import { findRemedy, type RuleRemedy, type TextEdit } from './rules/ruleRemedy.ts'
import { findSuggestion } from './rules/ruleSuggestion.ts'
import { listSuppressions } from './rules/suppression.ts'

/** A finding with the call that printed it, and what satisfied the rule. */
interface MetFinding extends LintFinding {
  readonly call: CallResult
  readonly remedy?: RuleRemedy | undefined
}

/** Findings of one session: each is compared with the edits that follow it. */
const FINDINGS_MAX = 300

/** The changes of a fix come within so many calls after the finding. */
const FIX_CALLS = 80

export const detectRuleFacts: FactDetector = ({ calls }) => {
  const printed = calls.flatMap((call, at) =>
    printsFindings(call) ? findLintFindings(outputOf(call)).map((finding) => ({ call, at, finding })) : [],
  )
  const byRule = new Map<string, MetFinding[]>()
  for (const { call, at, finding } of printed.slice(-FINDINGS_MAX)) {
    const met = { ...finding, call, remedy: findFix(finding, calls, at) }
    byRule.set(finding.rule, [...(byRule.get(finding.rule) ?? []), met])
  }
  if (byRule.size === 0) return []
  const newLines = calls.flatMap((call) => editsOf(call).flatMap(listAddedLines))
  const rules = [...byRule.values()].map((findings) => toSighting(findings, newLines))
  return [...rules, ...findAllowances([...byRule.values()].flat())]
}

/** Only commands run linters; what a person or a page says about one is no finding. */
const printsFindings = (call: CallResult): boolean =>
  isShellTool(call.tool) && !READERS.test(commandFamily(callCommand(call)))

const READERS = /^(?:cat|head|tail|less|sed|awk|grep|rg|find|ls|echo|gh|git (?!commit|push|merge|rebase))\b/

const outputOf = (call: CallResult): string => (call.kind === 'call.failed' ? call.error : call.output)

/** What satisfied the rule, by the edits up to the next run of the same linter in which the finding is gone. */
function findFix(finding: LintFinding, calls: readonly CallResult[], at: number): RuleRemedy | undefined {
  const run = calls[at]
  if (run === undefined || finding.file === undefined) return undefined
  const later = calls.slice(at + 1, at + 1 + FIX_CALLS)
  const end = later.findIndex((call) => isSameRun(call, run))
  const next = end === -1 ? undefined : later[end]
  if (next !== undefined && shows(next, finding)) return undefined
  const between = end === -1 ? later : later.slice(0, end)
  const edits = between.flatMap((call) => editsOf(call, finding.file))
  const remedy = findRemedy(finding, edits)
  if (remedy !== undefined) return remedy
  const fixer = edits.length === 0 && next !== undefined ? between.map(fixCommand).find(Boolean) : undefined
  return fixer === undefined ? undefined : { kind: 'replace', text: `run \`${fixer}\`` }
}

const isSameRun = (call: CallResult, run: CallResult): boolean =>
  isShellTool(call.tool) && commandFamily(callCommand(call)) === commandFamily(callCommand(run))

const shows = (call: CallResult, { rule, file, source }: LintFinding): boolean =>
  findLintFindings(outputOf(call)).some(
    (other) => other.rule === rule && other.file === file && other.source === source,
  )

const listAddedLines = ({ before, after }: TextEdit): readonly string[] =>
  before === undefined
    ? after.split('\n').map((line) => line.trim())
    : diffLines(before, after).flatMap(({ added }) => added)

/** The edits that a call made, to a file if one is given; the linter may name it from another folder. */
function editsOf(call: CallResult, file?: string): readonly TextEdit[] {
  if (call.kind !== 'call.succeeded' || !EDIT_TOOLS.has(call.tool)) return []
  const isOther = (path: string) => path !== file && !path.endsWith(`/${file}`) && file?.endsWith(`/${path}`) !== true
  if (file !== undefined && call.files.every(isOther)) return []
  const { edits, content } = call.input
  const all = Array.isArray(edits) ? edits : [call.input]
  if (typeof content === 'string') return [{ after: content }]
  return all.flatMap((edit: unknown) => {
    const { old_string: before, new_string: after } = edit as Record<string, unknown>
    return typeof before === 'string' && typeof after === 'string' ? [{ before, after }] : []
  })
}

const FIXES = /(?:^|[\s:._-])(?:fmt|format|fix|--fix|--write|-w|--autocorrect(?:-all)?|-A)(?:$|\s)/

/** The command with which a call let the tool fix the findings. */
function fixCommand(call: CallResult): string | undefined {
  if (call.kind !== 'call.succeeded' || !isShellTool(call.tool)) return undefined
  const fixer = splitSimpleCommands(callCommand(call)).find(
    ({ words, isAuxiliary }) => !isAuxiliary && words.length <= 6 && FIXES.test(words.join(' ')) && words[0] !== 'git',
  )
  return fixer?.words.join(' ')
}

const KINDS: readonly RuleRemedy['kind'][] = ['replace', 'keyword', 'missing', 'helper', 'handle', 'lines']

function toSighting(findings: readonly MetFinding[], newLines: readonly string[]): FactSighting {
  const [first] = findings
  const last = findings.at(-1)
  if (first === undefined || last === undefined) throw new Error('a rule without findings')
  const remedy = chooseRemedy(findings)
  const rejected = findings.flatMap(({ source }) => source ?? [])
  const replaced = findings.flatMap(({ remedy: each }) => each?.fragment ?? [])
  const code = [...new Set([...replaced, ...findFragments(rejected, newLines)])].slice(0, 3)
  // Without a remedy a note would only repeat what the linter prints.
  const errors = remedy === undefined ? [] : [{ errors: [first.marker] }]
  return {
    ...sightFindings(findings),
    key: first.rule,
    claim: formatClaim(findings, remedy),
    remedy,
    triggers: remedy === undefined || code.length === 0 ? errors : [...errors, { code }],
  }
}

/** What a sighting has of its findings, whatever it says about them. */
function sightFindings(
  findings: readonly MetFinding[],
): Pick<FactSighting, 'topic' | 'files' | 'failures' | 'at' | 'events'> {
  const calls = [...new Set(findings.map(({ call }) => call))]
  // A path that leads out of the repository is the linter's, of another working folder.
  const files = findings.flatMap(({ file }) => (file === undefined || file.startsWith('..') ? [] : file))
  return {
    topic: 'rule',
    files: [...new Set(files)].slice(0, 6),
    failures: calls.length,
    at: calls.at(-1)?.at ?? '',
    events: calls.map(({ id }) => id),
  }
}

/** The comments that allow intended cases: one fact for all rules that are allowed in the same form. */
function findAllowances(findings: readonly MetFinding[]): FactSighting[] {
  const byHead = new Map<string, MetFinding[]>()
  for (const finding of findings) {
    const head = finding.remedy?.suppression?.head
    if (head !== undefined) byHead.set(head, [...(byHead.get(head) ?? []), finding])
  }
  return [...byHead].flatMap(([head, allowed]) => {
    const suppressions = allowed.flatMap(({ remedy }) => remedy?.suppression ?? [])
    const [form] = suppressions
    if (form === undefined) return []
    const word = /[\w-]+(?=\W*$)/.exec(head)?.[0] ?? head.trim()
    const reason = form.tail.includes('reason') ? ' with a reason' : ''
    const toClaim = (triggers: readonly FactTrigger[]): string => {
      const names = triggers.flatMap(({ errors = [] }) => errors).map((marker) => marker.replace(/^[([]|[)\]]$/g, ''))
      return listSuppressions(form, names.slice(0, ALLOWANCES_MAX))
    }
    const triggers = [{ errors: [...new Set(allowed.map(allowanceMarker))] }]
    return {
      ...sightFindings(allowed),
      key: `allow ${word}`,
      claim: toClaim(triggers),
      toClaim,
      remedy: `mark an intended case${reason}`,
      triggers,
    }
  })
}

/** The remedy of most findings; of equal ones the more general kind. Else what the linter proposes. */
function chooseRemedy(findings: readonly MetFinding[]): string | undefined {
  const all = findings.flatMap(({ remedy }) => (remedy === undefined || remedy.kind === 'suppress' ? [] : remedy))
  const count = ({ text }: RuleRemedy): number => all.filter((other) => other.text === text).length
  const [best] = [...all].sort((a, b) => count(b) - count(a) || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  const suggestion = findings.map(({ message }) => findSuggestion(message)).find((text) => text !== undefined)
  return best === undefined || (best.kind === 'lines' && suggestion !== undefined)
    ? (suggestion ?? best?.text)
    : best.text
}

/** Rules that the claim names; a line has 220 characters. */
const ALLOWANCES_MAX = 8

/** What names the rule in the output, such that the name in its directive can be read from it: `(gosec)`. */
function allowanceMarker({ rule, marker, remedy }: MetFinding): string {
  const name = remedy?.suppression?.name ?? rule
  return rule.startsWith(`${name} `) ? `(${name})` : marker.includes(name) ? marker : name
}

const WORDS_MAX = 12

/** What the linter says, without the names of this code, and the shortest line of code that it complains about. */
function formatClaim(findings: readonly MetFinding[], remedy: string | undefined): string {
  const [{ rule, message, source: line } = { rule: '', message: '' }] = findings
  const [source] = findings
    .flatMap(({ source: code }) => (code === undefined ? [] : nameReplacer('')(code)))
    .filter((code) => code.length <= 44 && /[\w)\]]\(|\b_\b/.test(code) && !/[{(:[,]$|^[})\]]|^return\b/.test(code))
    .sort((a, b) => a.length - b.length)
  const text = generalizeMessage(message, line ?? '')
  // The whole message is advice, and the advice is the remedy.
  if (remedy !== undefined && remedy.toLowerCase() === text.toLowerCase()) return `${rule} requires it`
  if (text === '') return source === undefined ? `${rule} fails` : `${rule} rejects \`${source}\``
  // A remedy that shows code needs no second example.
  const isShort = source !== undefined && remedy?.includes('instead of') !== true && text.split(' ').length <= 9
  return isShort ? `${rule} reports "${text}" at \`${source}\`` : `${rule} reports "${text}"`
}

/** The first clause of a message, with names from the code and places left out. */
function generalizeMessage(message: string, source: string): string {
  const plain = message
    .replace(/\s*\([^()]*[\d/][^()]*\)|\s*\[[^[\]]*\d[^[\]]*\]$/g, '')
    .replace(/\s+(?:of|for) `[^`]*`/g, '')
    .replace(/(["'`])([^"'`]*)\1/g, (text, _quote, name: string) => (LANGUAGE_WORDS.test(name) ? text : '…'))
    .replace(/[\w$]*(?:[a-z][A-Z]|_)[\w$]*/g, (name) => (source.includes(name) ? '…' : name))
    .replace(/^(?:[^:,]+: [^:,]+, ){2,}(?=[^:,]+: [^:,]+$)/, '')
    .replace(/^(?:\d+-\d+ |[^\p{L}\d]*…[^\p{L}\d]*(?=(?:\S+ ){3}))/u, '')
    .replace(/"/g, '')
    .trim()
  const first = /^((?:[^\s:]+ ){3,}?[^\s:]+?)(?:[;:](?= )| - |\. )/.exec(plain)?.[1] ?? plain
  const clause = first.replace(/\b(on|in|of|for) [\w$]*(?:[a-z][A-Z]|_)[\w$]*$/, '$1 …')
  const words = clause.split(/\s+/)
  return (words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX).join(' ')}…` : clause).replace(/[.;,]$/, '')
}

/** Quoted words that are no names of this code. */
const LANGUAGE_WORDS = /^(?:any|unknown|never|null|undefined|void|string|number|boolean|object|[^\w]+|.*[\s{}=].*)$/
