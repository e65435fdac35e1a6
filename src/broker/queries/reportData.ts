// Everything that `memctl report` shows, gathered from the log, the snapshot and the learner's state. Takes no lock and
// writes nothing. Each figure is defined in docs/visible.md.
import type { AttributedRecall } from '../../improve/attribution.ts'
import { countObedience, type Obedience } from '../../knowledge/obedience.ts'
import type { EventId, MemoryId } from '../../model/id.ts'
import { isCurrent, isOfPerson, type KnowledgeFile } from '../../model/knowledge.ts'
import type { Memory, MemoryMap } from '../../model/memory.ts'
import type { RecallMoment } from '../../model/recallQuery.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { choosePeriodUnit, type PeriodUnit } from '../../text/dates.ts'
import type { Store } from '../open/openStore.ts'
import { isDoubtful, worthAtStart } from '../projection/knowledgeFile.ts'
import { listMemories } from './browse.ts'
import { type ExperimentReport, readExperimentReport } from './effectReports.ts'
import { type PolicySummary, readLearner, summarizePolicy } from './policySummary.ts'
import {
  countByPeriod,
  countFailures,
  countMoments,
  type FailureFigures,
  type HookFigures,
  type MomentFigures,
  type PeriodFigures,
  summarizeHooks,
  summarizeTokens,
  sumUse,
  type TokenFigures,
  type UseFigures,
} from './reportFigures.ts'
import { type ReportScan, type ScannedRecall, type ScannedSource, scanLog } from './reportScan.ts'
import { readStoreStatus, type StoreStatus, sumFileSizes } from './storeStatus.ts'

interface ReportOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** ISO: sessions, notes and failures before it are left out. Memories are always as of now. */
  readonly since?: string | undefined
  /** Memories with a page of their own, at most. */
  readonly pagesMax: number
  readonly withPrivate: boolean
}

export interface ReportData {
  readonly madeAt: string
  readonly since?: string | undefined
  readonly status: StoreStatus
  readonly vectorBytes: number
  /** Private memories are in the report too; else they are in no list and in no count. */
  readonly includesPrivate: boolean
  readonly unit: PeriodUnit
  readonly periods: readonly PeriodFigures[]
  readonly totals: ReportTotals
  readonly moments: readonly MomentFigures[]
  /** Over all moments. */
  readonly use: UseFigures
  readonly tokens: TokenFigures
  readonly failures: FailureFigures
  readonly experiment: ExperimentReport
  readonly obedience: Obedience
  readonly knowledge: KnowledgeLists
  readonly policy: PolicySummary
  readonly hooks: readonly HookFigures[]
  /** The summaries of sessions, the latest first. */
  readonly summaries: readonly Memory[]
  /** What sessions left open, the latest first. */
  readonly leftOpen: readonly { readonly summary: MemoryId; readonly at: string; readonly tasks: readonly string[] }[]
  /** Of the entries that hooks may show: the calls that showing them at a start is expected to save in a session. */
  readonly worths: ReadonlyMap<MemoryId, number>
  readonly pages: readonly MemoryPage[]
  readonly pagesLeftOut: number
  /** Texts of memories without a page, for references to them. */
  readonly contents: ReadonlyMap<MemoryId, string>
}

/** Entries of knowledge. What only search finds is in none of the lists. */
interface KnowledgeLists {
  /** What people want, and holds now; the latest first. */
  readonly said: readonly Memory[]
  /** What else is known, and holds now; the worthiest for a start first. */
  readonly learned: readonly Memory[]
  /** What a later entry replaced, the latest first. */
  readonly superseded: readonly Memory[]
  /** What was found to hold no longer, the latest first. */
  readonly retired: readonly Memory[]
}

interface ReportTotals {
  readonly sessions: number
  readonly prompts: number
  readonly calls: number
  readonly notes: number
  readonly sessionsWithNotes: number
  readonly events: number
  /** ISO; absent without sessions. */
  readonly first?: string | undefined
  readonly last?: string | undefined
}

