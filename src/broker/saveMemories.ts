// Saving the memories of a view: only what changed is written. New ones make a new segment, changed ones new rows.
import type { MemoryId } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'
import type { IndexedDocument } from '../store/index/writer.ts'
import type { Manifest, SegmentEntry } from '../store/manifest.ts'
import { type Placed, readMemories } from '../store/memoryRead.ts'
import { ARCHIVE_MARK, changedRows, mergeMemories, writeMemories, writeRows } from '../store/memorySegment.ts'
import { ROW_FIELDS } from '../store/row.ts'
import type { Store } from './store.ts'
import type { View } from './view.ts'

/** A view with where its memories stand on disk, so that saving can tell what changed. */
export interface Loaded {
  readonly view: View
  manifest: Manifest
  places: Map<MemoryId, Placed>
  rows: Map<string, Buffer>
}

/** A segment is merged into the one before it while it has more than this share of its memories. */
const MERGE_SHARE = 0.25

/** Writes new and changed memories; returns the segments of the new view. */
export function saveMemories(
  store: Store,
  loaded: Loaded,
  generation: number,
  indexed: (memory: Memory) => IndexedDocument,
): SegmentEntry[] {
  const { fresh, changed, gone } = differences(loaded)
  const before = loaded.manifest.segments.map((entry) => rowsSaved(store, loaded, entry, generation, changed, gone))
  const name = String(generation).padStart(6, '0')
  // Archived memories have segments of their own, which no hook opens: recall must not grow slower with the years.
  return [true, false].flatMap((archive) => {
    const own = before.filter((entry) => (entry.archive ?? false) === archive && entry.memories > 0)
    const news = fresh.filter((memory) => (memory.status === 'archived') === archive)
    const added = written(store, loaded, archive ? `${name}${ARCHIVE_MARK}` : name, generation, news, indexed)
    return merged(store, loaded, [...own, ...added], `${name}m${archive ? ARCHIVE_MARK : ''}`, generation)
  })
}

/** These memories as a new segment; none where there are none. */
function written(
  store: Store,
  loaded: Loaded,
  name: string,
  generation: number,
  memories: readonly Memory[],
  indexed: (memory: Memory) => IndexedDocument,
): SegmentEntry[] {
  if (memories.length === 0) return []
  const entry = writeMemories(store.files, store.layout.segments, name, generation, memories, indexed)
  loaded.rows.set(name, store.files.read(`${store.layout.segments}/${entry.rows}`)!)
  memories.forEach((memory, row) => loaded.places.set(memory.id, { memory, segment: name, row }))
  return [entry]
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
function merged(
  store: Store,
  loaded: Loaded,
  entries: SegmentEntry[],
  name: string,
  generation: number,
): SegmentEntry[] {
  let from = entries.length - 1
  let memories = entries[from]?.memories ?? 0
  while (from > 0 && memories > MERGE_SHARE * entries[from - 1]!.memories) memories += entries[--from]!.memories
  if (from >= entries.length - 1) return entries
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
export function removeUnnamed(store: Store, segments: readonly SegmentEntry[]): void {
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
