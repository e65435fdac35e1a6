// The worker: organises one project's store after its session ended, makes the hooks' code caches, then ends. Started detached
// by a hook, never by the model.
import path from 'node:path'
import { hasConfig } from '../broker/hookConfig.ts'
import { mayHaveChosen } from '../broker/policy/chosen.ts'
import { type Store, storeOf } from '../broker/store.ts'
import { upkeep } from '../broker/upkeep.ts'
import { hasEntries } from '../entries/stamps.ts'
import { WORKER_BUDGET_MS } from '../model/limits.ts'
import { loadHnsw } from '../store/hnsw.ts'
import { noteFault } from './fault.ts'
import { warmHooks } from './warm.ts'

/** How often a busy store is tried again, in milliseconds, and for how long: the one who holds it may have seen our session as open. */
const RETRY_MS = 250
const RETRIES = 120

function work(folder: string, tries: number): void {
  const store = storeOf(folder, process.env)
  try {
    const report = upkeep(store, { now: Date.now() })
    if (report.busy && tries > 0) return void setTimeout(() => work(folder, tries - 1), RETRY_MS)
  } catch (fault) {
    noteFault(store, 'worker', fault)
  }
  void warmHooks(path.join(__dirname, 'hooks'), process.env, Date.now())
    .catch((fault) => noteFault(store, 'worker', fault))
    .then(() => takeEmbedder(store))
    .then(() => process.exit(0))
}

/** A person's choices, for every hook from now on; where they are wrong, those before go on. */
async function takeConfig(store: Store): Promise<void> {
  try {
    if (hasConfig(store)) (await import('../broker/compileConfig.ts')).compileConfig(store)
  } catch (fault) {
    noteFault(store, 'config.yaml', fault)
  }
  try {
    if (mayHaveChosen(store)) (await import('../broker/policy/choice.ts')).takePolicyChoice(store, Date.now())
  } catch (fault) {
    noteFault(store, 'policy', fault)
  }
}

/** What entries' files say, and their clean-up: events, before the view is made of them. */
async function takeEntries(store: Store): Promise<void> {
  try {
    if (hasEntries(store)) (await import('../broker/entries/settle.ts')).settleEntries(store, process.env, Date.now())
  } catch (fault) {
    noteFault(store, 'entries', fault)
  }
}

/** Vectors by the embedder a person has chosen: last of all, for it may be slow, far away or gone. */
async function takeEmbedder(store: Store): Promise<void> {
  try {
    if (hasConfig(store)) await (await import('../broker/embed/chosen.ts')).embedChosen(store, process.env)
  } catch (fault) {
    noteFault(store, 'embedder', fault)
  }
}

// Whatever happens, nothing of ours is alive a minute after a session.
setTimeout(() => process.exit(0), WORKER_BUDGET_MS).unref()
const folder = process.argv[2]
if (folder) {
  // The graph of vectors where its library can be loaded from here; without it distances are exact, and slower to ask.
  const store = storeOf(folder, process.env)
  void takeConfig(store)
    .then(() => takeEntries(store))
    .then(loadHnsw)
    .then(() => work(folder, RETRIES))
}
