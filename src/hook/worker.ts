// The worker: runs the maintenance of one project's store after a session, builds the hooks' code caches, then ends. A
// hook starts it detached. With the task `recent` it only makes available to hooks what open sessions have learned. If
// a model or a hub is configured, it starts another to ask that model, or to exchange changes with that hub, because
// they may take longer than a worker may live. A watchdog ends a worker that does not end by itself (watchdog.ts).
import fs from 'node:fs'
import path from 'node:path'
import { type MaintenanceOptions, runMaintenance } from '../broker/maintenance/maintenance.ts'
import { openJoinedStore, recordPlaces } from '../broker/maintenance/projectFolders.ts'
import { refreshRecentSoon } from '../broker/maintenance/refreshRecent.ts'
import { WorkRun } from '../broker/maintenance/workSteps.ts'
import { hasUserConfig, keepPluginAnswer, mayHaveReader, pluginAnswerFrom } from '../broker/open/hookConfig.ts'
import { openStore, type Store } from '../broker/open/openStore.ts'
import { hasPolicyConfig } from '../broker/policy/activePolicy.ts'
import { hasEntries } from '../entries/mtimeCache.ts'
import { DISTILL_BUDGET_MS, SYNC_BUDGET_MS, WORKER_BUDGET_MS, WORKER_MEMORY_MB } from '../model/limits.ts'
import { loadHnswLibrary } from '../store/vectors/vectorIndex.ts'
import { buildCodeCaches } from './buildCodeCaches.ts'
import { recordFault } from './recordFault.ts'
import { spawnDetached } from './spawnDetached.ts'
import { CACHES, DISTILL, RECENT, SYNC } from './startWorker.ts'
import { STEP_DESCRIPTOR, WATCHED } from './superviseWorker.ts'

/**
 * Wait between two tries to lock a busy store, in milliseconds. The holder of the lock may have seen our session as
 * open.
 */
const RETRY_MS = 250
/** 30 s in all. */
const RETRIES_MAX = 120

const startMs = performance.now()
/** Also with too much memory: the watchdog sees it only where there is /proc. Asked before each session and step. */
const isOverdue = (): boolean =>
  performance.now() - startMs > WORKER_BUDGET_MS || ownMemoryBytes() > WORKER_MEMORY_MB * 1_048_576

function ownMemoryBytes(): number {
  try {
    return process.memoryUsage.rss()
  } catch {
    return 0 // Linux without /proc cannot tell.
  }
}

/** The store of the folder; that of its earlier identity if the project has changed during the session. */
function openWorkerStore(folder: string): Store {
  try {
    return openJoinedStore(folder, process.env)
  } catch (fault) {
    const store = openStore(folder, process.env)
    recordFault(store, 'worker', fault)
    return store
  }
}

/** So that the memory is found after the folder has changed. */
function recordFolder(store: Store, folder: string): void {
  try {
    recordPlaces(store, folder, Date.now())
  } catch (fault) {
    recordFault(store, 'worker', fault)
  }
}

async function maintain(folder: string, run: WorkRun, retriesLeft: number): Promise<void> {
  const store = openStore(folder, process.env)
  try {
    const complete = await openDroppedPayloads(store)
    const report = runMaintenance(store, { now: Date.now(), steps: run, isOverdue, complete })
    if (report.busy && retriesLeft > 0) return void setTimeout(() => maintain(folder, run, retriesLeft - 1), RETRY_MS)
  } catch (fault) {
    recordFault(store, 'worker', fault)
  }
  void step(run, 'code caches', () => buildCaches(store))
    .then(() => step(run, 'embedder', () => embed(store)))
    .then(() => startDistilling(store, folder))
    .then(() => startSync(store, folder))
    .then(() => run.finish())
    .then(() => process.exit(0))
}

/** What hooks had to drop is in the client's transcripts. */
const openDroppedPayloads = async (store: Store): Promise<MaintenanceOptions['complete']> =>
  (await import('../broker/transcripts/importSessions.ts')).openDropped(store, process.env)

/** Does a step, unless workers had to be ended in it. */
async function step(run: WorkRun, name: string, work: () => Promise<void>): Promise<void> {
  if (!isOverdue() && run.begin(name)) await work()
}

