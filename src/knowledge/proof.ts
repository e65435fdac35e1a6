// The proof of an entry: its triggers over the calls that the project's log has. A trigger that misses the call it is
// about, or fires at too many others, is not kept.
import { type CallResult, EDIT_TOOLS } from '../model/event.ts'
import type { EventId, SessionId } from '../model/id.ts'
import {
  isAboutFailures,
  isOfPerson,
  type Knowledge,
  type KnowledgeRecord,
  TRIGGERS_MAX,
  type Trigger,
} from '../model/knowledge.ts'
import type { KnowledgePolicy } from '../model/policy.ts'
import { groupBy } from '../model/sorting.ts'
import { errorSubject, isGeneralSignature, isGenericError } from '../text/errorSignature.ts'
import { revealFailure } from '../text/hiddenFailure.ts'
import { breaksRule } from './updateRecords.ts'
import {
  callOccasion,
  EARLIER_CALLS_MAX,
  failureOccasion,
  fires,
  isDoneBefore,
  matchTrigger,
  type Occasion,
} from './when.ts'

/** One call of the log. */
export interface ProvenCall extends Pick<CallResult, 'id' | 'at' | 'session'> {
  readonly call: Occasion
  /** Of a failed call. */
  readonly failure?: Occasion | undefined
  /** The signature, if it says which error it is; that of a check is the same for all that the check finds. */
  readonly signature?: string | undefined
}

/** A finished call as it is compared with triggers. One with a failure that a pipe has hidden has failed. */
export function provenCall(event: CallResult): ProvenCall {
  const { id, at, session } = event
  const shown = revealFailure(event)
  const isFailure = shown.kind === 'call.failed' && !shown.interrupted
  const failure = isFailure ? failureOccasion(shown, shown.error, shown.errorSignature) : undefined
  const signature = isFailure && !isGenericError(shown.error) ? shown.errorSignature : undefined
  const isSpecific = signature !== undefined && isFailure && errorSubject(signature, shown.error) === ''
  return { id, at, session, call: callOccasion(event), ...(failure && { failure }), ...(isSpecific && { signature }) }
}

/** When a trigger holds. */
export type ProofNumbers = Pick<KnowledgePolicy, 'firingShareMax' | 'firingFailMin'>

/** Why a trigger was not kept. */
type ProofFailure = 'misses the calls that it cites' | 'fires at too many calls' | 'fires where nothing fails'

/** Firings from which on shares are compared: fewer say nothing. */
const FIRINGS_MIN = 4
/** Sessions of a record, the latest ones. */
const SESSIONS_MAX = 8

/**
 * Runs an entry's triggers over the calls of the log, oldest first. `cited` are the failed calls that the entry rests
 * on: a trigger for calls or failures has to fire at one of them, and their signature becomes a trigger too.
 */
export function proveKnowledge(
  given: Knowledge,
  calls: readonly ProvenCall[],
  cited: ReadonlySet<EventId>,
  numbers: ProofNumbers,
) {
  const citedCalls = calls.filter(({ id, failure }) => failure !== undefined && cited.has(id))
  // When each session last met what it is about, as far as that is known before its triggers are proven.
  const lastMet = new Map<SessionId, string>()
  for (const call of calls)
    if (citedCalls.includes(call) || (call.failure && fires(given.when, call.failure)))
      lastMet.set(call.session, call.at)
  // An edit fails nothing itself: a later check refuses what it wrote.
  const isFollowed = ({ call, at, session }: ProvenCall): boolean =>
    EDIT_TOOLS.has(call.tool ?? '') && at < (lastMet.get(session) ?? '')
  const failed: { trigger: Trigger; why: ProofFailure }[] = []
  const firings = new Set<ProvenCall>()
  const kept = new Set<ProvenCall>()
  const holds = (trigger: Trigger): boolean => {
    if (trigger.at !== 'call' && trigger.at !== 'failure') return true
    const run = runTrigger(trigger, calls)
    const why = judgeRun(run, { calls, citedCalls, numbers, isOfPerson: isOfPerson(given), isFollowed })
    if (why !== undefined) failed.push({ trigger, why })
    else {
      for (const call of run.fired) firings.add(call)
      for (const call of run.kept) kept.add(call)
    }
    return why === undefined
  }
  const when = [...given.when, ...signatureTriggers(given, citedCalls)].slice(0, TRIGGERS_MAX).filter(holds)
  // What a rule wants first came in an earlier call, as in each session from then on.
  const listBefore = textsBefore(calls)
  for (const call of isAboutFailures(given) ? [] : firings) {
    if (!isDoneBefore({ line: given.line, when }, () => listBefore(call))) continue
    firings.delete(call)
    kept.add(call)
  }
  const log = { calls: calls.length, kept: [...kept], isFollowed }
  return { knowledge: withRecord({ ...given, when }, [...firings], log), failed }
}

