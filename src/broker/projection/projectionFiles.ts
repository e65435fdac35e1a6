// Load and save the view. Only what changed is written: new memories as a new segment, changed ones as new rows.
//
// Order of writing: segments, work, policy, hot, and last the manifest, which makes them the view. A crash before that leaves
// the old view whole and some files nobody names; the next save takes them away. So what folding goes on from lies in files of
// that view alone: with the next one's, the log's tail would be folded a second time. policy.json and hot.json are for hooks.

import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Policy } from '../../model/policy.ts'
import { buildSessionFileIndex } from '../../recall/sessionFileIndex.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { readJson } from '../../store/disk/readJson.ts'
import type { IndexedDocument } from '../../store/index/buildIndexSegment.ts'
import { type Manifest, STORE_VERSION } from '../../store/snapshot/manifest.ts'
import { ROW_BYTES } from '../../store/snapshot/rowFormat.ts'
import { readSegmentMemories } from '../../store/snapshot/segmentReader.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { upgradeMemory } from '../../store/snapshot/upgradeMemory.ts'
import type { Store } from '../open/openStore.ts'
import type { PolicyFile } from '../policy/policyFile.ts'
import { activePolicy } from './policyReducer.ts'
import { emptyProjection, type Projection, type SessionState } from './projection.ts'
import { type LoadedProjection, removeUnusedSegments, saveMemories } from './saveMemories.ts'
import { buildSessionStartSnapshot } from './sessionStartSnapshot.ts'

/** What a view carries from session to session beside its memories and sessions. */
const CARRIED = ['judged', 'moves', 'baselines', 'trials', 'base', 'learned', 'frozen', 'history'] as const

/** All of a view but its memories. */
export interface LearnerState extends Pick<Projection, (typeof CARRIED)[number]> {
  readonly sessions: readonly SessionState[]
}

/** What the view of this generation carries from session to session. Throws STORE_INVALID where it is not there. */
export function readLearnerState({ files, layout }: Store, { generation }: Pick<Manifest, 'generation'>): LearnerState {
  const work = readJson<LearnerState>(files, layout.work(generation))
  if (!work) throw lost(layout.work(generation))
  return work
}

const lost = (file: string): MemoryError =>
  new MemoryError('STORE_INVALID', `${file} is not there, or not as the manifest says`, {
    hint: 'Run `memctl rebuild`: the view is written anew from the log, nothing is lost.',
  })

export function loadProjection(store: Store): LoadedProjection {
  const manifest = readManifest(store.files, store.layout)
  const projection = emptyProjection()
  const loaded: LoadedProjection = { projection: projection, manifest, placements: new Map(), rows: new Map() }
  if (manifest.generation === 0) return loaded
  const placed = manifest.segments.flatMap((entry) => {
    const read = readSegmentMemories(store.files, store.layout.segments, entry, upgradeMemory)
    // A view that is only half there must not be taken for whole, and saved as such.
    if (read.rows.length !== entry.memories * ROW_BYTES) throw lost(`${store.layout.segments}/${entry.rows}`)
    loaded.rows.set(entry.name, read.rows)
    return read.placed
  })
  // In the order in which they were made, archived or not: folding goes on as if it had never stopped.
  for (const one of placed.sort((a, b) => a.rank - b.rank)) {
    projection.memories.set(one.memory.id, one.memory)
    loaded.placements.set(one.memory.id, one)
  }
  const work = readLearnerState(store, manifest)
  for (const session of work.sessions) projection.sessions.set(session.id, session)
  // An earlier version may lack some of these, and may have kept other state that is dropped here.
  Object.assign(projection, Object.fromEntries(CARRIED.flatMap((name) => (name in work ? [[name, work[name]]] : []))))
  projection.cursor = manifest.cursor
  if (manifest.version < STORE_VERSION) {
    // Its rows say less and its words are cut otherwise: the next save analyses every memory anew.
    Object.assign(loaded, { manifest: { ...manifest, segments: [] }, placements: new Map(), rows: new Map() })
  }
  return loaded
}

/** Writes what changed since it was loaded (or saved last), and makes it the current view. */
export function saveProjection(
  store: Store,
  loaded: LoadedProjection,
  shipped: Policy,
  indexed: (memory: Memory) => IndexedDocument,
  now: number,
): void {
  const { projection } = loaded
  const generation = loaded.manifest.generation + 1
  const segments = saveMemories(store, loaded, generation, indexed)
  const { files, layout } = store
  const { judged, moves, baselines, trials, base, learned, frozen, history } = projection
  const sessions = [...projection.sessions.values()]
  const work: LearnerState = { sessions, judged, moves, baselines, trials, base, learned, frozen, history }
  writeJsonFile(files, layout.work(generation), work)
  writeJsonFile(files, layout.policy, {
    ...{ name: base.name, base, learned, frozen, compiled: activePolicy(projection, shipped) },
  } satisfies PolicyFile)
  writeJsonFile(files, layout.hot, buildSessionStartSnapshot(projection, generation))
  writeJsonFile(files, layout.worked, buildSessionFileIndex(projection.memories.values(), generation))
  const manifest = {
    version: STORE_VERSION,
    generation,
    cursor: projection.cursor,
    segments,
    written: new Date(now).toISOString(),
  }
  writeJsonFile(files, layout.manifest, manifest)
  loaded.manifest = manifest
  removeUnusedSegments(store, segments)
  removeOldWork(store, generation)
}

/** The one before stays: who has read that manifest may be about to read it. */
function removeOldWork({ files, layout }: Store, generation: number): void {
  for (const name of files.list(layout.folder)) {
    const number = Number(/^work\.(\d+)\.json$/.exec(name)?.[1] ?? generation)
    if (number < generation - 1 || number > generation) files.remove(`${layout.folder}/${name}`)
  }
}
