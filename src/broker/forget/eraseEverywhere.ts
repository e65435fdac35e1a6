// Erases memories, sessions and texts from every store of a person, and from everything derived. It cannot be undone.
//
//   plan ─▶ each store: log in place ─▶ rebuild ─▶ other files of memctl's home ─▶ what is left, for the report
//
// A preview takes the same steps and writes nothing.
import type { Event } from '../../model/event.ts'
import { acquireLock, storeBusyError } from '../../store/disk/lock.ts'
import { eraseInLog } from '../../store/log/eraseLog.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { assertLogComplete } from '../maintenance/loadFromLog.ts'
import { rebuildStore } from '../maintenance/rebuild.ts'
import type { Store } from '../open/openStore.ts'
import { eraseEntries } from './eraseEntries.ts'
import { eraseOtherFiles, eraseReports, findLeftFiles, findStaleFiles } from './eraseOtherFiles.ts'
import type { ErasureOptions, ErasureRequest, ErasureResult } from './erasure.ts'
import { type ErasurePlan, planErasure } from './erasurePlan.ts'
import { listHomeStores, storeLabel } from './homeStores.ts'
import { previewEvents, previewMemories } from './preview.ts'
import { publishForgets } from './teamErasure.ts'

/** Events named in a report, at most. */
const EVENTS_MAX = 200

/**
 * Erases, or with `dryRun` reports what would be erased. Throws NOT_FOUND for unknown ids, STORE_INVALID for a log with
 * missing files and STORE_BUSY while another process writes: run it again then, it continues.
 */
export function eraseEverywhere(
  store: Store,
  request: ErasureRequest,
  { now, dryRun = false }: ErasureOptions,
): ErasureResult {
  assertLogComplete(store)
  const { own, others } = planErasure(store, request)
  const stores = listHomeStores(store).map((each) => ({ store: each, plan: each === store ? own : others }))
  // All are searched before the first one is changed.
  const found = stores.map(({ store: each, plan }) => ({ store: each, plan, ...searchStore(each, plan) }))
  const entries = eraseEntries(store, own.finder, { global: dryRun, project: dryRun || request.entries !== true })
  const affected = found.filter(
    ({ store: each, files, stale }) => files.length + stale.length > 0 || (each === store && own.memories.size > 0),
  )
  const memories = affected.flatMap(({ store: each, plan }) => previewMemories(each, plan))
  if (!dryRun) {
    for (const { store: each } of affected) assertLogComplete(each)
    for (const { store: each, plan } of affected) {
      const label = storeLabel(each)
      const changed = memories.flatMap(({ store: name, id }) => (name === label ? [id] : []))
      eraseInStore(each, publishForgets(each, plan, changed, now), now)
    }
  }
  const stale = found.flatMap((each) => each.stale).map((file) => ({ file, action: 'redacted' as const }))
  const reports = eraseReports(
    affected.map((each) => each.store),
    dryRun,
  )
  const isReport = (file: string): boolean => reports.some((report) => report.file === file)
  const rest = eraseOtherFiles(store, stores, { finder: own.finder, dryRun }).filter(({ file }) => !isReport(file))
  const otherFiles = [...entries.global, ...stale, ...reports, ...rest]
  const files = found.flatMap((each) => each.files)
  const sum = (field: 'removed' | 'redacted'): number => files.reduce((total, file) => total + file[field], 0)
  const changed = new Set(dryRun ? otherFiles.map(({ file }) => file) : [])
  const left = findLeftFiles(store, stores, { finder: own.finder, isPreview: dryRun })
  return {
    dryRun,
    removed: sum('removed'),
    redacted: sum('redacted'),
    files,
    events: found.flatMap((each) => each.events).slice(0, EVENTS_MAX),
    memories,
    otherFiles,
    entries: entries.project,
    left: left.filter((file) => !changed.has(file)),
  }
}

interface FoundInStore extends Pick<ErasureResult, 'events' | 'files'> {
  /** Derived files that have what the log has not: a rebuild replaces them. */
  readonly stale: readonly string[]
}

/** What the plan would change in a store. */
function searchStore(store: Store, plan: ErasurePlan): FoundInStore {
  const changes: { readonly event: Event; readonly rest: Event | undefined }[] = []
  const eraseEvent = (event: Event): Event | undefined => {
    const rest = plan.erase(event)
    if (rest !== event) changes.push({ event, rest })
    return rest
  }
  const { files, layout } = store
  const erased = eraseInLog(files, layout.events, {
    eraseEvent,
    isErasable: plan.isErasable,
    sealsTail: true,
    dryRun: true,
  })
  const label = storeLabel(store)
  return {
    files: erased.map((file) => ({ ...file, store: label })),
    events: previewEvents(changes, label, erased),
    stale: erased.length > 0 ? [] : findStaleFiles(store, plan),
  }
}

/** Erases from a store's log, and rebuilds what is derived from it. Throws STORE_BUSY. */
export function eraseInStore(store: Store, plan: ErasurePlan, now: number): void {
  const { files, layout } = store
  const lock = acquireLock(files, layout.lock)
  if (!lock) throw storeBusyError()
  try {
    eraseInLog(files, layout.events, { eraseEvent: plan.erase, isErasable: plan.isErasable, sealsTail: true })
  } finally {
    lock.release()
  }
  if (plan.memories.size > 0) {
    const memories = [...plan.memories]
    commitEvents(store, [systemEvent({ kind: 'memory.deleted', memories }, { now, key: memories })])
  }
  // Its log was checked above; a damaged line elsewhere must not keep a text that should be erased.
  if (rebuildStore(store, now, { allowIncomplete: true }).busy) throw storeBusyError()
  // Not even the learner's state that is kept for slow readers.
  files.remove(layout.work(readManifest(files, layout).generation - 1))
}
