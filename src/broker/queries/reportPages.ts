// Which memories get a page in `memctl report`, and what a page says: what calls say of the memory, when it was shown,
// what came of each showing, and what ended it.
import type { AttributedRecall } from '../../improve/attribution.ts'
import { USED_THRESHOLD } from '../../improve/usageSignals.ts'
import type { RuleCounts, RuleObedience } from '../../knowledge/obedience.ts'
import {
  canBreak,
  isLookUp,
  judgeCalls,
  listBreaches,
  listWords,
  mayMatch,
  type PreparedCall,
  provablePart,
} from '../../knowledge/updateRecords.ts'
import { contains, fires, promptOccasion } from '../../knowledge/when.ts'
import { EDIT_TOOLS } from '../../model/event.ts'
import type { EventId, MemoryId, SessionId } from '../../model/id.ts'
import { isAboutFailures, isCurrent, type Knowledge, type Trigger } from '../../model/knowledge.ts'
import type { Memory, MemoryMap } from '../../model/memory.ts'
import { groupBy } from '../../model/sorting.ts'
import type { Ending, ReportScan, ScannedCall, ScannedRecall, ScannedSource } from './reportScan.ts'

/** A call that says something of an entry: it kept or broke the rule, or what the entry is about passed or failed. */
export interface PageCall extends Pick<ScannedCall, 'at' | 'session' | 'call' | 'text' | 'error' | 'passed'> {
  readonly isBad: boolean
}

/** The judged calls of a session before it was shown an entry, or after that: each of the two counts once. */
export interface SessionCalls {
  readonly isShown: boolean
  readonly bad: number
}

/**
 * What came of showing a note, by the first that is true: a later call of the session broke the rule, or failed as the
 * note says; one kept it, or passed; something used the note. unknown: not judged yet, or not kept any more.
 */
export type Outcome = 'broken' | 'kept' | 'failed' | 'passed' | 'used' | 'nothing' | 'unknown'

export type MemoryShowing = Readonly<ReturnType<typeof describeShowing>>

export interface MemoryPage {
  readonly memory: Memory
  /** The latest ones, newest first. */
  readonly showings: readonly MemoryShowing[]
  /** How many of all showings ended so. */
  readonly outcomes: ReadonlyMap<Outcome, number>
  /** The latest that were judged, newest first; those that broke or failed before others. */
  readonly calls: readonly PageCall[]
  /** Of all that were judged: the sessions of those that broke or failed, by call, and how many others there are. */
  readonly bad: ReadonlyMap<string, SessionId>
  readonly good: number
  /** The times of the good ones before the entry was shown in their session, newest first. */
  readonly goodUnshown: readonly string[]
  /** Of a rule: first the sessions that were shown it, the latest first. */
  readonly sessions: readonly SessionCalls[]
  readonly sources: readonly ScannedSource[]
  readonly successor?: MemoryId | undefined
  readonly predecessors: readonly MemoryId[]
  /** Of what holds no longer: the change that ended it, if the log has it. */
  readonly ending?: Ending | undefined
  /** Of the summary of a session. */
  readonly session?: SessionPart | undefined
}

export type SessionPart = Readonly<ReturnType<ReturnType<typeof describeSessions>>>

/** Calls on one page: those that broke the rule or failed, and the others. */
const [BAD_CALLS_MAX, GOOD_CALLS_MAX] = [10, 6]
/** Showings on one page, and of one session; calls of one session. */
const SHOWINGS_MAX = 6
const SESSION_SHOWINGS_MAX = 20
const SESSION_FAILURES_MAX = 10

/** The memories with a page, `max` of them: `first` those that the report names, then what was shown. */
export function selectPages(memories: readonly Memory[], first: readonly Memory[], max: number): Memory[] {
  const shown = memories.filter(({ help }) => help.shown > 0).sort((a, b) => b.help.shown - a.help.shown)
  return [...new Set([...first, ...shown])].slice(0, max)
}

