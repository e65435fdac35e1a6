// One exchange of a project with its hub. Everything that counts is in the log, so it can stop after any step.
//
//   pull in pages ─▶ lock: team.received ─▶ unlock ─▶ collect ─▶ push in batches ─▶ team.received ─▶ pull …
//     ─▶ erase what somebody forgot ─▶ snapshot
//
// What is to be sent is what the memories have and the rows of the hub have not. So a change that was sent and not
// answered is found at the hub by the next pull, and a row that somebody else has changed first is merged, then sent.
import type { EventOf } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { EVENT_BYTES_MAX } from '../../model/limits.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { redactThoroughly } from '../../record/redact/secondPass.ts'
import { coveredPosition } from '../../store/snapshot/manifest.ts'
import { createRowCheck } from '../../team/checkRow.ts'
import { type MemoryChange, toTeamChanges } from '../../team/collectChanges.ts'
import {
  type Hub,
  type HubAnswer,
  type HubMember,
  type HubPage,
  othersOf,
  type RowChange,
  type TeamChanges,
  type TeamRow,
  waitingMark,
} from '../../team/teamRow.ts'
import { firstLine } from '../../text/excerpt.ts'
import { commitTeamEvents, systemEvent } from '../commit/commitEvents.ts'
import { eraseInStore, planTeamErasure } from '../forget/eraseEverywhere.ts'
import { eraseOtherFiles, eraseReports } from '../forget/eraseOtherFiles.ts'
import { collectEarlier, loadOrRebuild } from '../maintenance/loadFromLog.ts'
import { runMaintenance, saveCheckpoint } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import type { LoadedProjection } from '../projection/projection.ts'
import { applyLogTail, openProjection } from '../projection/projectionFiles.ts'
import type { TeamOperation, TeamProjection } from '../projection/teamProjection.ts'
import { collectUnsent } from '../projection/teamReducer.ts'
import { readTeam, summarizeTeam } from './hubStatus.ts'
import {
  assertSameHub,
  commitLeave,
  type HubVersions,
  knownKinds,
  loadTeamStore,
  removedError,
  renewMembership,
  retryWhileBusy,
  withStoreLock,
} from './membership.ts'

/** Memories of one push: some hundred kilobytes, a second on a slow connection. */
const PUSH_MAX = 200
/** Times that what others have changed meanwhile is merged and sent again. The next sync goes on. */
const ROUNDS_MAX = 4

export interface OpenedHub {
  readonly hub: Hub
  readonly versions: HubVersions
}

export interface SyncOptions extends OpenedHub {
  /** What the team calls this person from now on; as before if absent. */
  readonly name?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Makes a random UUID. */
  readonly newId: () => string
  /** No batch begins after this, in milliseconds since 1970. */
  readonly deadline?: number | undefined
  /** Called after each batch: changes sent and received so far, and how many wait. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined
}

export type SyncProgress = Readonly<Record<'sent' | 'received' | 'waiting', number>>

const NOTHING_DONE = {
  sent: 0,
  received: 0,
  waiting: 0,
  /** Rows that were left out: no valid ones, or beyond what one teammate may share. */
  refused: 0,
  /** Memories that others have forgotten, and that were erased here. */
  forgotten: 0,
  /** Texts that wait until somebody accepts them, of those that this person may see. */
  reviews: 0,
  /** False for a role that may only read. */
  canWrite: true,
  /** False if the time was over before everything was received. */
  isComplete: true,
}

/** `fault`: what this person may not do on the hub; absent if nothing. */
export type SyncReport = Readonly<typeof NOTHING_DONE> & { readonly fault?: MemoryError | undefined }

type Run = {
  readonly store: Store
  readonly loaded: LoadedProjection
  readonly options: SyncOptions
  /** The snapshot, or its recent segment, had everything that the log had at the beginning. */
  readonly wasSaved: boolean
  readonly checkRow: ReturnType<typeof createRowCheck>
  readonly report: { -readonly [Name in keyof SyncReport]: SyncReport[Name] }
}

/**
 * Exchanges what is new with the hub. Throws NOT_FOUND for a project that has not joined, HUB_CHANGED where the address
 * has another hub now, STORE_BUSY, and what the hub throws: what was done until then stays done.
 */
