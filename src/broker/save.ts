// Load and save the view. Only what changed is written: new memories as a new segment, changed ones as new rows.
//
// Order of writing: segments, work, policy, hot, and last the manifest, which makes them the view. A crash before that leaves
// the old view whole and some files nobody names; the next save takes them away.

import type { Memory } from '../model/memory.ts'
import { type Policy, policyWith } from '../model/policy.ts'
import type { IndexedDocument } from '../store/index/writer.ts'
import { readJsonFile, writeJsonFile } from '../store/json.ts'
import { STORE_VERSION } from '../store/manifest.ts'
import { readMemories } from '../store/memoryRead.ts'
import { readManifest } from '../store/shelf.ts'
import { hotOf } from './hot.ts'
import type { PolicyFile } from './policyFile.ts'
import { type Loaded, removeUnnamed, saveMemories } from './saveMemories.ts'
import type { Store } from './store.ts'
import { emptyView, type SessionState, type View } from './view.ts'

interface Work {
  readonly sessions: readonly SessionState[]
  readonly judged: View['judged']
  readonly moves: View['moves']
  readonly baselines: View['baselines']
}

export function load(store: Store): Loaded {
  const manifest = readManifest(store.files, store.layout)
  const view = emptyView()
  const loaded: Loaded = { view, manifest, places: new Map(), rows: new Map() }
  if (manifest.generation === 0) return loaded
  const placed = manifest.segments.flatMap((entry) => {
    const read = readMemories(store.files, store.layout.segments, entry)
    loaded.rows.set(entry.name, read.rows)
    return read.placed
  })
  // In the order in which they were made, archived or not: folding goes on as if it had never stopped.
  for (const one of placed.sort((a, b) => a.rank - b.rank)) {
    view.memories.set(one.memory.id, one.memory)
    loaded.places.set(one.memory.id, one)
  }
  const empty = emptyView()
  const work = readJsonFile<Work>(store.files, store.layout.work, {
    sessions: [],
    judged: [],
    moves: [],
    baselines: empty.baselines,
  })
  const policy = readJsonFile<Partial<PolicyFile>>(store.files, store.layout.policy, {})
  for (const session of work.sessions) view.sessions.set(session.id, session)
  view.judged = work.judged
  view.moves = work.moves ?? []
  view.baselines = work.baselines
  view.learned = policy.learned ?? empty.learned
  view.history = policy.history ?? empty.history
  view.cursor = manifest.cursor
  return loaded
}

/** Writes what changed since it was loaded (or saved last), and makes it the current view. */
export function save(
  store: Store,
  loaded: Loaded,
  shipped: Policy,
  indexed: (memory: Memory) => IndexedDocument,
  now: number,
): void {
  const { view } = loaded
  const generation = loaded.manifest.generation + 1
  const segments = saveMemories(store, loaded, generation, indexed)
  const { files, layout } = store
  writeJsonFile(files, layout.work, {
    sessions: [...view.sessions.values()],
    judged: view.judged,
    moves: view.moves,
    baselines: view.baselines,
  })
  writeJsonFile(files, layout.policy, {
    name: shipped.name,
    learned: view.learned,
    compiled: policyWith(shipped, view.learned),
    history: view.history,
  })
  writeJsonFile(files, layout.hot, hotOf(view, generation))
  const manifest = {
    version: STORE_VERSION,
    generation,
    cursor: view.cursor,
    segments,
    written: new Date(now).toISOString(),
  }
  writeJsonFile(files, layout.manifest, manifest)
  loaded.manifest = manifest
  removeUnnamed(store, segments)
}