/** The pages, in the order of `selected`. `judged` are the recalls with a known result. */
export function buildPages(
  selected: readonly Memory[],
  memories: MemoryMap,
  scan: ReportScan,
  judged: readonly AttributedRecall[],
): MemoryPage[] {
  const callsOf = judgeMemories(selected, scan)
  const context = {
    verdicts: new Map(judged.map((recall) => [recall.recall, recall])),
    calls: new Map(scan.calls.map((call) => [call.call, call])),
  }
  const showings = scan.recalls.flatMap((recall) =>
    recall.shown.flatMap((id) => {
      const memory = memories.get(id)
      const judgedCalls = isUnproven(memory?.knowledge) ? [] : (callsOf.get(id) ?? [])
      // A replay plays sessions that overlapped one after the other.
      const isKnown = memory !== undefined && heldAt(memory, recall.at, scan)
      return isKnown ? describeShowing(memory, recall, { ...context, judged: judgedCalls }) : []
    }),
  )
  const describeSession = describeSessions(scan, memories, showings)
  const ofMemory = groupBy(showings, ({ memory }) => memory)
  const predecessorsOf = groupBy([...memories.values()], ({ supersededBy }) => supersededBy)
  return selected.map((memory) => {
    const own = ofMemory.get(memory.id) ?? []
    const calls = (callsOf.get(memory.id) ?? []).toSorted((a, b) => (a.at < b.at ? 1 : -1))
    const [bad, good] = [calls.filter(({ isBad }) => isBad), calls.filter(({ isBad }) => !isBad)]
    return {
      memory,
      showings: own.slice(-SHOWINGS_MAX).reverse(),
      outcomes: new Map([...groupBy(own, ({ outcome }) => outcome)].map(([outcome, list]) => [outcome, list.length])),
      calls: [...bad.slice(0, BAD_CALLS_MAX), ...good.slice(0, GOOD_CALLS_MAX)],
      bad: new Map(bad.map(({ call, session }) => [call, session])),
      good: good.length,
      goodUnshown: good.filter((call) => !isAfterShowing(call, own)).map(({ at }) => at),
      sessions: memory.knowledge && isAboutFailures(memory.knowledge) ? [] : groupSessions(calls, own),
      sources: memory.events.flatMap((id) => scan.sources.get(id) ?? []),
      successor: memory.supersededBy as MemoryId | undefined,
      predecessors: (predecessorsOf.get(memory.id) ?? []).map(({ id }) => id),
      ending: scan.endings.get(memory.id),
      session: memory.kind === 'summary' && memory.session ? describeSession(memory.session) : undefined,
    }
  })
}

/** Whether calls are about a rule, and none of them alone proves that it was kept or broken. */
export const isUnproven = (knowledge: Knowledge | undefined): boolean =>
  knowledge?.type === 'rule' && canBreak(knowledge) && !canBreak(provablePart(knowledge))

/** Whether the rule is a ban that calls alone prove: it is kept as long as none such is made. */
export const isBan = (knowledge: Knowledge): boolean =>
  !isAboutFailures(knowledge) && listBreaches(provablePart(knowledge)).some(({ unless = [] }) => unless.length === 0)

/** A note at a call came after that call was written. */
const isAfterShowing = ({ session, at, call }: PageCall, shown: readonly MemoryShowing[]): boolean =>
  shown.some(({ recall }) => recall.session === session && recall.at < at && recall.call !== call)

/** Whether the entry was said or learned at this time, and no change had ended it. */
const heldAt = ({ id, created, knowledge, supersededBy }: Memory, at: string, { endings }: Endings): boolean =>
  at >= created &&
  ((supersededBy === undefined && (!knowledge || isCurrent(knowledge))) || at <= (endings.get(id)?.at ?? at))

type Endings = Pick<ReportScan, 'endings'>

function groupSessions(calls: readonly PageCall[], shown: readonly MemoryShowing[]): SessionCalls[] {
  return [true, false].flatMap((is) => {
    const own = groupBy(
      calls.filter((call) => isAfterShowing(call, shown) === is),
      ({ session }) => session,
    )
    return [...own.values()].map((list) => ({ isShown: is, bad: list.filter(({ isBad }) => isBad).length }))
  })
}

