// Load and save the view. Only what changed is written: new memories as a new segment, changed ones as new rows.
//
// Order of writing: segments, work, policy, hot, and last the manifest, which makes them the view. A crash before that leaves
// the old view whole and some files nobody names; the next save takes them away. So what folding goes on from lies in files of
// that view alone: with the next one's, the log's tail would be folded a second time. policy.json and hot.json are for hooks.

import { MemoryError } from '../../model/errors.ts'
import type { Memory } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import { workedIn } from '../../recall/worked.ts'
import type { IndexedDocument } from '../../store/index/writer.ts'
import { writeJsonFile } from '../../store/json.ts'
import { readJson } from '../../store/jsonRead.ts'
import { upgradeMemory } from '../../store/legacyMemory.ts'
import { type Manifest, STORE_VERSION } from '../../store/manifest.ts'
import { readMemories } from '../../store/memoryRead.ts'
import { ROW_BYTES } from '../../store/row.ts'
import { readManifest } from '../../store/shelf.ts'
import type { PolicyFile } from '../policy/file.ts'
import type { Store } from '../store.ts'
import { servingIn } from './foldPolicy.ts'
import { hotOf } from './hot.ts'
import { type Loaded, removeUnnamed, saveMemories } from './saveMemories.ts'
import { emptyView, type SessionState, type View } from './view.ts'

/** What a view carries from session to session beside its memories and sessions. */
const CARRIED = ['judged', 'moves', 'baselines', 'trials', 'base', 'learned', 'frozen', 'history'] as const

/** All of a view but its memories. */
export interface Work extends Pick<View, (typeof CARRIED)[number]> {
  readonly sessions: readonly SessionState[]
}

/** What the view of this generation carries from session to session. Throws STORE_INVALID where it is not there. */
export function readWork({ files, layout }: Store, { generation }: Pick<Manifest, 'generation'>): Work {
  const work = readJson<Work>(files, layout.work(generation))
  if (!work) throw lost(layout.work(generation))
  return work
}

const lost = (file: string): MemoryError =>
  new MemoryError('STORE_INVALID', `${file} is not there, or not as the manifest says`, {
    mend: 'Run `memctl rebuild`: the view is written anew from the log, nothing is lost.',
  })

export function load(store: Store): Loaded {
  const manifest = readManifest(store.files, store.layout)
  const view = emptyView()
  const loaded: Loaded = { view, manifest, places: new Map(), rows: new Map() }
  if (manifest.generation === 0) return loaded
  const placed = manifest.segments.flatMap((entry) => {
    const read = readMemories(store.files, store.layout.segments, entry, upgradeMemory)
    // A view that is only half there must not be taken for whole, and saved as such.
    if (read.rows.length !== entry.memories * ROW_BYTES) throw lost(`${store.layout.segments}/${entry.rows}`)
    loaded.rows.set(entry.name, read.rows)
    return read.placed
  })
  // In the order in which they were made, archived or not: folding goes on as if it had never stopped.
  for (const one of placed.sort((a, b) => a.rank - b.rank)) {
    view.memories.set(one.memory.id, one.memory)
    loaded.places.set(one.memory.id, one)
  }
  const work = readWork(store, manifest)
  for (const session of work.sessions) view.sessions.set(session.id, session)
  // An earlier version may lack some of these, and may have kept other state that is dropped here.
  Object.assign(view, Object.fromEntries(CARRIED.flatMap((name) => (name in work ? [[name, work[name]]] : []))))
  view.cursor = manifest.cursor
  if (manifest.version < STORE_VERSION) {
    // Its rows say less and its words are cut otherwise: the next save analyses every memory anew.
    Object.assign(loaded, { manifest: { ...manifest, segments: [] }, places: new Map(), rows: new Map() })
  }
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
  const { judged, moves, baselines, trials, base, learned, frozen, history } = view
  const sessions = [...view.sessions.values()]
  const work: Work = { sessions, judged, moves, baselines, trials, base, learned, frozen, history }
  writeJsonFile(files, layout.work(generation), work)
  writeJsonFile(files, layout.policy, {
    ...{ name: base.name, base, learned, frozen, compiled: servingIn(view, shipped) },
  } satisfies PolicyFile)
  writeJsonFile(files, layout.hot, hotOf(view, generation))
  writeJsonFile(files, layout.worked, workedIn(view.memories.values(), generation))
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
  removeOldWork(store, generation)
}

/** The one before stays: who has read that manifest may be about to read it. */
function removeOldWork({ files, layout }: Store, generation: number): void {
  for (const name of files.list(layout.folder)) {
    const number = Number(/^work\.(\d+)\.json$/.exec(name)?.[1] ?? generation)
    if (number < generation - 1 || number > generation) files.remove(`${layout.folder}/${name}`)
  }
}
