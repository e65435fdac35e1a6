// Everything that `memctl report` shows, gathered from the log, the snapshot and the learner's state. Takes no lock and
// writes nothing. Each figure is defined in docs/visible.md.
import type { AttributedRecall } from '../../improve/attribution.ts'
import { countObedience, type Obedience } from '../../knowledge/obedience.ts'
import type { MemoryId } from '../../model/id.ts'
import { isCurrent, isOfPerson } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { worthAtStart } from '../projection/knowledgeFile.ts'
import type { LearnerState } from '../projection/projectionFiles.ts'
import { listMemories } from './browse.ts'
import { type ExperimentReport, readExperimentReport } from './experimentReport.ts'
import { type PolicySummary, summarizePolicy } from './policySummary.ts'
import { countFailures, type FailureFigures } from './reportFailures.ts'
import {
  countByPeriod,
  countMoments,
  type HookFigures,
  type MomentFigures,
  summarizeHooks,
  summarizeTokens,
  sumUse,
  type TokenFigures,
  type UseFigures,
} from './reportFigures.ts'
import { buildPages, listWantedSources, type MemoryPage, selectPages } from './reportMemories.ts'
import { choosePeriodUnit, type PeriodFigures, type PeriodUnit } from './reportPeriods.ts'
import { type ReportScan, scanLog } from './reportScan.ts'
import { readStoreStatus, type StoreStatus } from './storeStatus.ts'

export interface ReportOptions {
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
  /** Memories with a contribution above 0, the greatest first; and those below 0, the least first. */
  readonly helpful: readonly Memory[]
  readonly unhelpful: readonly Memory[]
  readonly pages: readonly MemoryPage[]
  readonly pagesLeftOut: number
  /** Texts of memories without a page, for references to them. */
  readonly contents: ReadonlyMap<MemoryId, string>
}

/** Entries of knowledge. What only search finds is in none of the lists. */
export interface KnowledgeLists {
  /** What people want, and holds now; the latest first. */
  readonly said: readonly Memory[]
  /** What else is known, and holds now; the worthiest for a start first. */
  readonly learned: readonly Memory[]
  /** What a later entry replaced, the latest first. */
  readonly superseded: readonly Memory[]
  /** How many were found to hold no longer. */
  readonly retired: number
}

export interface ReportTotals {
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

/** Rows in a list of the most and the least helpful memories. */
const HELP_ROWS_MAX = 10

/** Entries of knowledge that are named in a list: these have pages before others. */
export const NAMED_MAX = 40

/** The report as of `now`. An empty store gives empty lists. Throws STORE_NEWER and STORE_INVALID. */
export function gatherReport(store: Store, { now, since, pagesMax, withPrivate }: ReportOptions): ReportData {
  const memories = listMemories(store, { withPrivate })
  const byId = new Map(memories.map((memory) => [memory.id, memory]))
  const knowledge = listKnowledge(store, memories, now)
  const byHelp = memories
    .filter(({ help }) => help.contribution !== 0)
    .sort((a, b) => b.help.contribution - a.help.contribution || (a.id < b.id ? -1 : 1))
  const helpful = byHelp.filter(({ help }) => help.contribution > 0).slice(0, HELP_ROWS_MAX)
  const unhelpful = byHelp
    .filter(({ help }) => help.contribution < 0)
    .slice(-HELP_ROWS_MAX)
    .reverse()
  const obedience = countObedience(memories)
  const rules = obedience.rules.map(({ memory }) => memory)
  const named = [rules, knowledge.said, knowledge.learned].flatMap((list) => list.slice(0, NAMED_MAX))
  const selected = selectPages(memories, [...new Set([...helpful, ...unhelpful, ...named])], pagesMax)
  const scan = scanLog(store, { since, wantedSources: listWantedSources(selected), withPrivate })
  const judged = readJudged(store).filter(({ at }) => since === undefined || at >= since)
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
    vectorBytes: sumSizes(store, store.layout.vectors),
    includesPrivate: withPrivate,
    unit,
    periods: countByPeriod(scan, byId, unit),
    totals: sumTotals(scan, first, last),
    moments,
    use: sumUse(moments),
    tokens: summarizeTokens(scan),
    failures: countFailures(scan, byId),
    experiment: readExperimentReport(store),
    obedience,
    knowledge,
    policy: summarizePolicy(store),
    hooks: summarizeHooks(scan),
    helpful,
    unhelpful,
    pages: buildPages(selected, byId, scan, judged),
    pagesLeftOut: memories.length - selected.length,
    contents: new Map(memories.map((memory) => [memory.id, memory.knowledge?.line ?? memory.content])),
  }
}

function listKnowledge(store: Store, memories: readonly Memory[], now: number): KnowledgeLists {
  const { policy } = readActivePolicy(store)
  const sessionTimes = memories.flatMap(({ kind, created }) => (kind === 'summary' ? [created] : []))
  const context = { now, numbers: policy.knowledge, sessionTimes, openSessions: new Set<string>() }
  const worths = new Map<Memory, number>()
  const [said, superseded]: [Memory[], Memory[]] = [[], []]
  let retired = 0
  for (const memory of memories) {
    const { knowledge } = memory
    if (!knowledge) continue
    if (knowledge.state === 'retired') retired++
    else if (memory.supersededBy !== undefined || knowledge.state === 'superseded') superseded.push(memory)
    else if (!isCurrent(knowledge) || memory.status !== 'active' || memory.searchOnly) continue
    else if (isOfPerson(knowledge)) said.push(memory)
    else worths.set(memory, worthAtStart(memory, knowledge, context))
  }
  const byWorth = [...worths].sort(([a, x], [b, y]) => y - x || latestFirst(a, b)).map(([memory]) => memory)
  return { said: said.sort(latestFirst), learned: byWorth, superseded: superseded.sort(latestFirst), retired }
}

const latestFirst = (a: Memory, b: Memory): number =>
  a.created > b.created ? -1 : a.created < b.created ? 1 : a.id < b.id ? -1 : 1

/** The recalls with a known result that are kept: the latest ones. */
function readJudged({ files, layout }: Store): readonly AttributedRecall[] {
  const { generation } = readManifest(files, layout)
  return readJson<Partial<LearnerState>>(files, layout.work(generation))?.judged ?? []
}

const sumSizes = ({ files }: Store, folder: string): number =>
  files.list(folder).reduce((sum, name) => sum + (files.size(`${folder}/${name}`) ?? 0), 0)

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
