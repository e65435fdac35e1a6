// What a session's failures teach: an error that was met, and the way that worked afterwards, as one line with the
// triggers that bring it to the next call of this kind. Only what another session can repeat; the rest is counted.
import { type CallResult, callCommand, isShellTool } from '../model/event.ts'
import type { EventId } from '../model/id.ts'
import { FRAGMENT_CHARS_MAX, type KnownWay, type Trigger } from '../model/knowledge.ts'
import type { Memory } from '../model/memory.ts'
import { addressesReader } from '../text/addressesReader.ts'
import { commandFamily } from '../text/command.ts'
import {
  errorSubject,
  isGeneralSignature,
  isGenericError,
  replaceVariables,
  salientLine,
} from '../text/errorSignature.ts'
import { firstLine } from '../text/excerpt.ts'
import { reportsFailures, revealFailure } from '../text/hiddenFailure.ts'
import { errorClass, errorName, isPlainCommand, NO_CLASS, quotableError } from '../text/outsideText.ts'
import { pattern } from '../text/pattern.ts'
import { callOccasion, contains, fires, prepareText } from './when.ts'
import { type FailedCall, findMarkedRules, findWorkingWay, type MarkedRule, type WorkingWay } from './workingWay.ts'

/** A failure of one session and how it was overcome. */
export interface OvercomeFailure extends Pick<KnownWay, 'line' | 'way' | 'when' | 'sessionsMin'> {
  /** With `subject` the identity of the failure over sessions. */
  readonly signature: string
  readonly subject: string
  /** Calls from the first failure until it passed, at least 1. */
  readonly cost: number
  /** Failures with this signature and subject in the session. */
  readonly failures: number
  /** The failures, the latest 8, and the call that passed. */
  readonly events: readonly EventId[]
  /** When it passed, ISO. */
  readonly created: string
  readonly agentId?: string | undefined
  readonly files: readonly string[]
  readonly commandShape?: string | undefined
  readonly isAboutPath: boolean
}

const EVENTS_MAX = 8
/** Characters of an error in a line, and of a line. */
const ERROR_CHARS_MAX = 70
const LINE_CHARS_MAX = 240

/** The failures of one session that were overcome, in the order in which they passed. */
export function findOvercomeFailures(recorded: readonly CallResult[]): OvercomeFailure[] {
  const calls = recorded.map(revealFailure)
  const found = new Map<string, OvercomeFailure>()
  const met = new Map<string, readonly FailedCall[]>()
  calls.forEach((call, index) => {
    const id = failureId(call)
    if (id === undefined || call.kind !== 'call.failed') return
    const failures = [...(met.get(id) ?? []), call]
    met.set(id, failures)
    // What counts failures behind a pipe has overcome nothing.
    const later = calls.slice(index + 1).filter((each) => each.agentId === call.agentId && !reportsFailures(each))
    const working = findWorkingWay(call, later)
    const way = working && checkWay(working.way, calls)
    const overcome = way && describe(way, call, failures, working.calls)
    const before = found.get(id)
    if (overcome !== undefined) found.set(id, { ...overcome, cost: costOf(overcome, before) })
    else if (before !== undefined) found.set(id, { ...before, failures: failures.length })
    for (const marked of findMarkedRules(call, later)) found.set(`rule|${marked.rule}`, describeMark(marked, call))
  })
  return [...found.values()]
}

/** Of failures that one call ended, the first one was the longest; others add up. */
const costOf = (overcome: OvercomeFailure, before: OvercomeFailure | undefined): number =>
  before === undefined
    ? overcome.cost
    : before.created === overcome.created
      ? Math.max(before.cost, overcome.cost)
      : before.cost + overcome.cost

/** Ways of one failure that are kept. */
const WAYS_MAX = 4

/**
 * The ways of one failure with what another session found, best first: those that are proven, then the one that worked
 * in most sessions, then the latest. The first is what the failure's entry says, if `isProven`.
 */
