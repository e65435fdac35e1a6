// The items of a digest about calls: what failed, what ran then, and what passed in the end.
import { type CallResult, callCommand, EDIT_TOOLS, type EventOf } from '../model/event.ts'
import type { EventId } from '../model/id.ts'
import { isRefusable } from '../model/provenance.ts'
import { commandFamily, isCheckCommand } from '../text/command.ts'
import {
  isFinding,
  isGeneralSignature,
  isGenericError,
  replaceVariables,
  salientLine,
  splitErrorLines,
} from '../text/errorSignature.ts'
import { firstLine, truncateMiddle } from '../text/excerpt.ts'
import { revealFailure } from '../text/hiddenFailure.ts'
import type { DigestItem } from './digestItem.ts'

/** An item that is not redacted yet. */
export interface Draft extends Pick<DigestItem, 'kind' | 'subject' | 'text' | 'signature' | 'rules'> {
  /** The event it is from, if it is an earlier one. */
  readonly event?: EventId
}

/** What the calls so far have shown. Items are named by their index. */
export interface CallHistory {
  count: number
  /** How the last call of each shape ended: what keeps on passing is not repeated. */
  readonly outcomes: Map<string, 'failed' | 'passed'>
  /** The item of each failure, by shape and error. */
  readonly failures: Map<string, number>
  /** Failed calls with the same error as an earlier one, and the item of that one. */
  readonly repeated: Map<EventId, number>
  /** Failures after which nothing of the same kind has passed yet. */
  open: OpenFailure[]
  /** The folder of the session. */
  readonly roots: readonly string[]
}

interface OpenFailure {
  readonly item: number
  readonly shape: string
  readonly family: string
  /** Of a command that only looks: the files it names. */
  readonly names: readonly string[]
  /** The number of the call. */
  readonly at: number
  /** Commands that ran since, the last ones. */
  readonly ran: Draft[]
}

export const newCallHistory = (roots: readonly string[]): CallHistory => ({
  roots,
  count: 0,
  outcomes: new Map(),
  failures: new Map(),
  repeated: new Map(),
  open: [],
})

/** The items that a finished call gives; `index` is that of the next item. */
export function callDrafts(event: CallResult, calls: CallHistory, index: number): Draft[] {
  calls.count++
  if (event.kind === 'call.failed') return failureDrafts(event, calls, index)
  const hidden = revealFailure(event)
  return hidden.kind === 'call.failed' ? failureDrafts(hidden, calls, index) : successDrafts(event, calls)
}

function failureDrafts(call: EventOf<'call.failed'>, calls: CallHistory, index: number): Draft[] {
  const subject = describeCall(call, calls.roots)
  const isByPerson = isRefusable(call.tool)
  const reason = isByPerson ? REJECTED.exec(call.error)?.[1]?.trim() : undefined
  if (reason !== undefined) return [{ kind: 'rejection', subject, text: reason }]
  if (isByPerson && REFUSED.test(call.error))
    return [{ kind: 'failed', subject, text: 'the person rejected it, without a reason' }]
  // A file that was not read, a cancelled sibling: nothing to learn from.
  if (call.interrupted || isGenericError(call.error)) return []
  const error = excerptError(call.error) || firstLine(call.error, 200)
  // A search without a result.
  if (isLooking(call) && /^Exit code \d+$/.test(error)) return []
  return noteFailure(call, error, calls, index)
}

/** A failure gives an item, unless the same one came before. */
function noteFailure(call: EventOf<'call.failed'>, error: string, calls: CallHistory, index: number): Draft[] {
  const signature = call.errorSignature ?? error
  const shape = shapeOf(call)
  calls.outcomes.set(shape, 'failed')
  const key = `${shape}\n${signature}`
  const before = calls.failures.get(key)
  if (before !== undefined) calls.repeated.set(call.id, before)
  else calls.failures.set(key, index)
  calls.open.push({
    item: before ?? index,
    shape,
    family: familyOf(call),
    names: listNames(call),
    at: calls.count,
    ran: [],
  })
  return before === undefined
    ? [
        {
          kind: 'failed',
          subject: describeCall(call, calls.roots),
          text: shortenPaths(withoutRoot(error, calls.roots)),
          ...(!isGeneralSignature(signature) && { signature }),
          rules: listFindingRules(call.error),
        },
      ]
    : []
}