export async function syncStore(store: Store, options: SyncOptions): Promise<SyncReport> {
  const loaded = await withStoreLock(store, () => loadTeamStore(store, options.now()))
  const wasSaved = JSON.stringify(coveredPosition(loaded.manifest)) === JSON.stringify(loaded.projection.cursor)
  const checkRow = createRowCheck(() => loaded.projection.memories, redactThoroughly)
  const done = { sent: 0, received: 0, refused: 0, forgotten: 0, waiting: 0, reviews: 0 }
  const report = { ...done, canWrite: true, isComplete: true }
  const run: Run = { store, loaded, options, wasSaved, checkRow, report }
  collectEarlier(true) // What arrives is garbage once it is applied.
  try {
    const description = await options.hub.describe()
    assertSameHub(teamOf(run).membership, description, options.versions)
    run.report.canWrite = description.canWrite
    await underLock(run, () => renewMembership(store, loaded, { ...options, now: options.now() }))
    if (teamOf(run).hasLeft) await takeBack(run)
    else await exchange(run)
  } finally {
    // Also without the hub: an earlier run may have been killed before it erased what it had received.
    await finish(run).finally(() => collectEarlier(false))
  }
  if (!report.canWrite && report.waiting > 0) run.report.fault = readOnlyError(report.waiting)
  return report
}

async function exchange(run: Run): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await pullAll(run)
    await underLock(run, () => undefined)
    const changes = collectUnsent(run.loaded.projection)
    const { canWrite } = run.report
    // What a reader has counted stays here.
    run.report.waiting = changes.filter(({ row, isWithdrawn }) => canWrite || row || isWithdrawn).length
    if (run.report.waiting === 0 || !canWrite || !run.report.isComplete) return
    reportProgress(run)
    await pushAll(run, changes)
  }
}

async function pushAll(run: Run, changes: readonly MemoryChange[]): Promise<void> {
  for (let start = 0; start < changes.length; start += PUSH_MAX) {
    if (isOver(run)) return
    const batch = toTeamChanges(changes.slice(start, start + PUSH_MAX))
    await underLock(run, () => commitOperations(run, listNew(teamOf(run), batch)))
    const answer = await run.options.hub.push(memberOf(run), batch)
    await underLock(run, () => commitSent(run, batch, answer))
  }
}

function isOver({ options, report }: Run): boolean {
  report.isComplete &&= options.now() < (options.deadline ?? Number.POSITIVE_INFINITY)
  return !report.isComplete
}

/** What the hub may have from now on, also if its answer is lost: a deletion here must be sent to it. */
const listNew = ({ entries }: TeamProjection, { rows }: TeamChanges): readonly TeamOperation[] =>
  rows.flatMap(({ memory, state }) =>
    state === 'active' && !entries.has(memory) ? [{ kind: 'sending', memory } as const] : [],
  )

/** Notes what the hub has taken. What somebody else has changed first is not among it. */
function commitSent(run: Run, { rows, counts, withdrawn }: TeamChanges, answer: HubAnswer): void {
  const answerRows = new Map(answer.rows.map((row) => [row.memory, row]))
  const answerCounts = new Map(answer.counted.map((row) => [row.memory, row]))
  const taken: TeamOperation[] = [
    ...rows.flatMap(({ base: _base, fields: _fields, ...row }): readonly TeamOperation[] => {
      const stored = answerRows.get(row.memory)
      if (stored) return [{ kind: 'sent', ...row, revision: stored.revision, by: stored.by }]
      const mark = waitingMark(row.seen, row.successor)
      return answer.waiting.includes(row.memory) ? [{ kind: 'waiting', memory: row.memory, mark }] : []
    }),
    ...counts.flatMap((count) => {
      const stored = answerCounts.get(count.memory)
      return stored ? [{ kind: 'counted', ...count, ...stored } as const] : []
    }),
    ...withdrawn.map((memory) => ({ kind: 'withdrawn', memory }) as const),
  ]
  const done = new Set(taken.map(({ memory }) => memory)).size
  run.report.sent += done
  run.report.waiting -= done
  commitOperations(run, taken)
}

