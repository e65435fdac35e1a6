// The worker: organises one project's store after its session ended, makes the hooks' code caches, then ends. Started detached
// by a hook, never by the model.
import path from 'node:path'
import { runMaintenance } from '../broker/maintenance/maintenance.ts'
import { hasUserConfig } from '../broker/open/hookConfig.ts'
import { openStore, type Store } from '../broker/open/openStore.ts'
import { hasPolicyConfig } from '../broker/policy/hasPolicyConfig.ts'
import { hasEntries } from '../entries/mtimeCache.ts'
import { WORKER_BUDGET_MS } from '../model/limits.ts'
import { loadHnswLibrary } from '../store/vectors/hnswLibrary.ts'
import { buildCodeCaches } from './buildCodeCaches.ts'
import { recordFault } from './recordFault.ts'

/** How often a busy store is tried again, in milliseconds, and for how long: the one who holds it may have seen our session as open. */
const RETRY_MS = 250
const RETRIES = 120

function work(folder: string, tries: number): void {
  const store = openStore(folder, process.env)
  try {
    const report = runMaintenance(store, { now: Date.now() })
    if (report.busy && tries > 0) return void setTimeout(() => work(folder, tries - 1), RETRY_MS)
  } catch (fault) {
    recordFault(store, 'worker', fault)
  }
  void buildCodeCaches(path.join(__dirname, 'hooks'), process.env, Date.now())
    .catch((fault) => recordFault(store, 'worker', fault))
    .then(() => takeEmbedder(store))
    .then(() => process.exit(0))
}

/** A person's choices, for every hook from now on; where they are wrong, those before go on. */
async function takeConfig(store: Store): Promise<void> {
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

/** What entries' files say, and their clean-up: events, before the view is made of them. */
async function takeEntries(store: Store): Promise<void> {
  try {
    if (hasEntries(store))
      (await import('../broker/entries/entryMaintenance.ts')).maintainEntries(store, process.env, Date.now())
  } catch (fault) {
    recordFault(store, 'entries', fault)
  }
}

/** Vectors by the embedder a person has chosen: last of all, for it may be slow, far away or gone. */
async function takeEmbedder(store: Store): Promise<void> {
  try {
    if (hasUserConfig(store)) await (await import('../broker/embedding/reembed.ts')).embedMissing(store, process.env)
  } catch (fault) {
    recordFault(store, 'embedder', fault)
  }
}

// Whatever happens, nothing of ours is alive a minute after a session.
setTimeout(() => process.exit(0), WORKER_BUDGET_MS).unref()
const folder = process.argv[2]
if (folder) {
  // The graph of vectors where its library can be loaded from here; without it distances are exact, and slower to ask.
  const store = openStore(folder, process.env)
  void takeConfig(store)
    .then(() => takeEntries(store))
    .then(loadHnswLibrary)
    .then(() => work(folder, RETRIES))
}