function successDrafts(call: EventOf<'call.succeeded'>, calls: CallHistory): Draft[] {
  const shape = shapeOf(call)
  const before = calls.outcomes.get(shape)
  calls.outcomes.set(shape, 'passed')
  const plan = call.input['plan']
  if (call.tool === 'ExitPlanMode' && typeof plan === 'string') return [{ kind: 'plan', subject: '', text: plan }]
  if (call.tool === 'AskUserQuestion') return [{ kind: 'reply', subject: '', text: call.output }]
  if (EDIT_TOOLS.has(call.tool)) return [{ kind: 'changed', subject: '', text: call.files[0] ?? '' }]
  const command = callCommand(call)
  const published = PUBLISHED.exec(command)?.[1]
  const overcome = closeFailures(call, calls)
  const steps =
    overcome === undefined ? [] : [...overcome.ran, passedDraft(call, `after [${overcome.item + 1}]`, calls)]
  if (published !== undefined) return [...steps, { kind: 'committed', subject: '', text: firstLine(published, 160) }]
  if (steps.length > 0) return steps
  // That a check passed is worth a line once.
  if (before === undefined && isCheckCommand(command)) return [passedDraft(call, '', calls)]
  noteStep(call, calls)
  return []
}

const passedDraft = (call: CallResult, subject: string, { roots }: CallHistory): Draft => ({
  kind: 'passed',
  subject,
  text: describeCall(call, roots),
})

/** Calls after a failure within which one of the same kind may be its remedy. */
const REMEDY_CALLS = 12
/** Commands between a failure and its remedy, at most. */
const STEPS_MAX = 3

/** The latest failure that this call overcomes: the same shape any time later, or the same kind of call soon after. */
function closeFailures(call: CallResult, calls: CallHistory): OpenFailure | undefined {
  const shape = shapeOf(call)
  const family = familyOf(call)
  const isOvercome = (failure: OpenFailure): boolean =>
    isLooking(call)
      ? failure.names.some((name) => listNames(call).includes(name)) && calls.count - failure.at <= REMEDY_CALLS
      : failure.shape === shape || (failure.family === family && calls.count - failure.at <= REMEDY_CALLS)
  const overcome = calls.open.findLast(isOvercome)
  if (overcome) calls.open = calls.open.filter((failure) => !isOvercome(failure))
  return overcome
}

/** Programs that only look; what they show made nothing pass. */
const LOOKING =
  /^(?:ls|cat|head|tail|e?grep|rg|find|sed|awk|wc|pwd|echo|printf|which|type|cd|jq|sleep|ps|tree|stat|diff)(?: |$)/
const LOOKING_GIT = /^git (?:status|diff|log|show|branch|blame|remote|rev-parse)(?: |$)/

const isLooking = (call: CallResult): boolean => {
  const family = commandFamily(callCommand(call))
  return LOOKING.test(family) || LOOKING_GIT.test(family)
}