async function pullAll(run: Run): Promise<void> {
  const { ahead, latest, sent } = teamOf(run)
  for (;;) {
    if (isOver(run)) return
    const { revision, epoch } = teamOf(run)
    const page = await run.options.hub.pull(memberOf(run), revision, ahead, { latest, sent })
    if (page.isRemoved) return leaveRemoved(run)
    run.report.canWrite &&= page.canWrite
    if (epoch && (page.epoch !== epoch || page.isRestored || page.last < revision)) {
      await restart(run, page)
      return pullAll(run)
    }
    await underLock(run, () => receive(run, page))
    if (!page.more) return
  }
}

/** After a restore of the hub all is read again. Who finds that it lacks changes tells the others by a new epoch. */
async function restart(run: Run, page: HubPage): Promise<void> {
  const { hub, newId } = run.options
  const isFirst = page.epoch === teamOf(run).epoch
  const epoch = isFirst ? newId() : page.epoch
  if (isFirst && !run.report.canWrite) throw readOnlyError(1)
  if (isFirst) await hub.setEpoch(memberOf(run).project, epoch)
  await underLock(run, () => commitOperations(run, [], { revision: 0, epoch }))
}

/** Memories that are received until they are saved; in a large store an eighth of it, as a save reads every row. */
const HELD_MAX = 10_000

function receive(run: Run, page: HubPage): void {
  const { store, loaded, options } = run
  const { memories } = loaded.projection
  if (memories.changed > Math.max(HELD_MAX, memories.size / 8)) saveCheckpoint(store, loaded, options.now())
  const { rows, through, epoch } = page
  const team = teamOf(run)
  const checked = rows.map(run.checkRow)
  const operations = checked.flatMap((row) => (row && isNew(team, row) ? [{ kind: 'row', ...row } as const] : []))
  const kinds = knownKinds(page.kinds)
  const isNewPolicy = JSON.stringify(kinds) !== JSON.stringify(team.kinds ?? null)
  run.report.reviews = page.reviews
  run.report.refused += checked.filter((row) => row === undefined).length
  run.report.received += operations.length
  const isMoved = through !== team.revision || epoch !== team.epoch
  if (operations.length > 0 || isMoved || isNewPolicy)
    commitOperations(run, operations, { revision: through, epoch, ...(isNewPolicy && { kinds }) })
}

/**
 * Not what is known already: a memory comes once with its text, and again for counts of the same push. Nor the text of
 * what was forgotten here.
 */
function isNew({ entries, unsentForgets }: TeamProjection, row: TeamRow): boolean {
  const entry = entries.get(row.memory)
  if (entry?.state === 'forgotten') return row.state === 'forgotten' && unsentForgets.includes(row.memory)
  if (entry === undefined || entry.state !== row.state || entry.revision !== row.revision) return true
  const isSameCount = JSON.stringify(othersOf(row)) === JSON.stringify(entry.others)
  return !(isSameCount && row.people === entry.people && row.copies === entry.copies)
}

/** In as many events as their size needs. Only the last one moves the position: after a crash all is read again. */
function commitOperations(
  { store, loaded, options }: Run,
  operations: readonly TeamOperation[],
  position: Pick<EventOf<'team.received'>, 'revision' | 'epoch' | 'kinds'> = {},
): void {
  const parts: TeamOperation[][] = [[]]
  let bytes = 0
  for (const operation of operations) {
    const size = Buffer.byteLength(JSON.stringify(operation))
    // The fields around the operations take some hundred bytes.
    const isFull = bytes > 0 && bytes + size > EVENT_BYTES_MAX - 512
    if (isFull) parts.push([])
    bytes = isFull ? size : bytes + size
    parts.at(-1)?.push(operation)
  }
  const events = parts.map((part, i) => {
    const body = { kind: 'team.received', operations: [], ...(i === parts.length - 1 && position) } as const
    const key = [String(i), JSON.stringify(position), ...part.flatMap(({ kind, memory }) => [kind, memory])]
    return { ...systemEvent(body, { now: options.now(), key }), operations: part }
  })
  if (operations.length > 0 || position.revision !== undefined) commitTeamEvents(store, loaded, events)
}

/** Of a project that the owner of the hub has removed: nothing is left there. Throws HUB_CHANGED, once. */
async function leaveRemoved(run: Run): Promise<never> {
  const { store, loaded, options } = run
  await underLock(run, () => {
    const { hasLeft, epoch, unsentForgets } = teamOf(run)
    if (!hasLeft) commitLeave(store, loaded, options.now())
    const known = { kind: 'sent', state: 'forgotten', revision: 0, successor: null, by: '', seen: '' } as const
    const operations = unsentForgets.map((memory) => ({ ...known, memory }))
    commitOperations(run, operations, { revision: 0, ...(epoch !== undefined && { epoch }) })
  })
  throw removedError(memberOf(run).project)
}