/** Tells the watchdog which step begins. */
function reportStep(name: string): void {
  if (process.env[WATCHED] !== '1') return
  try {
    fs.writeSync(STEP_DESCRIPTOR, `${name}\n`)
  } catch {
    // The watchdog has ended: the worker goes on.
  }
}

async function buildCaches(store: Store): Promise<void> {
  try {
    await buildCodeCaches(path.join(__dirname, 'hooks'), process.env, Date.now())
  } catch (fault) {
    recordFault(store, 'worker', fault)
  }
}

/** Compiles config.yaml and commits the configured policy. If they are invalid, the previous ones stay in use. */
async function applyConfig(store: Store): Promise<void> {
  try {
    if (hasUserConfig(store)) (await import('../broker/open/configFile.ts')).compileConfig(store)
  } catch (fault) {
    recordFault(store, 'config.yaml', fault)
  }
  try {
    if (hasPolicyConfig(store))
      (await import('../broker/commands/policyCommands.ts')).commitPolicyChoice(store, Date.now())
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
    if (hasUserConfig(store))
      await (await import('../broker/embedding/configuredEmbedder.ts')).embedMissing(store, process.env)
  } catch (fault) {
    recordFault(store, 'embedder', fault)
  }
}

/** Starts a process that asks the configured model about the sessions it has not read; none if there is no model. */
async function startDistilling(store: Store, folder: string): Promise<void> {
  try {
    if (store.home !== undefined)
      keepPluginAnswer({ files: store.files, home: store.home }, pluginAnswerFrom(process.env))
    if (!mayHaveReader(store)) return
    const { hasDueSessions } = await import('../broker/distill/distillUsage.ts')
    if (hasDueSessions(store, Date.now())) spawnDetached([path.join(__dirname, 'watchdog.cjs'), folder, DISTILL])
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

/** Starts a process that exchanges changes with the hub; none without a hub, or if the project has joined none. */
async function startSync(store: Store, folder: string): Promise<void> {
  try {
    if (!hasUserConfig(store) && !process.env['MEMCTL_DATABASE_URL']) return
    const { isSyncDue } = await import('../broker/team/syncProjects.ts')
    if (isSyncDue(store, process.env)) spawnDetached([path.join(__dirname, 'watchdog.cjs'), folder, SYNC])
  } catch (fault) {
    recordFault(store, SYNC, fault)
  }
}

/** Exchanges changes with the hub. What goes wrong is in `memctl status`. */
async function sync(store: Store): Promise<void> {
  const startMs = Date.now()
  try {
    const { syncInBackground } = await import('../broker/team/syncProjects.ts')
    await syncInBackground(store, { env: process.env, now: Date.now, endMs: startMs + SYNC_BUDGET_MS })
  } catch (fault) {
    recordFault(store, SYNC, fault)
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

function budgetMs(task: string | undefined): number {
  if (task === SYNC) return SYNC_BUDGET_MS
  return task === DISTILL ? DISTILL_BUDGET_MS : WORKER_BUDGET_MS
}

const [, , folder, task] = process.argv
// A worker that waits ends within a minute after the session, and one that asks a model within five. A worker that does
// not wait ends before its next step.
setTimeout(() => process.exit(0), budgetMs(task)).unref()
if (task === CACHES) void buildCodeCaches(path.join(__dirname, 'hooks'), process.env, Date.now())
else if (folder) {
  const store = openWorkerStore(folder)
  const run = new WorkRun(store, Date.now(), reportStep)
  const work = { [DISTILL]: distill, [RECENT]: refresh, [SYNC]: sync }[task ?? '']
  if (task && work)
    void step(run, task, () => work(store))
      .then(() => run.finish())
      .then(() => process.exit(0))
  else maintainAll(store, folder, run)
}

/** Everything that is due in a store. */
function maintainAll(store: Store, folder: string, run: WorkRun): void {
  void step(run, 'folders', async () => recordFolder(store, folder))
    .then(() => step(run, 'config', () => applyConfig(store)))
    .then(() => step(run, 'entries', () => applyEntries(store)))
    // Without this library vector search is exact and slower.
    .then(() => loadHnswLibrary(store.home))
    .then(() => maintain(folder, run, RETRIES_MAX))
}
