// The worker: runs the maintenance of one project's store after a session, builds the hooks' code caches, then ends. A
// hook starts it detached. With the task `recent` it only makes available to hooks what open sessions have learned. If
// a model or a hub is configured, it starts another to ask that model, or to exchange changes with that hub, because
// they may take longer than a worker may live. A watchdog ends a worker that does not end by itself (watchdog.ts).
import fs from 'node:fs'
import path from 'node:path'
import { hasModelVectors } from '../broker/embedding/maintainVectors.ts'
import { runMaintenance } from '../broker/maintenance/maintenance.ts'
import { openJoinedStore, recordPlaces } from '../broker/maintenance/projectFolders.ts'
import { refreshRecentSoon } from '../broker/maintenance/refreshRecent.ts'
import { startWorkRun, type WorkRun } from '../broker/maintenance/workSteps.ts'
import { hasUserConfig, keepPluginAnswer, mayHaveReader, pluginAnswerFrom } from '../broker/open/hookConfig.ts'
import { openStore, type Store } from '../broker/open/openStore.ts'
import { hasPolicyConfig } from '../broker/policy/activePolicy.ts'
import { hasEntries } from '../entries/entryDirs.ts'
import { DISTILL_BUDGET_MS, SYNC_BUDGET_MS, WORKER_BUDGET_MS, WORKER_MEMORY_MB } from '../model/limits.ts'
import { loadHnswLibrary } from '../store/vectors/vectorIndex.ts'
import { buildCodeCaches } from './buildCodeCaches.ts'
import { recordFault } from './recordFault.ts'
import { spawnDetached } from './spawnDetached.ts'
import { budgetMs, CACHES, DISTILL, RECENT, SYNC } from './startWorker.ts'
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

/** Does a piece of work. An error of it is a fault in faults.jsonl, and does not stop the rest. */
async function attempt(store: Store, where: string, work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (fault) {
    recordFault(store, where, fault)
  }
}

/** Organizes what has ended, as soon as the store is not busy. Returns the store as it was opened for that. */
async function maintain(folder: string, run: WorkRun): Promise<Store> {
  for (let retriesLeft = RETRIES_MAX; ; retriesLeft--) {
    const store = openStore(folder, process.env)
    // The person has deleted the store since the hook started this process.
    if (store.files.list(store.layout.events).length === 0) process.exit(0)
    let isBusy = false
    await attempt(store, 'worker', async () => {
      // What hooks had to drop is in the client's transcripts.
      const { openDropped } = await import('../broker/transcripts/importSessions.ts')
      const complete = openDropped(store, process.env)
      isBusy = runMaintenance(store, { now: Date.now(), steps: run, isOverdue, complete }).busy
    })
    if (!isBusy || retriesLeft === 0) return store
    await pause(RETRY_MS)
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

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

const buildCaches = () => buildCodeCaches(path.join(__dirname, 'hooks'), process.env, Date.now())

/** Compiles config.yaml and commits the configured policy. If they are invalid, the previous ones stay in use. */
async function applyConfig(store: Store): Promise<void> {
  await attempt(store, 'config.yaml', async () => {
    if (hasUserConfig(store)) (await import('../broker/open/configFile.ts')).compileConfig(store)
  })
  await attempt(store, 'policy', async () => {
    if (hasPolicyConfig(store))
      (await import('../broker/commands/policyCommands.ts')).commitPolicyChoice(store, Date.now())
  })
}

/** Commits the changes of entry files and evicts entries, before the snapshot is written. */
const applyEntries = (store: Store) =>
  attempt(store, 'entries', async () => {
    if (hasEntries(store))
      (await import('../broker/entries/entryMaintenance.ts')).maintainEntries(store, process.env, Date.now())
  })

/** Computes missing vectors with the configured embedder. Last, because it may be slow or not available. */
const embed = (store: Store) =>
  attempt(store, 'embedder', async () => {
    if (hasUserConfig(store))
      await (await import('../broker/embedding/configuredEmbedder.ts')).embedMissing(store, process.env)
  })

/** Starts a process that asks the configured model about the sessions it has not read; none if there is no model. */
const startDistilling = (store: Store, folder: string) =>
  attempt(store, DISTILL, async () => {
    if (store.home !== undefined)
      keepPluginAnswer({ files: store.files, home: store.home }, pluginAnswerFrom(process.env))
    if (!mayHaveReader(store)) return
    const { hasDueSessions } = await import('../broker/distill/distillUsage.ts')
    if (hasDueSessions(store, Date.now())) spawnDetached([path.join(__dirname, 'watchdog.cjs'), folder, DISTILL])
  })

/** Asks the configured model about those sessions. What goes wrong is in `memctl status`. */
const distill = (store: Store) =>
  attempt(store, DISTILL, async () => {
    const endMs = Date.now() + DISTILL_BUDGET_MS
    const { distillDueSessions } = await import('../broker/distill/distillSessions.ts')
    await distillDueSessions(store, { env: process.env, now: Date.now, endMs })
  })

/** Starts a process that exchanges changes with the hub; none without a hub, or if the project has joined none. */
const startSync = (store: Store, folder: string) =>
  attempt(store, SYNC, async () => {
    if (!hasUserConfig(store) && !process.env['MEMCTL_DATABASE_URL']) return
    const { isSyncDue } = await import('../broker/team/syncProjects.ts')
    if (isSyncDue(store, process.env)) spawnDetached([path.join(__dirname, 'watchdog.cjs'), folder, SYNC])
  })

/** Exchanges changes with the hub. What goes wrong is in `memctl status`. */
const sync = (store: Store) =>
  attempt(store, SYNC, async () => {
    const endMs = Date.now() + SYNC_BUDGET_MS
    const { syncInBackground } = await import('../broker/team/syncProjects.ts')
    await syncInBackground(store, process.env, Date.now, endMs)
  })

/** Makes what the log has since the snapshot available to hooks. */
const refresh = (store: Store) => attempt(store, 'worker', () => refreshRecentSoon(store, Date.now, pause))

async function maintainAll(opened: Store, folder: string, run: WorkRun): Promise<void> {
  // So that the memory is found after the folder has changed.
  await step(run, 'folders', () => attempt(opened, 'worker', () => recordPlaces(opened, folder, Date.now())))
  await step(run, 'config', () => applyConfig(opened))
  await step(run, 'entries', () => applyEntries(opened))
  // Without this library a search by a model's vectors is exact and slower.
  if (hasModelVectors(opened)) await loadHnswLibrary(opened.home)
  const store = await maintain(folder, run)
  await step(run, 'code caches', () => attempt(store, 'worker', buildCaches))
  await step(run, 'embedder', () => embed(store))
  await startDistilling(store, folder)
  await startSync(store, folder)
}

async function runWorker(folder: string, task: string | undefined): Promise<void> {
  const store = openWorkerStore(folder)
  const run = startWorkRun(store, Date.now(), reportStep)
  const doTask = { [DISTILL]: distill, [RECENT]: refresh, [SYNC]: sync }[task ?? '']
  if (task && doTask) await step(run, task, () => doTask(store))
  else await maintainAll(store, folder, run)
  run.finish()
  process.exit(0)
}

const [, , folder, task] = process.argv
// A worker that waits ends within a minute after the session, and one that asks a model within five. A worker that does
// not wait ends before its next step.
setTimeout(() => process.exit(0), budgetMs(task)).unref()
if (task === CACHES) void buildCaches()
else if (folder) void runWorker(folder, task)