/** The report as of `now`. An empty store gives empty lists. Throws STORE_NEWER and STORE_INVALID. */
export function gatherReport(store: Store, { now, since, pagesMax, withPrivate }: ReportOptions): ReportData {
  const memories = listMemories(store, { withPrivate })
  const byId = new Map(memories.map((memory) => [memory.id, memory]))
  const knowledge = listKnowledge(memories, now)
  const { said, learned, superseded, retired } = knowledge
  const summaries = memories.filter(({ kind }) => kind === 'summary').sort(latestFirst)
  const leftOpen = listLeftOpen(summaries)
  const isNamed = (memory: Memory): boolean => !isUnmet(memory)
  const named = [...said, ...learned.filter(isNamed), ...summaries, ...superseded, ...retired]
  const selected = selectPages(memories, named, pagesMax)
  const scan = scanLog(store, { since, wantedSources: listWantedSources(selected), withPrivate })
  const judged = (readLearner(store).judged ?? []).filter(({ at }) => since === undefined || at >= since)
  const [first, last] = [
    scan.sessions[0]?.started,
    scan.sessions
      .map((session) => session.last)
      .sort()
      .at(-1),
  ]
  const moments = countMoments(scan, judged)
  const unit = choosePeriodUnit(first, last)
  return {
    madeAt: new Date(now).toISOString(),
    since,
    status: readStoreStatus(store),
    vectorBytes: sumFileSizes(store, store.layout.vectors),
    includesPrivate: withPrivate,
    unit,
    periods: countByPeriod(scan, byId, unit),
    totals: sumTotals(scan, first, last),
    moments,
    use: sumUse(moments),
    tokens: summarizeTokens(scan),
    failures: countFailures(scan, byId),
    experiment: readExperimentReport(store),
    obedience: countObedience(memories),
    knowledge,
    policy: summarizePolicy(store),
    hooks: summarizeHooks(scan),
    summaries,
    leftOpen,
    worths: readWorths(store),
    pages: buildPages(selected, byId, scan, judged),
    pagesLeftOut: memories.length - selected.length,
    contents: new Map(memories.map((memory) => [memory.id, memory.knowledge?.line ?? memory.content])),
  }
}

const listLeftOpen = (summaries: readonly Memory[]) =>
  summaries
    .flatMap(({ id, leftOpen = [], updated }) =>
      leftOpen.length > 0 ? [{ summary: id, at: updated, tasks: leftOpen }] : [],
    )
    .sort((a, b) => (a.at < b.at ? 1 : -1))

const readWorths = ({ files, layout }: Store): ReadonlyMap<MemoryId, number> =>
  new Map(readJson<KnowledgeFile>(files, layout.knowledge)?.notes.map(({ id, worth }) => [id, worth]))

function listKnowledge(memories: readonly Memory[], now: number): KnowledgeLists {
  const sessionTimes = memories.flatMap(({ kind, created }) => (kind === 'summary' ? [created] : [])).sort()
  const context = { now, sessionTimes, openSessions: new Set<string>() }
  const worths = new Map<Memory, number>()
  const [said, superseded, retired]: [Memory[], Memory[], Memory[]] = [[], [], []]
  for (const memory of memories) {
    const { knowledge } = memory
    if (!knowledge) continue
    if (knowledge.state === 'retired') retired.push(memory)
    else if (memory.supersededBy !== undefined || knowledge.state === 'superseded') superseded.push(memory)
    else if (!isCurrent(knowledge) || memory.status !== 'active' || memory.searchOnly || isDoubtful(knowledge)) continue
    else if (isOfPerson(knowledge)) said.push(memory)
    else worths.set(memory, worthAtStart(memory, knowledge, context))
  }
  const byWorth = [...worths].sort(([a, x], [b, y]) => y - x || latestFirst(a, b)).map(([memory]) => memory)
  for (const list of [said, superseded, retired]) list.sort(latestFirst)
  return { said, learned: byWorth, superseded, retired }
}

/** What calls of one session have shown, and nobody wrote: it is of use only if the same failure comes again. */
export const isUnmet = ({ knowledge, help }: Memory): boolean =>
  knowledge?.author === 'rule' && knowledge.state === 'proposed' && help.shown === 0

const latestFirst = (a: Memory, b: Memory): number =>
  a.created > b.created ? -1 : a.created < b.created ? 1 : a.id < b.id ? -1 : 1

function sumTotals({ sessions, events }: ReportScan, first?: string, last?: string): ReportTotals {
  const sum = (count: 'prompts' | 'calls' | 'notes'): number =>
    sessions.reduce((total, session) => total + session[count], 0)
  return {
    sessions: sessions.length,
    prompts: sum('prompts'),
    calls: sum('calls'),
    notes: sum('notes'),
    sessionsWithNotes: sessions.filter(({ notes }) => notes > 0).length,
    events,
    first,
    last,
  }
}

// Which memories get a page in `memctl report`, and what a page says: origin, when it was shown, what followed.