/** The sessions that kept and broke a rule, before one was shown it and after that. */
export function countSessions(sessions: readonly SessionCalls[]): RuleObedience {
  const count = (isShown: boolean): RuleCounts => {
    const own = sessions.filter((session) => session.isShown === isShown)
    const broken = own.filter(({ bad }) => bad > 0).length
    return { kept: own.length - broken, broken }
  }
  return { before: count(false), since: count(true) }
}

function describeSessions({ sessions, calls }: ReportScan, memories: MemoryMap, showings: readonly MemoryShowing[]) {
  const counts = new Map(sessions.map((session) => [session.id, session]))
  const shownIn = groupBy(showings, ({ recall }) => recall.session)
  const failedIn = groupBy(calls, ({ session, failure }) => failure && session)
  // What nobody has written is of use only if it is met again.
  const taughtIn = groupBy([...memories.values()], ({ session, knowledge }) => knowledge?.author !== 'rule' && session)
  return (session: SessionId) => ({
    counts: counts.get(session),
    /** What it was shown, in its order. */
    showings: (shownIn.get(session) ?? []).slice(0, SESSION_SHOWINGS_MAX),
    /** The latest calls that failed. */
    failed: (failedIn.get(session) ?? []).slice(-SESSION_FAILURES_MAX),
    /** What was said and learned in it. */
    knowledge: (taughtIn.get(session) ?? []).flatMap(({ id, knowledge }) => (knowledge ? id : [])),
  })
}

/**
 * The calls that say something of each entry, session by session, by its triggers of today; of a rule, only while it
 * held.
 */
function judgeMemories(memories: readonly Memory[], { calls, endings }: ReportScan): Map<MemoryId, PageCall[]> {
  const found = new Map<MemoryId, (PageCall & { readonly prepared: PreparedCall })[]>()
  // A command that looks for the words of an entry does not do what it is about.
  const reads = ({ prepared }: { readonly prepared: PreparedCall }): boolean => isLookUp(prepared.occasion)
  const entries = memories.flatMap((memory) => {
    const { knowledge } = memory
    const judged =
      knowledge && (isAboutFailures(knowledge) || isUnproven(knowledge) ? knowledge : provablePart(knowledge))
    return judged && (isAboutFailures(judged) || canBreak(judged)) ? [{ ...memory, knowledge: judged }] : []
  })
  for (const session of groupBy(calls, (call) => call.session).values()) {
    const prepared = session.flatMap((call) => (call.prepared ? [{ ...call, prepared: call.prepared }] : []))
    const words = listWords(prepared.flatMap(({ prepared: { occasion, failure } }) => failure ?? occasion))
    for (const memory of entries) {
      const { id, privacy, role, knowledge } = memory
      if (!knowledge.when.some((trigger) => mayMatch(trigger, words))) continue
      const own = prepared.filter((call) => privacy === 'public' || call.prepared.role === role)
      const each = own.map((call) => call.prepared)
      const judged = judgeCalls(knowledge, each).flatMap(({ verdict }, i) => {
        const [call, isBad] = [own[i], verdict === 'bad']
        if (!call || !verdict || !saysSomething(knowledge, call.prepared, isBad)) return []
        if (!isAboutFailures(knowledge) && !heldAt(memory, call.at, { endings })) return []
        return [{ ...call, text: matchedPart(call.text, knowledge.when), isBad }]
      })
      found.set(id, [...(found.get(id) ?? []), ...judged])
    }
  }
  // Where nothing has ever failed, a call that passed says nothing, nor does one that reads where none such failed.
  for (const { id, knowledge } of entries) {
    const bad = found.get(id)?.filter(({ isBad }) => isBad) ?? []
    if (!isAboutFailures(knowledge)) continue
    if (bad.length === 0) found.delete(id)
    else if (!bad.some(reads)) found.set(id, found.get(id)?.filter((call) => call.isBad || !reads(call)) ?? [])
  }
  return found
}

/**
 * Whether a judged call is what an entry about failures is about. An edit that failed or passed says nothing of what it
 * wrote, unless the entry is about the error of edits. A call that passed, or had an error that many commands have, has
 * to have the words of a trigger at calls.
 */
