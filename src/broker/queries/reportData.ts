// Everything that `memctl report` shows, gathered from the log, the snapshot and the learner's state. Takes no lock and
// writes nothing. Each figure is defined in docs/visible.md.
import { sameSubjectFinder } from '../../knowledge/compareRules.ts'
import { fires, type Occasion } from '../../knowledge/when.ts'
import type { EventKind } from '../../model/event.ts'
import type { EventId, MemoryId } from '../../model/id.ts'
import { isAboutFailures, isCurrent, isOfPerson, type KnowledgeFile } from '../../model/knowledge.ts'
import type { Memory, MemoryMap } from '../../model/memory.ts'
import { compareValues, groupBy } from '../../model/sorting.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { isGeneralSignature, isGenericError } from '../../text/errorSignature.ts'
import type { Store } from '../open/openStore.ts'
import { isDoubtful, worthAtStart } from '../projection/knowledgeFile.ts'
import { readLearner } from '../projection/projectionFiles.ts'
import { listMemories } from './browse.ts'
import { readExperimentReport } from './effectReports.ts'
import { buildPages, type MemoryPage, type Outcome, selectPages } from './reportPages.ts'
import { type ReportScan, type ScannedCall, type ScannedSession, scanLog } from './reportScan.ts'
import { readStoreStatus } from './storeStatus.ts'

interface ReportOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** ISO: sessions, notes and failures before it are left out. Memories are always as of now. */
  readonly since?: string | undefined
  /** Memories with a page of their own, at most. */
  readonly pagesMax: number
  readonly withPrivate: boolean
}

export type ReportData = ReturnType<typeof gatherReport>

/** The report as of `now`. An empty store gives empty lists. Throws STORE_NEWER and STORE_INVALID. */
export function gatherReport(store: Store, { now, since, pagesMax, withPrivate }: ReportOptions) {
  const memories = listMemories(store, { withPrivate })
  const byId = new Map(memories.map((memory) => [memory.id, memory]))
  const knowledge = listKnowledge(memories)
  const summaries = memories.filter(({ kind }) => kind === 'summary').sort(latestFirst)
  const selected = selectPages(memories, [...summaries, ...listEntries(knowledge)], pagesMax)
  const wantedSources: ReadonlySet<EventId> = new Set(selected.flatMap(({ events }) => events))
  const scan = scanLog(store, { since, wantedSources, withPrivate })
  const judged = (readLearner(store).judged ?? []).filter(({ at }) => since === undefined || at >= since)
  const pages = buildPages(selected, byId, scan, judged)
  return {
    madeAt: new Date(now).toISOString(),
    since,
    status: readStoreStatus(store),
    /** Private memories are in the report too; else they are in no list and in no count. */
    includesPrivate: withPrivate,
    totals: sumTotals(scan.sessions),
    /** Errors that several sessions have met and no entry is about. */
    recurring: listRecurring(scan.calls, byId),
    experiment: readExperimentReport(store),
    knowledge,
    /** For each entry that holds the first one about its subject, which may be itself. */
    subjects: groupSubjects([...knowledge.said, ...knowledge.learned]),
    /** Milliseconds. */
    hooks: summarizeHooks(scan),
    /** The summaries of sessions, the latest first. */
    summaries,
    sessions: new Map(scan.sessions.map((session) => [session.id, session])),
    /** The part of a session on a day, by "session 2026-03-02". */
    days: scan.days,
    reading: scan.reading,
    /** Of the entries that hooks may show: the calls that showing them at a start is expected to save in a session. */
    worths: readWorths(store),
    pages,
    pagesLeftOut: memories.length - selected.length,
    /** Texts of memories without a page, for references to them. */
    contents: new Map(memories.map((memory) => [memory.id, memory.knowledge?.line ?? memory.content])),
  }
}

export const listEntries = ({ said, learned, superseded, retired }: ReturnType<typeof listKnowledge>): Memory[] =>
  [said, learned.filter((memory) => !isUnmet(memory)), superseded, retired].flat()

/** What came of all showings. */
export function sumOutcomes(pages: readonly MemoryPage[]): ReadonlyMap<Outcome, number> {
  const sums = new Map<Outcome, number>()
  for (const { outcomes } of pages)
    for (const [outcome, count] of outcomes) sums.set(outcome, (sums.get(outcome) ?? 0) + count)
  return sums
}

const readWorths = ({ files, layout }: Store): ReadonlyMap<MemoryId, number> =>
  new Map(readJson<KnowledgeFile>(files, layout.knowledge)?.notes.map(({ id, worth }) => [id, worth]))

