// Everything that `memctl report` shows, gathered from the log, the snapshot and the learner's state. Takes no lock and
// writes nothing. Each figure is defined in docs/report.md.
import type { AttributedRecall } from '../../improve/attribution.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { isPrivate } from '../../model/privacy.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import type { LearnerState } from '../projection/projectionFiles.ts'
import { listMemories } from './browse.ts'
import { type ExperimentReport, readExperimentReport } from './experimentReport.ts'
import { type FactEntry, listFacts } from './factList.ts'
import { type PolicySummary, summarizePolicy } from './policySummary.ts'
import { countFailures, type FailureFigures } from './reportFailures.ts'
import {
  countByPeriod,
  countMoments,
  type HookFigures,
  type MomentFigures,
  summarizeHooks,
  summarizeTokens,
  type TokenFigures,
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
  /** Private memories: how many there are, and whether they are in the report. */
  readonly privateMemories: { readonly count: number; readonly included: boolean }
  readonly unit: PeriodUnit
  readonly periods: readonly PeriodFigures[]
  readonly totals: ReportTotals
  readonly moments: readonly MomentFigures[]
  readonly tokens: TokenFigures
  readonly failures: FailureFigures
  readonly experiment: ExperimentReport
  readonly facts: readonly FactEntry[]
  /** What was said to last, the latest first, superseded ones too. */
  readonly statements: readonly Memory[]
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

/** The report as of `now`. An empty store gives empty lists. Throws STORE_NEWER and STORE_INVALID. */
export function gatherReport(store: Store, { now, since, pagesMax, withPrivate }: ReportOptions): ReportData {
  const all = listMemories(store, { withPrivate: true })
  const memories = withPrivate ? all : all.filter((memory) => !isPrivate(memory))
  const byId = new Map(memories.map((memory) => [memory.id, memory]))
  const selected = selectPages(memories, pagesMax)
  const scan = scanLog(store, { since, wantedSources: listWantedSources(selected), withPrivate })
  const judged = readJudged(store).filter(({ at }) => since === undefined || at >= since)
  const [first, last] = [scan.sessions[0]?.started, scan.sessions.map((session) => session.last).sort().at(-1)]
  const unit = choosePeriodUnit(first ?? '', last ?? '')
  const byHelp = memories
    .filter(({ help }) => help.contribution !== 0)
    .sort((a, b) => b.help.contribution - a.help.contribution || (a.id < b.id ? -1 : 1))
  const isListed = ({ id }: { readonly id: MemoryId }): boolean => byId.has(id)
  return {
    madeAt: new Date(now).toISOString(),
    since,
    status: readStoreStatus(store),
    vectorBytes: sumSizes(store, store.layout.vectors),
    privateMemories: { count: all.filter(isPrivate).length, included: withPrivate },
    unit,
    periods: countByPeriod(scan, byId, unit),
    totals: sumTotals(scan, first, last),
    moments: countMoments(scan, judged),
    tokens: summarizeTokens(scan),
    failures: countFailures(scan, byId),
    experiment: readExperimentReport(store),
    facts: listFacts(store, now, { includesRetired: true }).filter(({ memory }) => isListed(memory)),
    statements: memories.filter(({ statement }) => statement !== undefined && statement.origin !== 'assistant'),
    policy: summarizePolicy(store),
    hooks: summarizeHooks(scan),
    helpful: byHelp.filter(({ help }) => help.contribution > 0).slice(0, HELP_ROWS_MAX),
    unhelpful: byHelp.filter(({ help }) => help.contribution < 0).slice(-HELP_ROWS_MAX).reverse(),
    pages: buildPages(selected, byId, scan, judged),
    pagesLeftOut: memories.length - selected.length,
    contents: new Map(memories.map(({ id, content, statement }) => [id, statement?.short ?? content])),
  }
}

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