/** Of a project that has left: what it shared is taken back. */
async function takeBack(run: Run): Promise<void> {
  const { isLeaving, epoch } = teamOf(run)
  const { isRemoved, canWrite } = await run.options.hub.pull(memberOf(run), Number.MAX_SAFE_INTEGER, [])
  if (isRemoved) return leaveRemoved(run)
  run.report.canWrite &&= canWrite
  const changes = collectUnsent(run.loaded.projection)
  run.report.waiting = changes.length + Number(isLeaving)
  if (!run.report.canWrite) return
  await pushAll(run, changes)
  if (!isLeaving) return
  await run.options.hub.leave(memberOf(run))
  run.report.sent += 1
  run.report.waiting -= 1
  await underLock(run, () => commitOperations(run, [], { revision: 0, ...(epoch !== undefined && { epoch }) }))
}

/**
 * Erases what was forgotten, and writes the snapshot if hooks or commands need it: not for what was only sent, because
 * that is in the log.
 */
async function finish(run: Run): Promise<void> {
  const { store, loaded, options, report, wasSaved } = run
  const { team } = loaded.projection
  const forgotten = team?.erasing ?? []
  report.forgotten = forgotten.length
  if (forgotten.length > 0) await retryWhileBusy(() => eraseForgotten(store, forgotten, options.now()))
  // A worker that has the lock writes it.
  else if (!wasSaved || report.received > 0 || JSON.stringify(summarizeTeam(team)) !== JSON.stringify(readTeam(store)))
    runMaintenance(store, { now: options.now(), sessions: [] }, loaded)
}

/**
 * Erases what a team has forgotten from this store: its log, and everything derived. Other projects of the person, and
 * entry files, stay as they are: a teammate's word must not change them. Throws STORE_INVALID for a log with missing
 * files, and STORE_BUSY: the next run continues.
 */
function eraseForgotten(store: Store, ids: readonly MemoryId[], now: number): void {
  const plan = planTeamErasure(store, ids)
  eraseInStore(store, plan, now)
  eraseReports([store], false)
  const { home: _, ...withoutHome } = store
  eraseOtherFiles(withoutHome, [{ store, plan }], { finder: plan.finder, dryRun: false })
}

async function underLock(run: Run, work: () => void): Promise<void> {
  await withStoreLock(run.store, () => {
    // Other processes may have appended.
    applyLogTail(run.store, run.loaded)
    work()
  })
  reportProgress(run)
}

const reportProgress = ({ options, report }: Run): void => options.onProgress?.(report)

function teamOf({ loaded, store }: Pick<Run, 'loaded' | 'store'>): TeamProjection {
  const { team } = loaded.projection
  if (team !== undefined) return team
  throw new MemoryError('NOT_FOUND', `${store.project.name} shares its memories with no hub`, {
    hint: 'Run `memctl hub join` in the project.',
  })
}

const memberOf = (run: Run): HubMember => teamOf(run).membership

/** `waiting`: changes that cannot be sent. */
const readOnlyError = (waiting: number): MemoryError =>
  new MemoryError('DATABASE_READ_ONLY', `the hub cannot be written by this role, and ${waiting} changes wait`, {
    hint: 'Ask the owner of the hub for `memctl hub grant ROLE --project NAME --write`.',
  })

export interface WaitingChange {
  readonly kind: RowChange['state'] | 'counts' | 'withdrawn'
  readonly memory: MemoryId
  /** The first line of the text that is sent, 120 characters at most; empty for other changes. */
  readonly text: string
}

const TEXT_CHARS = 120

/** What the next sync would send. Reads the store, and changes nothing. */
export function previewSync(store: Store): readonly WaitingChange[] {
  const { loaded } = loadOrRebuild(store, undefined, openProjection)
  applyLogTail(store, loaded)
  return collectUnsent(loaded.projection).map(({ memory, row, count }) => {
    const kind = row?.state ?? (count ? 'counts' : 'withdrawn')
    return { kind, memory, text: firstLine(row?.fields?.content ?? '', TEXT_CHARS) }
  })
}