export function mergeOvercome(known: readonly KnownWay[], found: OvercomeFailure): KnownWay[] {
  const same = known.find(({ way }) => way === found.way)
  const { way, line, when, sessionsMin, created } = found
  const latest = same !== undefined && same.last > created ? same : { way, line, when, sessionsMin, last: created }
  const merged: KnownWay = { ...latest, sessions: (same?.sessions ?? 0) + 1 }
  const compare = (a: KnownWay, b: KnownWay): number =>
    Number(isProven(b)) - Number(isProven(a)) || b.sessions - a.sessions || (a.last < b.last ? 1 : -1)
  return [...known.filter((other) => other !== same), merged].sort(compare).slice(0, WAYS_MAX)
}

/** Whether a way has worked often enough to be shown. */
export const isProven = ({ sessions, sessionsMin }: KnownWay): boolean => sessions >= sessionsMin

/** The identity of a failure over sessions, `signature|subject`; undefined for one that says nothing of the project. */
export function failureId(call: CallResult): string | undefined {
  if (call.kind !== 'call.failed' || call.interrupted || !call.errorSignature || isGenericError(call.error))
    return undefined
  return `${call.errorSignature}|${subjectOf(call)}`
}

/** How the project marks a finding as intended. The failure is known by the rule, wherever the output has it. */
function describeMark({ rule, mark, edit, calls }: MarkedRule, failed: FailedCall): OvercomeFailure {
  const fragment = failed.error.includes(`(${rule})`) ? `(${rule})` : rule
  const command = commandFamily(callCommand(failed))
  return {
    line: firstLine(
      `Fix \`${rule}\`, or mark an intended case with \`${mark}\` and a reason: \`${command}\` fails with it.`,
      LINE_CHARS_MAX,
    ),
    way: `Mark \`${rule}\` with \`${mark}\``,
    when: [{ at: 'failure', tool: failed.tool, has: [fragment] }],
    signature: `rule|${rule}`,
    subject: '',
    cost: calls,
    failures: 1,
    events: [failed.id, edit.id],
    created: edit.at,
    ...contextOf(failed, edit),
    isAboutPath: false,
    sessionsMin: 1,
  }
}

/** `failures`: those with this identity until now, `failed` the last of them. */
function describe(
  way: WorkingWay,
  failed: FailedCall,
  failures: readonly FailedCall[],
  calls: number,
): OvercomeFailure | undefined {
  const action = actionOf(way, failed.tool)
  const triggers = [callTrigger(way, failed.tool), failureTrigger(way, failed)]
  const error = quoteError(failed.error)
  // That some edit helped against some error is no use to anybody.
  if (action === undefined || triggers[1] === undefined || (way.kind === 'edit' && error === NO_CLASS)) return undefined
  return {
    line: firstLine(`${action.use}: ${action.bad} ${error}.`, LINE_CHARS_MAX),
    way: action.use,
    when: triggers.filter((trigger) => trigger !== undefined),
    signature: failed.errorSignature ?? '',
    subject: subjectOf(failed),
    cost: calls,
    failures: failures.length,
    events: [...failures.map(({ id }) => id).slice(-EVENTS_MAX), way.passed.id],
    created: way.passed.at,
    ...contextOf(failed, way.passed),
    isAboutPath: way.kind === 'path',
    sessionsMin: way.isGuess ? 2 : 1,
  }
}

const contextOf = (failed: FailedCall, passed: CallResult) => ({
  ...(failed.agentId !== undefined && { agentId: failed.agentId }),
  files: [...new Set([...failed.files, ...passed.files])],
  ...(failed.commandShape !== undefined && { commandShape: failed.commandShape }),
})