/** The names of files in a command: the same file at another path is what was looked for. */
const listNames = (call: CallResult): string[] =>
  callCommand(call)
    .split(/[\s"'`;|&()]+/)
    .flatMap((word) => /([\w.-]+\.\w{1,8})$/.exec(word)?.[1] ?? [])

/** Remembers a command that ran while failures are open: it may be what made them pass. */
function noteStep(call: CallResult, calls: CallHistory): void {
  if (callCommand(call) === '' || isLooking(call)) return
  const step: Draft = { kind: 'ran', subject: '', text: describeCall(call, calls.roots), event: call.id }
  for (const failure of calls.open)
    if (calls.count - failure.at <= REMEDY_CALLS)
      failure.ran.splice(0, failure.ran.length, ...failure.ran.slice(1 - STEPS_MAX), step)
}

const shapeOf = (call: CallResult): string => call.commandShape ?? `${call.tool} ${call.files[0] ?? ''}`

/** Calls of one family do the same in another way: `python -c` and `python3 - <<`, a file read at another path. */
function familyOf(call: CallResult): string {
  const family = commandFamily(callCommand(call)).replace(/^(python|node|perl|ruby|bash|sh|zsh|pwsh) .*/, '$1')
  return family === '' ? `${call.tool} ${call.files[0]?.split('/').at(-1) ?? ''}` : family
}

/** The message of a commit or the title of a pull request; here-documents too. */
const PUBLISHED = new RegExp(
  [
    /\b(?:git commit\b[^\n]*?\s-[a-z]*m|gh pr (?:create|edit)\b[^\n]*?--title)/.source,
    /[= ]+(?:"\$\(cat <<\s*'?\w+'?\n|["'])([^"'\n]+)/.source,
  ].join(''),
)

const REFUSED = /^The user doesn't want to proceed with this tool use\./
/** What the client writes before the reason of a rejection. */
const REJECTED = /^The user doesn't want to proceed with this tool use\.[\s\S]*?the user said:\s*([\s\S]+)$/

/** Characters of a command or another input. */
const CALL_CHARS_MAX = 200

/** The call as a model sees it: the command in one line, or the tool and what it is about. */
export function describeCall(call: CallResult, roots: readonly string[] = []): string {
  const command = callCommand(call).trim()
  if (command !== '') return `\`${truncateMiddle(shortenPaths(withoutRoot(oneLine(command), roots)), CALL_CHARS_MAX)}\``
  const subject = call.files[0] ?? Object.values(call.input).find((value) => typeof value === 'string') ?? ''
  return `${call.tool} ${firstLine(withoutRoot(String(subject), roots), CALL_CHARS_MAX)}`.trim()
}

/** Without what only shortens its output; a line's end as a sign. */
const oneLine = (command: string): string =>
  command
    .replace(/(?:\s*\|\s*(?:head|tail)(?:\s+-\S+|\s+\d+)*)+\s*$/, '')
    .replace(/ 2>&1(?= |$)/g, '')
    .replace(/\s*\n\s*/g, ' ⏎ ')

/** Paths inside the project's folder as seen from there. Where a command goes to matters, so that stays. */
const withoutRoot = (text: string, roots: readonly string[]): string =>
  roots.reduce(
    (shorter, root) =>
      shorter
        .replaceAll(`cd ${root}`, 'cd PROJECT')
        .replaceAll(`cd "${root}`, 'cd "PROJECT')
        .replaceAll(`${root}/`, '')
        .replaceAll(`${root}\\`, ''),
    text,
  )

/** A folder in each form a shell writes it: `D:\shop`, `D:/shop`, `/d/shop`. */
export function listRoots(cwd: string): string[] {
  const root = cwd.replace(/[\\/]+$/, '').replaceAll('\\', '/')
  const drive = /^([A-Za-z]):/.exec(root)?.[1]
  const forms = drive === undefined ? [root] : [cwd, root, `/${drive.toLowerCase()}${root.slice(2)}`]
  return forms.filter((form) => form.length > ROOT_CHARS_MIN)
}

/** `/` and `/app` may be a part of any path. */
const ROOT_CHARS_MIN = 4

/** Long paths name temporary folders and this machine: their beginning and their file say enough. */
const shortenPaths = (text: string): string =>
  text.replace(/[^\s"'`=:]{60,}/g, (word) => word.replace(/^((?:[^/]*\/){1,3})(?:[^/]+\/){2,}(?=[^/]+$)/, '$1…/'))

/** An error of so many lines is shown whole. */
const WHOLE_LINES = 4
const FINDINGS_MAX = 3
const LINE_CHARS_MAX = 140
const FINDING_CHARS_MAX = 100

/** Lines are separated by `⏎`. '' for an error without text. */
export function excerptError(error: string): string {
  const lines = splitErrorLines(error)
  if (lines.length <= WHOLE_LINES) return lines.map((line) => line.slice(0, LINE_CHARS_MAX)).join(SEPARATOR)
  const salient = salientLine(error)
  const kinds = new Set([kindOf(salient)])
  const others: string[] = []
  for (const line of lines) {
    if (others.length === FINDINGS_MAX) break
    if ((!isFinding(line) && !LISTED_FINDING.test(line)) || PACKAGE.test(line)) continue
    const kind = kindOf(line)
    if (kinds.has(kind)) continue
    kinds.add(kind)
    others.push(withoutPlace(line).slice(0, FINDING_CHARS_MAX))
  }
  return [salient, ...others].join(SEPARATOR)
}

const SEPARATOR = ' ⏎ '

/** Below the name of its file: `12:3  error  'x' is never used  no-unused-vars`. */
const LISTED_FINDING = /^\d+:\d+ +error +\S/

/** Go names the package of the findings that follow as if it were one. */
const PACKAGE = /:\d+: : # /

/** The rule of a linter or the number of a compiler: `MD013`, `TS2345`; or at the end: `(nilerr)`. */
const RULES = [/\b[A-Z]{1,6}\d{2,5}\b/, /\(([\w/-]{3,40})\)$/, / {2}([@\w/-]{3,40})$/]

/** What makes two findings one kind: their rule, else what they say without names of files and numbers. */
const kindOf = (line: string): string => ruleOf(line)[0] ?? withoutPlace(replaceVariables(line))

function ruleOf(line: string): string[] {
  for (const rule of RULES) {
    const found = rule.exec(line)
    if (found) return [found[1] ?? found[0]]
  }
  return []
}

/** The rules and numbers that the findings of an error name, each once, in the order of its lines. */
function listFindingRules(error: string): string[] {
  const rules = splitErrorLines(error).flatMap((line) =>
    isFinding(line) || LISTED_FINDING.test(line) ? ruleOf(line) : [],
  )
  return [...new Set(rules)].slice(0, RULES_MAX)
}

/** Of a check that complains about everything these are enough. */
const RULES_MAX = 12

const withoutPlace = (line: string): string => line.replace(/^(?:\S+\.\w+[:(]\S*|<[pf]>\S*|\d+:\d+)\s+/, '')
