// The worker: runs the maintenance of one project's store after a session, builds the hooks' code caches, then ends. A
// hook starts it detached. With the task `recent` it only makes available to hooks what open sessions have learned. If
// a model is configured, it starts itself once more to ask that model, because a model may take longer than a worker
// may live.
import path from 'node:path'
import { runMaintenance } from '../broker/maintenance/maintenance.ts'
import { refreshRecentSoon } from '../broker/maintenance/refreshRecent.ts'
import { hasUserConfig } from '../broker/open/hookConfig.ts'
import { openStore, type Store } from '../broker/open/openStore.ts'
import { hasPolicyConfig } from '../broker/policy/hasPolicyConfig.ts'
import { hasEntries } from '../entries/mtimeCache.ts'
import { DISTILL_BUDGET_MS, WORKER_BUDGET_MS } from '../model/limits.ts'
import { loadHnswLibrary } from '../store/vectors/hnswLibrary.ts'
import { buildCodeCaches } from './buildCodeCaches.ts'
import { recordFault } from './recordFault.ts'
import { spawnDetached } from './spawnDetached.ts'

/**
 * Wait between two tries to lock a busy store, in milliseconds. The holder of the lock may have seen our session as
 * open.
 */
const RETRY_MS = 250
/** 30 s in all. */
const RETRIES_MAX = 120

function maintain(folder: string, retriesLeft: number): void {
  const store = openStore(folder, process.env)
  try {
    const report = runMaintenance(store, { now: Date.now() })
    if (report.busy && retriesLeft > 0) return void setTimeout(() => maintain(folder, retriesLeft - 1), RETRY_MS)
  } catch (fault) {
    recordFault(store, 'worker', fault)
  }
  void buildCodeCaches(path.join(__dirname, 'hooks'), process.env, Date.now())
    .catch((fault) => recordFault(store, 'worker', fault))
    .then(() => embed(store))
    .then(() => relateWords(store))
    .then(() => startDistilling(store, folder))
    .then(() => process.exit(0))
}

/** Compiles config.yaml and commits the configured policy. If they are invalid, the previous ones stay in use. */
async function applyConfig(store: Store): Promise<void> {
  try {
    if (hasUserConfig(store)) (await import('../broker/open/compileConfig.ts')).compileConfig(store)
  } catch (fault) {
    recordFault(store, 'config.yaml', fault)
  }
  try {
    if (hasPolicyConfig(store))
      (await import('../broker/commands/configuredPolicy.ts')).commitPolicyChoice(store, Date.now())
  } catch (fault) {
    recordFault(store, 'policy', fault)
  }
}

/** Commits the changes of entry files and evicts entries, before the snapshot is written. */
async function applyEntries(store: Store): Promise<void> {
  try {
    if (hasEntries(store))
      (await import('../broker/entries/entryMaintenance.ts')).maintainEntries(store, process.env, Date.now())
  } catch (fault) {
    recordFault(store, 'entries', fault)
  }
}

/** Computes missing vectors with the configured embedder. Last, because it may be slow or not available. */
async function embed(store: Store): Promise<void> {
  try {
    if (hasUserConfig(store)) await (await import('../broker/embedding/reembed.ts')).embedMissing(store, process.env)
  } catch (fault) {
    recordFault(store, 'embedder', fault)
  }
}

/** Finds the nearest words of the embedder, which hooks use in place of it. */
async function relateWords(store: Store): Promise<void> {
  try {
    const { updateNeighbours } = await import('../broker/embedding/updateNeighbours.ts')
    await updateNeighbours(store, { env: process.env, clock: () => performance.now() })
  } catch (fault) {
    recordFault(store, 'embedder', fault)
  }
}

/** Starts a process that asks the configured model about the sessions it has not read; none if there is no model. */
async function startDistilling(store: Store, folder: string): Promise<void> {
  try {
    if (!hasUserConfig(store)) return
    const { hasDueSessions } = await import('../broker/distill/dueSessions.ts')
    if (hasDueSessions(store, Date.now())) spawnDetached([__filename, folder, DISTILL])
  } catch (fault) {
    recordFault(store, 'distill', fault)
  }
}

/** Asks the configured model about those sessions. What goes wrong is in `memctl status`. */
async function distill(store: Store): Promise<void> {
  const startMs = Date.now()
  try {
    const { distillDueSessions } = await import('../broker/distill/distillSessions.ts')
    await distillDueSessions(store, { env: process.env, now: Date.now, endMs: startMs + DISTILL_BUDGET_MS })
  } catch (fault) {
    recordFault(store, 'distill', fault)
  }
}

/** Makes what the log has since the snapshot available to hooks. */
async function refresh(store: Store): Promise<void> {
  try {
    await refreshRecentSoon(store, Date.now, (ms) => new Promise((resolve) => setTimeout(resolve, ms)))
  } catch (fault) {
    recordFault(store, 'worker', fault)
  }
}

/** The second argument of a worker that asks the model. */
const DISTILL = 'distill'

/** The second argument of a worker that only refreshes the recent segment. */
const RECENT = 'recent'

const [, , folder, task] = process.argv
// Whatever happens, the worker ends within a minute after the session, and one that asks a model within five.
setTimeout(() => process.exit(0), task === DISTILL ? DISTILL_BUDGET_MS : WORKER_BUDGET_MS).unref()
if (folder && task === DISTILL) void distill(openStore(folder, process.env)).then(() => process.exit(0))
else if (folder && task === RECENT) void refresh(openStore(folder, process.env)).then(() => process.exit(0))
else if (folder) {
  const store = openStore(folder, process.env)
  void applyConfig(store)
    .then(() => applyEntries(store))
    // Without this library vector search is exact and slower.
    .then(loadHnswLibrary)
    .then(() => maintain(folder, RETRIES_MAX))
}