/** What to do, and what failed; undefined if a name in it could be a sentence. */
function actionOf(way: WorkingWay, tool: string): { readonly use: string; readonly bad: string } | undefined {
  // The text of an edit is left out if it is not plain.
  if (
    Object.entries(way).some(([field, name]) => field !== 'text' && typeof name === 'string' && !isPlainCommand(name))
  )
    return undefined
  switch (way.kind) {
    case 'form': {
      const bad = [way.bad, way.refused ?? ''].join(' ').trim()
      return way.good === ''
        ? { use: `Use \`${way.bad}\` without \`${way.refused}\``, bad: 'it fails with' }
        : { use: `Use \`${way.good}\` instead of \`${bad}\``, bad: 'that fails with' }
    }
    case 'folder':
      return way.isLeftOut
        ? { use: `Leave out \`cd ${way.folder}\``, bad: 'the shell may be there already; it fails with' }
        : { use: `Run it from \`${way.folder}\``, bad: `\`${way.command}\` failed from another folder with` }
    case 'step':
      return { use: `Run \`${way.step}\` before \`${way.command}\``, bad: 'otherwise it fails with' }
    case 'edit': {
      const isShort = way.text !== '' && way.text.length <= EDIT_CHARS_MAX
      const text = isShort && isPlainCommand(way.text) ? ` (\`${way.text}\`)` : ''
      return { use: `${LOOK_AT}${way.file}\``, bad: `an edit of it${text} made \`${way.command}\` pass after` }
    }
    case 'path':
      return { use: `Use \`${way.good}\`, there is no \`${way.bad}\``, bad: `${tool} failed with` }
  }
}

const EDIT_CHARS_MAX = 80
const LOOK_AT = 'Look at `'

/** Whether a lesson says where an edit helped, and not what to do. */
export const namesOnlyFile = ({ content }: Pick<Memory, 'content'>): boolean => content.startsWith(LOOK_AT)

/** What systems, shells and tools call the commonest errors: a closed list, so no other words of an error are shown. */
const PHRASE = pattern(
  String.raw`\b(?:address already in use|(?:permission|access) denied|(?:command|script|module|file) not found|
    no such file or directory|(?:no|cannot find) module|connection (?:refused|timed out)|no space left on device|
    not a git repository|(?:unknown|unrecognized|illegal|invalid|unexpected) (?:flag|option|(?:sub)?command|argument)|
    syntax error|already exists|does not exist|not found|not installed|timed out|out of memory)\b`,
  'i',
)

/** The error in quotation marks, shortened, behind a common name; only its class if it speaks to its reader. */
export function quoteError(error: string, charsMax = ERROR_CHARS_MAX): string {
  const line = salientLine(error)
  if (addressesReader(line)) return errorClass(line)
  const name = errorName(line) ? '' : PHRASE.exec(line)?.[0].toLowerCase()
  return `${name ? `${name}: ` : ''}“${firstLine(quotableError(line).replace(/[“”]/g, "'"), charsMax)}”`
}

/**
 * The way, checked with the session's calls: without a trigger before the call if one that passed would have fired it.
 * Undefined for a path that a call did read.
 */
function checkWay(way: WorkingWay, calls: readonly CallResult[]): WorkingWay | undefined {
  const trigger = callTrigger(way, way.passed.tool)
  const isRefuted = trigger && calls.some((call) => isDone(call, way) && fires([trigger], callOccasion(call)))
  if (!isRefuted) return way
  return way.kind === 'path' ? undefined : { ...way, failing: [] }
}

/** A search in a folder that does not exist passes too. */
const isDone = (call: CallResult, way: WorkingWay): boolean =>
  call.kind === 'call.succeeded' && (way.kind !== 'path' || call.tool === 'Read')