export interface MemoryShowing {
  readonly at: string
  readonly session: string
  readonly moment: RecallMoment
  readonly cue: string
  /** Of an entry of knowledge at a start: the calls that it was expected to save in a session. */
  readonly score: number
  readonly withheld: boolean
  readonly blocked: boolean
  /** What came of it; absent if it is not known yet, or not kept any more. */
  readonly verdict?: { readonly used: number; readonly contribution: number; readonly traces: readonly string[] }
}

export interface MemoryPage {
  readonly memory: Memory
  /** The latest ones, newest first; `showingsLeftOut` earlier ones are not listed. */
  readonly showings: readonly MemoryShowing[]
  readonly showingsLeftOut: number
  readonly sources: readonly ScannedSource[]
  readonly successor?: MemoryId | undefined
  readonly predecessors: readonly MemoryId[]
}

/** Showings on one page. */
const SHOWINGS_MAX = 6

/**
 * The memories that a reader most probably asks about, `max` of them: `first` those that the report names, then in turn
 * from what was shown, entries, and the rest, each by importance.
 */
export function selectPages(memories: readonly Memory[], first: readonly Memory[], max: number): Memory[] {
  const selected = new Set(first.slice(0, max))
  const queues: Memory[][] = [[], [], []]
  for (const memory of memories) if (!selected.has(memory)) queues[pageGroup(memory)]?.push(memory)
  for (const queue of queues) queue.sort(byInterest)
  for (let turn = 0; selected.size < max && queues.some((queue) => turn < queue.length); turn++) {
    for (const queue of queues) {
      const memory = queue[turn]
      if (memory && selected.size < max) selected.add(memory)
    }
  }
  return [...selected]
}

function pageGroup(memory: Memory): number {
  if (memory.help.shown > 0) return 0
  return memory.kind === 'entry' ? 1 : 2
}

const byInterest = (a: Memory, b: Memory): number =>
  Math.abs(b.help.contribution) - Math.abs(a.help.contribution) ||
  b.help.shown - a.help.shown ||
  b.importance - a.importance ||
  (a.updated > b.updated ? -1 : a.updated < b.updated ? 1 : a.id < b.id ? -1 : 1)

const listWantedSources = (pages: readonly Memory[]): ReadonlySet<EventId> =>
  new Set(pages.flatMap(({ events }) => events))

/** The pages, in the order of `selected`. `judged` are the recalls with a known result. */
function buildPages(
  selected: readonly Memory[],
  memories: MemoryMap,
  { recalls, sources }: ReportScan,
  judged: readonly AttributedRecall[],
): MemoryPage[] {
  const verdicts = new Map(judged.map((recall) => [recall.recall, recall]))
  const recallsOf = new Map<MemoryId, ScannedRecall[]>(selected.map(({ id }) => [id, []]))
  for (const recall of recalls) for (const id of recall.shown) recallsOf.get(id)?.push(recall)
  const predecessorsOf = groupPredecessors(memories)
  return selected.map((memory) => {
    const shown = [...(recallsOf.get(memory.id) ?? [])].reverse()
    return {
      memory,
      showings: shown.slice(0, SHOWINGS_MAX).map((recall) => describeShowing(memory.id, recall, verdicts)),
      showingsLeftOut: Math.max(0, shown.length - SHOWINGS_MAX),
      sources: memory.events.flatMap((id) => sources.get(id) ?? []),
      successor: memory.supersededBy as MemoryId | undefined,
      predecessors: predecessorsOf.get(memory.id) ?? [],
    }
  })
}

function groupPredecessors(memories: MemoryMap): ReadonlyMap<string, MemoryId[]> {
  const groups = new Map<string, MemoryId[]>()
  for (const memory of memories.values()) {
    const successor = memory.supersededBy
    if (successor === undefined) continue
    groups.set(successor, [...(groups.get(successor) ?? []), memory.id])
  }
  return groups
}

function describeShowing(
  id: MemoryId,
  { at, session, moment, cue, shown, scores, withheld, blocked, id: recall }: ScannedRecall,
  verdicts: ReadonlyMap<EventId, AttributedRecall>,
): MemoryShowing {
  const showing = { at, session, moment, cue, score: scores[shown.indexOf(id)] ?? 0, withheld, blocked }
  const found = withheld ? undefined : verdicts.get(recall)?.memories.find(({ memory }) => memory === id)
  if (!found) return showing
  const { used, contribution } = found
  return { ...showing, verdict: { used, contribution, traces: found.traces } }
}
