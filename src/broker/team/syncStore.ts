// One exchange of a project with its hub. Everything that counts is in the log, so it can stop after any step.
//
//   lock: collect ─▶ team.published ─▶ unlock ─▶ push in batches ─▶ pull ─▶ lock: team.received ─▶ unlock ─▶ …
//     ─▶ erase what somebody forgot ─▶ snapshot
//
// The log is the outbox and the cursor: what was appended is sent until the hub has it, and what the hub has is read
// from the position of the last event. A batch that arrives twice changes nothing.
import type { MemoryId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { FIRST_EPOCH, type Hub, type HubBatch } from '../../team/hub.ts'
import { commitAndApply, systemEvent } from '../commit/commitEvents.ts'
import { publishOperations, splitOperations } from '../commit/publishOperations.ts'
import { eraseInStore } from '../forget/eraseEverywhere.ts'
import { eraseOtherFiles, eraseReports } from '../forget/eraseOtherFiles.ts'
import { planTeamErasure } from '../forget/teamErasure.ts'
import { runMaintenance } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import type { LoadedProjection } from '../projection/projection.ts'
import { applyLogTail } from '../projection/projectionFiles.ts'
import type { TeamProjection } from '../projection/teamProjection.ts'
import { assertSameHub, conflictError, type HubVersions, isConflict, readOnlyError } from './hubErrors.ts'
import { listOperations } from './listOperations.ts'
import { isInPlace, renameMember, renewReplica } from './membership.ts'
import { publishAgain } from './publishAgain.ts'
import { selectReceived } from './selectReceived.ts'
import { loadTeamStore, retryWhileBusy, withStoreLock } from './teamStore.ts'

/** Operations of one push and of one pull: some hundred kilobytes, a second on a slow connection. */
const PUSH_MAX = 200
const PULL_MAX = 500

/** A copy that finds that another copy has its numbers begins again as a new one, once. */
const RENEWALS_MAX = 2

export interface SyncOptions {
  readonly hub: Hub
  readonly versions: HubVersions
  /** What the team calls this person from now on; as before if absent. */
  readonly name?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Makes a random UUID. */
  readonly newId: () => string
  /** No batch begins after this, in milliseconds since 1970. */
  readonly deadline?: number | undefined
  /** Told after each batch: changes sent and received so far, and how many wait. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined
}

export interface SyncProgress {
  readonly sent: number
  readonly received: number
  readonly waiting: number
}

export interface SyncReport {
  /** Changes that the hub took, and changes of others that were applied. */
  readonly sent: number
  readonly received: number
  /** Changes of others that were no valid ones, and were left out. */
  readonly refused: number
  /** Memories that others have forgotten, and that were erased here. */
  readonly forgotten: number
  /** Changes that are not sent yet: the time was over, or this person may only read. */
  readonly waiting: number
  /** False if the time was over before everything was received. */
  readonly isComplete: boolean
  /** What this person may not do on the hub; absent if nothing. */
  readonly fault?: MemoryError | undefined
}

/** One run: what it works on, and what it has done so far. */
interface Run {
  readonly store: Store
  readonly loaded: LoadedProjection
  readonly options: SyncOptions
  sent: number
  received: number
  refused: number
  isComplete: boolean
}

/**
 * Exchanges what is new with the hub. Throws NOT_FOUND for a project that has not joined, HUB_CHANGED where the address
 * has another hub now, STORE_BUSY, and what the hub throws: what was done until then stays done.
 */
export async function syncStore(store: Store, options: SyncOptions): Promise<SyncReport> {
  const loaded = await withStoreLock(store, () => loadTeamStore(store, options.now()))
  const run: Run = { store, loaded, options, sent: 0, received: 0, refused: 0, isComplete: true }
  let forgotten = 0
  let canWrite = true
  try {
    const description = await options.hub.describe()
    assertSameHub(teamOf(run), description, options.versions)
    canWrite = description.canWrite
    await exchangeAll(run, canWrite)
  } finally {
    // Also without the hub: an earlier run may have been killed before it erased what it had received.
    forgotten = await finish(run)
  }
  const { sent, received, refused, isComplete } = run
  const waiting = teamOf(run).outbox.length
  const fault = canWrite || waiting === 0 ? undefined : readOnlyError(waiting)
  return { sent, received, refused, forgotten, waiting, isComplete, ...(fault && { fault }) }
}

async function exchangeAll(run: Run, canWrite: boolean): Promise<void> {
  for (let renewals = 0; ; renewals++) {
    try {
      return await exchange(run, canWrite)
    } catch (error) {
      if (!isConflict(error) || renewals >= RENEWALS_MAX) throw error
      await underLock(run, () => renewReplica(run.store, run.loaded, { ...run.options, now: run.options.now() }))
    }
  }
}

async function exchange(run: Run, canWrite: boolean): Promise<void> {
  const { store, loaded, options } = run
  await underLock(run, () => {
    const { membership } = teamOf(run)
    if (!isInPlace(store, membership)) renewReplica(store, loaded, { ...options, now: options.now() })
    if (options.name !== undefined) renameMember(store, loaded, options.name, options.now())
  })
  const { membership, lastN } = teamOf(run)
  const last = await options.hub.lastPushed(membership.project, membership.replica)
  // The hub knows later changes of this machine than the log: the log is an older copy. Or the hub is one.
  if (last > lastN) throw conflictError()
  if (last < teamOf(run).pushed) await underLock(run, () => publishAgain(store, loaded, last, options.now()))
  if (teamOf(run).isBehind) await pullAll(run)
  const refusal = canWrite && !teamOf(run).isBehind ? await send(run) : undefined
  // Who may not write, or finds the hub full, can still receive.
  await pullAll(run)
  if (refusal !== undefined) throw refusal.error
}

/** Collects and sends. Returns why the hub refuses it; throws where another copy has the same numbers. */
async function send(run: Run): Promise<{ readonly error: unknown } | undefined> {
  await underLock(run, () => {
    const now = run.options.now()
    publishOperations(run.store, run.loaded, listOperations(run.loaded, now), now)
  })
  try {
    await pushAll(run)
    return undefined
  } catch (error) {
    if (isConflict(error)) throw error
    return { error }
  }
}

/** Sends the outbox. What the hub has already, after an answer that was lost, it leaves out. */
async function pushAll(run: Run): Promise<void> {
  const { hub, now, deadline = Number.POSITIVE_INFINITY } = run.options
  const { outbox, membership } = teamOf(run)
  for (let start = 0; start < outbox.length; start += PUSH_MAX) {
    if (now() >= deadline) {
      run.isComplete = false
      return
    }
    const batch = outbox.slice(start, start + PUSH_MAX)
    const newEpoch = teamOf(run).raisesEpoch ? run.options.newId() : undefined
    const { stored, epoch } = await hub.push(membership.project, batch, newEpoch)
    run.sent += stored
    const pushed = batch.at(-1)?.n
    await underLock(run, () => {
      const team = teamOf(run)
      const through = epoch === team.epoch ? team.through : 0
      receive(run, { operations: [], through, more: false, epoch }, pushed)
    })
  }
}

/** Reads and applies everything that the hub has after the last position. */
async function pullAll(run: Run): Promise<void> {
  const { hub, now, deadline = Number.POSITIVE_INFINITY } = run.options
  for (;;) {
    const { membership, through, epoch, hasLeft } = teamOf(run)
    if (hasLeft) return
    if (now() >= deadline) {
      run.isComplete = false
      return
    }
    const batch = await hub.pull(membership.project, through, PULL_MAX)
    // After a restore, the hub has other changes at the positions that were read: all are read again.
    const isRestored = through > 0 && (batch.epoch !== epoch || batch.last < through)
    await underLock(run, () => receive(run, isRestored ? { ...batch, operations: [], through: 0, more: true } : batch))
    if (!isRestored && !batch.more) return
  }
}

/** Appends a batch of the hub to the log. `pushed`: the hub has this machine's changes up to this number. */
function receive(run: Run, batch: Omit<HubBatch, 'last'>, pushed?: number): void {
  const { store, loaded, options } = run
  const team = teamOf(run)
  const { operations, refused, ownN } = selectReceived(team, batch.operations)
  run.refused += refused
  const isDone = !batch.more && team.isBehind && pushed === undefined
  const known = pushed ?? (ownN > team.pushed ? ownN : isDone ? team.pushed : undefined)
  const { epoch, through } = batch
  const isSame = through === team.through && epoch === team.epoch
  if (operations.length === 0 && isSame && known === undefined) return
  const parts = splitOperations(operations)
  const events = (parts.length === 0 ? [[]] : parts).map((part, i, all) => {
    // Only the last event says how far the hub was read: after a crash in between the batch is read again.
    const isLast = i === all.length - 1
    const position = {
      through: isLast ? through : team.through,
      ...(epoch !== FIRST_EPOCH && { epoch }),
      ...(isLast && known !== undefined && { pushed: known }),
    }
    const key = [epoch, String(through), String(known ?? ''), ...part.map(({ id }) => id)]
    return systemEvent({ kind: 'team.received', operations: part, ...position }, { now: options.now(), key })
  })
  commitAndApply(store, loaded, events)
  run.received += operations.length
}

/** Erases what was forgotten and writes the snapshot. Returns how many memories were erased. */
async function finish({ store, loaded, options }: Run): Promise<number> {
  const { team, cursor } = loaded.projection
  const forgotten = team?.erasing ?? []
  if (forgotten.length > 0) await retryWhileBusy(() => eraseForgotten(store, forgotten, options.now()))
  // A worker that has the lock writes it; what happened is in the log.
  else if (JSON.stringify(cursor) !== JSON.stringify(readManifest(store.files, store.layout).cursor))
    runMaintenance(store, { now: options.now(), sessions: [] })
  return forgotten.length
}

async function underLock(run: Run, work: () => void): Promise<void> {
  await withStoreLock(run.store, () => {
    // Other processes may have appended, `memctl forget` even operations: the next number comes after theirs.
    applyLogTail(run.store, run.loaded)
    work()
  })
  const { onProgress } = run.options
  onProgress?.({ sent: run.sent, received: run.received, waiting: teamOf(run).outbox.length })
}

function teamOf({ loaded, store }: Pick<Run, 'loaded' | 'store'>): TeamProjection {
  const { team } = loaded.projection
  if (team !== undefined) return team
  throw new MemoryError('NOT_FOUND', `${store.project.name} shares its memories with no hub`, {
    hint: 'Run `memctl hub join` in the project.',
  })
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