/** Before the call, if it is sure that it would fail. */
function callTrigger(way: WorkingWay, tool: string): Trigger | undefined {
  if (way.failing.length === 0) return undefined
  const tools = isShellTool(tool) ? 'Bash|PowerShell' : way.kind === 'path' ? 'Read|Grep|Glob' : tool
  const has = way.failing.map(toFragment)
  const good = way.kind === 'form' ? toFragment(way.good) : ''
  const isInGood = good !== '' && has.every((part) => contains(prepareText(good), part))
  // The folder `a/b` is not the file `a/b.go`.
  const unless = way.kind === 'path' && way.bad.endsWith('/') ? [`${has[0]}.`] : isInGood ? [good] : []
  return { at: 'call', tool: tools, has, ...(unless.length > 0 && { unless }) }
}

/** The signature, if it says which error it is; else the words of the error and the call. Undefined if nothing does. */
function failureTrigger(way: WorkingWay, failed: FailedCall): Trigger | undefined {
  const signature = failed.errorSignature ?? ''
  const subject = subjectOf(failed)
  const isLong = signature.length >= SIGNATURE_CHARS_MIN
  if (!isGeneralSignature(signature) && !isLong && subject === '' && !NAMED_KINDS.has(way.kind))
    return { at: 'failure', signature }
  const text = prepareText(`${failed.error}\n${callText(failed)}`)
  const literal = toFragment(literalOf(salientLine(failed.error)))
  const names = namesOf(way, subject, failed.error).map(toFragment)
  if (names.some((name) => name === '' || !contains(text, name))) return undefined
  if (names.length === 0 && literal.length < LITERAL_CHARS_MIN) return undefined
  const has = [...new Set([...(contains(text, literal) ? [literal] : []), ...names])]
  return has.length === 0 ? undefined : { at: 'failure', tool: failed.tool, has }
}

/** Ways of which the signature says too little: many paths and files have the same. */
const NAMED_KINDS: ReadonlySet<string> = new Set(['path', 'edit'])

/** A signature that was cut: what follows in the line may differ. */
const SIGNATURE_CHARS_MIN = 120
/** An error is known by so many characters without names and numbers. */
const LITERAL_CHARS_MIN = 24

/** What the failure must name beside the words of its error. */
function namesOf(way: WorkingWay, subject: string, error: string): readonly string[] {
  switch (way.kind) {
    case 'path':
      return [way.bad.replace(/\/$/, '')]
    case 'form':
      return way.failing.length > 0 ? way.failing : [way.bad.split(' ').at(-1) ?? '']
    case 'folder':
      // “No such file or directory” alone is said by every command.
      return way.isLeftOut ? [way.folder] : isGeneralSignature(literalOf(salientLine(error))) ? [way.command] : []
    case 'edit': {
      const name = way.file.slice(way.file.lastIndexOf('/') + 1)
      return [...(error.includes(name) ? [name] : []), ...literals(subject)]
    }
    default:
      return literals(subject)
  }
}

const callText = ({ input }: FailedCall): string =>
  Object.values(input)
    .flatMap((value) => (typeof value === 'string' ? [value] : []))
    .join('\n')

/** The longest part of a line without paths, numbers and names that vary. */
const literalOf = (line: string): string =>
  replaceVariables(line)
    .split(/<\w+>|#/)
    .map((part) => part.trim())
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '')

/** The parts of a subject without names that vary; a path inside the project is the same in every session. */
const literals = (subject: string): string[] =>
  [literalOf(subject) || (isProjectPath(subject) ? subject : '')].filter((part) => part !== '')

const isProjectPath = (text: string): boolean =>
  /^(?:[a-z_.@][\w.@-]*\/)+[\w.-]+$/i.test(text) && !/\d{4}|[\da-f]{8}/i.test(text)

const toFragment = (text: string): string => text.slice(0, FRAGMENT_CHARS_MAX).trim()

/** What distinguishes failures of one signature; of a file tool that names no path in its error, the path. */
const subjectOf = (call: FailedCall): string =>
  errorSubject(call.errorSignature ?? '', call.error) ||
  (isGeneralSignature(call.errorSignature ?? '')
    ? isShellTool(call.tool)
      ? commandFamily(callCommand(call))
      : (call.files[0] ?? '')
    : '')