/** What its session did before a call. The calls are sorted into sessions at the first question. */
function textsBefore(calls: readonly ProvenCall[]): (call: ProvenCall) => string[] {
  let sessions: Map<SessionId, ProvenCall[]> | undefined
  return (call) => {
    sessions ??= groupBy(calls, ({ session }) => session)
    const own = sessions.get(call.session) ?? []
    const at = own.indexOf(call)
    return own.slice(Math.max(0, at - EARLIER_CALLS_MAX), at).map((earlier) => earlier.call.text)
  }
}

type TriggerRun = ReturnType<typeof runTrigger>

function runTrigger(trigger: Trigger, calls: readonly ProvenCall[]) {
  const fired: ProvenCall[] = []
  const kept: ProvenCall[] = []
  for (const call of calls) {
    const occasion = trigger.at === 'failure' ? call.failure : call.call
    const match = occasion && matchTrigger(trigger, occasion)
    if (match === 'fires') fired.push(call)
    else if (match === 'keeps') kept.push(call)
  }
  return { fired, kept }
}

interface RunContext {
  readonly calls: readonly ProvenCall[]
  readonly citedCalls: readonly ProvenCall[]
  readonly numbers: ProofNumbers
  readonly isOfPerson: boolean
  /** Whether a failure that the entry is about comes after this edit, in the same session. */
  readonly isFollowed: (edit: ProvenCall) => boolean
}

function judgeRun({ fired }: TriggerRun, context: RunContext): ProofFailure | undefined {
  const { calls, citedCalls, numbers, isFollowed } = context
  if (citedCalls.length > 0 && !fired.some((call) => citedCalls.includes(call) || isFollowed(call)))
    return 'misses the calls that it cites'
  if (fired.length < FIRINGS_MIN) return undefined
  const failures = fired.filter((call) => call.failure !== undefined || isFollowed(call)).length
  // In a project with few calls, many may be about it: then each of them fails.
  if (failures < fired.length && fired.length > numbers.firingShareMax * calls.length) return 'fires at too many calls'
  // A call that breaks what a person wants need not fail.
  if (context.isOfPerson) return undefined
  return failures < numbers.firingFailMin * fired.length ? 'fires where nothing fails' : undefined
}

/** A failure that a lesson or fact is about is known again by its signature, if that says which error it is. */
function signatureTriggers({ type, when }: Knowledge, cited: readonly ProvenCall[]): Trigger[] {
  if (type !== 'lesson' && type !== 'fact') return []
  const known = new Set(when.map(({ signature }) => signature))
  // Of several failures that an entry cites, those that it is about: its own triggers fire there.
  const own = when.filter(({ at, tool = '' }) => at === 'failure' || (at === 'call' && !EDIT_TOOLS.has(tool)))
  const about = own.length === 0 && type === 'lesson' ? cited : cited.filter((call) => firesAt(own, call))
  const signatures = about.flatMap(({ signature = '' }) => (known.has(signature) ? [] : [signature]))
  return [...new Set(signatures)]
    .filter((signature) => signature !== '' && !isGeneralSignature(signature))
    .map((signature) => ({ at: 'failure', signature }))
}

/** Sessions before anyone was shown the rule: one in which it was broken has not kept it. */
function countBefore(
  broken: readonly ProvenCall[],
  kept: readonly ProvenCall[],
): Pick<KnowledgeRecord, 'keptBefore' | 'brokenBefore'> {
  const breaking = new Set(broken.map(({ session }) => session))
  const keeping = new Set(kept.map(({ session }) => session).filter((session) => !breaking.has(session)))
  return { keptBefore: keeping.size, brokenBefore: breaking.size }
}

/** Whether one of the triggers fires at a call, or at its failure. */
export const firesAt = (when: readonly Trigger[], { call, failure }: ProvenCall): boolean =>
  fires(when, call) || (failure !== undefined && fires(when, failure))

/** The record of an entry that was just proven. */
function withRecord(
  given: Knowledge,
  firings: readonly ProvenCall[],
  log: Pick<RunContext, 'isFollowed'> & { readonly calls: number; readonly kept: readonly ProvenCall[] },
): Knowledge {
  const { record } = given
  const failures = firings.filter(({ failure }) => failure !== undefined)
  // A failure of a rule's call says nothing about the rule.
  const met = isAboutFailures(given) ? failures : firings.filter(({ call }) => breaksRule(given, call))
  const sessions = [...new Set([...met.map(({ session }) => session), ...record.sessions])]
  const lastMet = met.reduce((latest, { at }) => (at > latest ? at : latest), record.lastMet)
  return {
    ...given,
    state: new Set(met.map(({ session }) => session)).size > 1 ? 'standing' : given.state,
    record: {
      ...record,
      calls: log.calls,
      fired: firings.length,
      failed: met.length + firings.filter((call) => !met.includes(call) && log.isFollowed(call)).length,
      met: Math.max(record.met, new Set(met.map(({ session }) => session)).size),
      sessions: sessions.slice(-SESSIONS_MAX),
      lastMet,
      ...(isOfPerson(given) && countBefore(met, log.kept)),
    },
  }
}
