// Load and save the view. Only what changed is written: new memories as a new segment, changed ones as new rows.
//
// Order of writing: segments, work, policy, hot, and last the manifest, which makes them the view. A crash before that leaves
// the old view whole and some files nobody names; the next save takes them away.

import type { MemoryId } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'
import { type Policy, policyWith } from '../model/policy.ts'
import type { IndexedDocument } from '../store/index/writer.ts'
import { jsonFile } from '../store/json.ts'
import { type Manifest, NO_MANIFEST, type SegmentEntry, STORE_VERSION } from '../store/manifest.ts'
import {
  changedRows,
  mergeMemories,
  type Placed,
  readMemories,
  writeMemories,
  writeRows,
} from '../store/memorySegment.ts'
import { ROW_FIELDS } from '../store/row.ts'
import { readManifest } from '../store/shelf.ts'
import { hotOf } from './hot.ts'
import { NO_HOT } from './hotFile.ts'
import type { PolicyFile } from './policyFile.ts'
import type { Store } from './store.ts'
import { emptyView, type SessionState, type View } from './view.ts'

/** A view with where its memories stand on disk, so that saving can tell what changed. */
export interface Loaded {
  readonly view: View
  manifest: Manifest
  places: Map<MemoryId, Placed>
  rows: Map<string, Buffer>
}

interface Work {
  readonly sessions: readonly SessionState[]
  readonly judged: View['judged']
  readonly baselines: View['baselines']
}

/** A segment is merged into the one before it while it has more than this share of its memories. */
const MERGE_SHARE = 0.25

export function load(store: Store): Loaded {
  const manifest = readManifest(store.files, store.layout)
  const view = emptyView()
  const loaded: Loaded = { view, manifest, places: new Map(), rows: new Map() }
  if (manifest.generation === 0) return loaded
  for (const entry of manifest.segments) {
    const { placed, rows } = readMemories(store.files, store.layout.segments, entry)
    loaded.rows.set(entry.name, rows)
    for (const one of placed) {
      view.memories.set(one.memory.id, one.memory)
      loaded.places.set(one.memory.id, one)
    }
  }
  const empty = emptyView()
  const work = jsonFile<Work>(store.files, store.layout.work, {
    sessions: [],
    judged: [],
    baselines: empty.baselines,
  }).data
  const policy = jsonFile<Partial<PolicyFile>>(store.files, store.layout.policy, {}).data
  for (const session of work.sessions) view.sessions.set(session.id, session)
  view.judged = work.judged
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
  writeJson(store, layout.work, {
    sessions: [...view.sessions.values()],
    judged: view.judged,
    baselines: view.baselines,
  })
  writeJson(store, layout.policy, {
    name: shipped.name,
    learned: view.learned,
    compiled: policyWith(shipped, view.learned),
    history: view.history,
  })
  writeJson(store, layout.hot, hotOf(view, generation), NO_HOT)
  const manifest = {
    version: STORE_VERSION,
    generation,
    cursor: view.cursor,
    segments,
    written: new Date(now).toISOString(),
  }
  writeJson(store, layout.manifest, manifest, NO_MANIFEST)
  loaded.manifest = manifest
  removeUnnamed(store, segments)
  files.makeFolder(layout.segments)
}

function writeJson<T extends object>(store: Store, file: string, data: T, empty: object = {}): void {
  const low = jsonFile<object>(store.files, file, empty)
  low.data = data
  low.write()
}

/** Writes new and changed memories; returns the segments of the new view. */
function saveMemories(
  store: Store,
  loaded: Loaded,
  generation: number,
  indexed: (memory: Memory) => IndexedDocument,
): SegmentEntry[] {
  const { fresh, changed, gone } = differences(loaded)
  let entries = loaded.manifest.segments.map((entry) => rowsSaved(store, loaded, entry, generation, changed, gone))
  if (fresh.length > 0) {
    const name = String(generation).padStart(6, '0')
    const entry = writeMemories(store.files, store.layout.segments, name, generation, fresh, indexed)
    entries = [...entries, entry]
    loaded.rows.set(name, store.files.read(`${store.layout.segments}/${entry.rows}`)!)
    fresh.forEach((memory, row) => loaded.places.set(memory.id, { memory, segment: name, row }))
  }
  return merged(
    store,
    loaded,
    entries.filter((entry) => entry.memories > 0),
    generation,
  )
}