function saysSomething({ type, when }: Pick<Knowledge, 'type' | 'when'>, call: PreparedCall, isBad: boolean): boolean {
  if (!isAboutFailures({ type })) return true
  const { tool, occasion, failure } = call
  if (EDIT_TOOLS.has(tool)) return when.some(({ at }) => at === 'failure')
  const clear = when.filter(({ at, signature }) => at !== 'call' && !signature)
  if (isBad && failure && (fires(clear, failure) || !when.some(({ at }) => at === 'call'))) return true
  const { text, command = text } = occasion
  const isNamed = (part: string): boolean => distinctWords(part).every((word) => contains(command, word))
  return when.some(({ at, has = [] }) => at === 'call' && has.length > 0 && has.every(isNamed))
}

/** Of `npm install` the second: `pnpm install` is such a call, too. */
const distinctWords = (fragment: string): readonly string[] =>
  fragment.replace(/^\S+ /, '').match(/\w{3,}\*?/g) ?? fragment.match(/\w{3,}\*?/g) ?? [fragment]

/** Characters before a match from which a call is shown from there on. */
const BEFORE_MATCH_MAX = 40

/** The text of a call, from the command on in which a fragment of a trigger is. */
function matchedPart(text: string, when: readonly Trigger[]): string {
  const fragments = when.flatMap(({ at, has = [], unless = [] }) => (at === 'prompt' ? [] : [...has, ...unless]))
  const places = fragments.map((part) => text.toLowerCase().indexOf(part.replace(/^\*|\*$/g, '').toLowerCase()))
  const before = text.slice(0, places.find((place) => place >= 0) ?? 0)
  const command = /(?:^|[;&|] )(?!.*[;&|] )(.*)$/.exec(before)?.[1] ?? ''
  const start = before.length - Math.min(command.length, BEFORE_MATCH_MAX)
  return start > BEFORE_MATCH_MAX ? `${text.split(' ')[0]} … ${text.slice(start)}` : text
}

interface ShowingContext {
  readonly verdicts: ReadonlyMap<EventId, AttributedRecall>
  readonly calls: ReadonlyMap<string, ScannedCall>
  /** The calls that say something of the memory. */
  readonly judged: readonly PageCall[]
}

function describeShowing(memory: Memory, recall: ScannedRecall, context: ShowingContext) {
  const { at, session, shown, scores } = recall
  const found = context.verdicts.get(recall.id)?.memories.find((result) => result.memory === memory.id)
  // The note came after its own call was written.
  const after = context.judged.filter((call) => call.session === session && call.at > at && call.call !== recall.call)
  const by = after.find(({ isBad }) => isBad) ?? after[0]
  const triggers = (memory.knowledge?.when ?? []).filter((trigger) => isFiring(trigger, recall, context))
  return {
    memory: memory.id,
    recall,
    /** Of an entry of knowledge at a start: the calls that it was expected to save in a session. */
    score: scores[shown.indexOf(memory.id)] ?? 0,
    /** Those that fired; none at a start, and where the call only works with what it is about. */
    triggers: triggers as readonly Trigger[],
    outcome: decideOutcome(memory, by, found?.used),
    /** The call that decided the outcome; undefined if none did. */
    by,
  }
}

function decideOutcome({ knowledge }: Memory, by: PageCall | undefined, used: number | undefined): Outcome {
  if (knowledge && by)
    return isAboutFailures(knowledge) ? (by.isBad ? 'failed' : 'passed') : by.isBad ? 'broken' : 'kept'
  return used === undefined ? 'unknown' : used >= USED_THRESHOLD ? 'used' : 'nothing'
}

function isFiring(trigger: Trigger, { moment, call, cue }: ScannedRecall, { calls }: ShowingContext): boolean {
  if (moment === 'prompt') return fires([trigger], promptOccasion(cue))
  const prepared = call === undefined ? undefined : calls.get(call)?.prepared
  if (!prepared) return false
  const { occasion, failure } = prepared
  return fires([trigger], occasion) || (failure !== undefined && fires([trigger], failure))
}