/** Entries of knowledge. What only search finds is in none of the lists. */
function listKnowledge(memories: readonly Memory[]) {
  const sessionTimes = memories.flatMap(({ kind, created }) => (kind === 'summary' ? [created] : [])).sort()
  const context = { sessionTimes, openSessions: new Set<string>() }
  const worths = new Map<Memory, number>()
  const [said, superseded, retired]: [Memory[], Memory[], Memory[]] = [[], [], []]
  for (const memory of memories) {
    const { knowledge } = memory
    if (!knowledge && isStored(memory)) worths.set(memory, 0)
    if (!knowledge) continue
    if (knowledge.state === 'retired' || memory.supersededBy !== undefined || knowledge.state === 'superseded') {
      // What no session has seen has misled nobody.
      const list = knowledge.state === 'retired' ? retired : superseded
      if (knowledge.author !== 'rule' || memory.help.shown > 0) list.push(memory)
    } else if (!isCurrent(knowledge) || memory.status !== 'active' || memory.searchOnly || isDoubtful(knowledge))
      continue
    else if (isOfPerson(knowledge)) said.push(memory)
    else worths.set(memory, worthAtStart(memory, knowledge, context))
  }
  const byWorth = [...worths].sort(([a, x], [b, y]) => y - x || latestFirst(a, b)).map(([memory]) => memory)
  for (const list of [said, superseded, retired]) list.sort(latestFirst)
  return {
    /** What people want, and holds now; the latest first. */
    said,
    /** What else is known, and holds now; the worthiest for a start first. */
    learned: byWorth,
    /** What a later entry replaced, the latest first. */
    superseded,
    /** What was found to hold no longer, the latest first. */
    retired,
  }
}

/** Not derived from events: somebody stored it on purpose, for sessions to come. */
const isStored = ({ kind, events, status, searchOnly }: Memory): boolean =>
  kind !== 'summary' && events.length === 0 && status === 'active' && searchOnly !== true

/** What calls of one session have shown, and nobody wrote: it is of use only if the same failure comes again. */
export const isUnmet = ({ knowledge, help }: Memory): boolean =>
  knowledge?.author === 'rule' && knowledge.state === 'proposed' && help.shown === 0

const latestFirst = (a: Memory, b: Memory): number => compareValues(b.created, a.created) || compareValues(a.id, b.id)

const sumTotals = (sessions: readonly ScannedSession[]) => ({
  sessions: sessions.length,
  /** That hooks recorded: an imported or replayed one did not see its notes. */
  timed: sessions.filter(({ isTimed }) => isTimed).length,
  notes: sessions.reduce((total, { notes }) => total + notes, 0),
  sessionsWithNotes: sessions.filter(({ notes }) => notes > 0).length,
  /** Of notes. */
  tokens: sessions.reduce((total, { tokens }) => total + tokens, 0),
  /** ISO; undefined without sessions. */
  first: sessions[0]?.started,
  last: sessions
    .map(({ last }) => last)
    .sort()
    .at(-1),
})

/** The median time of each kind of hook, in milliseconds; empty for logs without times. */
const summarizeHooks = ({ hookTimes }: ReportScan): ReadonlyMap<EventKind, number> =>
  new Map([...hookTimes].map(([kind, times]) => [kind, times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0]))

/** A lesson or fact that names an error. What no session would be shown is a guess. */
const isAboutError = ({ errorSignature, knowledge, searchOnly }: Memory): boolean =>
  knowledge !== undefined &&
  isCurrent(knowledge) &&
  searchOnly !== true &&
  isAboutFailures(knowledge) &&
  (errorSignature !== undefined || knowledge.when.some(({ at }) => at === 'failure'))

function isAbout({ errorSignature, knowledge }: Memory, failure: Occasion): boolean {
  const { when = [] } = knowledge ?? {}
  const signatures = [errorSignature, ...when.map(({ signature }) => signature)]
  return signatures.includes(failure.signature ?? '') || fires(when, failure)
}

/** Errors of the list, at most. */
const RECURRING_MAX = 20

/**
 * Errors that several sessions have met and no entry is about, those of most sessions first: without signatures that
 * many different errors have, and errors of the client's own tools, which say what to do.
 */
export function listRecurring(calls: readonly ScannedCall[], memories: MemoryMap) {
  const errors = groupBy(calls, ({ failure, error = '' }) => {
    const { signature = '' } = failure ?? {}
    if (failure === undefined || isGeneralSignature(signature) || isGenericError(error)) return undefined
    // Several tools may print the same error.
    return signature.slice(signature.indexOf('|'))
  })
  errors.delete(undefined)
  const entries = [...memories.values()].filter(isAboutError)
  return (
    [...errors.values()]
      .flatMap((own) => {
        const [latest, sessions] = [own.at(-1), new Set(own.map(({ session }) => session)).size]
        return latest && sessions > 1 ? [{ latest, sessions, calls: own.length }] : []
      })
      .sort((a, b) => b.sessions - a.sessions)
      // Last: each error is compared with all entries.
      .filter(({ latest: { failure } }) => !entries.some((memory) => failure && isAbout(memory, failure)))
      .slice(0, RECURRING_MAX)
  )
}

/** For each entry the first one about its subject, which may be itself. */
export function groupSubjects(entries: readonly Memory[]): ReadonlyMap<MemoryId, MemoryId> {
  const findSame = sameSubjectFinder(entries)
  const subjects = new Map<MemoryId, MemoryId>()
  for (const entry of entries) {
    const [first = entry.id] = findSame(entry).flatMap(({ id }) => subjects.get(id) ?? [])
    subjects.set(entry.id, first)
  }
  return subjects
}