interface Differences {
  readonly fresh: readonly Memory[]
  /** By segment. */
  readonly changed: ReadonlyMap<string, readonly Placed[]>
  readonly gone: ReadonlyMap<string, readonly number[]>
}

function differences({ view, places }: Loaded): Differences {
  const fresh: Memory[] = []
  const changed = new Map<string, Placed[]>()
  const gone = new Map<string, number[]>()
  for (const memory of view.memories.values()) {
    const place = places.get(memory.id)
    if (place?.memory === memory) continue
    if (place && onlyRowDiffers(place.memory, memory)) {
      pushTo(changed, place.segment, { ...place, memory })
      places.set(memory.id, { ...place, memory })
    } else {
      if (place) pushTo(gone, place.segment, place.row)
      fresh.push(memory)
    }
  }
  for (const [id, place] of places) {
    if (view.memories.has(id)) continue
    pushTo(gone, place.segment, place.row)
    places.delete(id)
  }
  return { fresh, changed, gone }
}

/** Whether two states of a memory differ in nothing but what a row keeps. */
function onlyRowDiffers(before: Memory, after: Memory): boolean {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Memory>
  for (const field of fields) {
    if (ROW_FIELDS.has(field) || before[field] === after[field]) continue
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) return false
  }
  return true
}

function rowsSaved(
  store: Store,
  loaded: Loaded,
  entry: SegmentEntry,
  generation: number,
  changed: Differences['changed'],
  gone: Differences['gone'],
): SegmentEntry {
  const changedHere = changed.get(entry.name) ?? []
  const goneHere = gone.get(entry.name) ?? []
  if (changedHere.length === 0 && goneHere.length === 0) return entry
  const rows = changedRows(loaded.rows.get(entry.name)!, changedHere, goneHere)
  loaded.rows.set(entry.name, rows)
  return writeRows(store.files, store.layout.segments, entry.name, generation, rows)
}

/** Merges the newest segments while they are not much smaller than the one before: few segments, little copying. */
function merged(store: Store, loaded: Loaded, entries: SegmentEntry[], generation: number): SegmentEntry[] {
  let from = entries.length - 1
  let memories = entries[from]?.memories ?? 0
  while (from > 0 && memories > MERGE_SHARE * entries[from - 1]!.memories) memories += entries[--from]!.memories
  if (from >= entries.length - 1) return entries
  const name = `${String(generation).padStart(6, '0')}m`
  const entry = mergeMemories(store.files, store.layout.segments, entries.slice(from), name, generation)
  // Where each memory stands now is read again: the merge has left out what was gone.
  const { placed, rows } = readMemories(store.files, store.layout.segments, entry)
  loaded.rows.set(name, rows)
  for (const { memory, row } of placed) {
    // The view's own object stays the one compared with: what was read is equal, but another object.
    loaded.places.set(memory.id, { memory: loaded.view.memories.get(memory.id) ?? memory, segment: name, row })
  }
  return [...entries.slice(0, from), entry]
}

/** Removes the files of segments that no view names any more. A reader that has them open reads on. */
function removeUnnamed(store: Store, segments: readonly SegmentEntry[]): void {
  const named = new Set(segments.flatMap((entry) => [`${entry.name}.txt`, `${entry.name}.idx`, entry.rows]))
  for (const name of store.files.list(store.layout.segments)) {
    if (!named.has(name)) store.files.remove(`${store.layout.segments}/${name}`)
  }
}

function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
