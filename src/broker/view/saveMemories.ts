// Saving the memories of a view: only what changed is made anew.
//
// Two segments, one of the active memories and one of the archive, which no hook opens. Where only rows changed, only rows are
// written. Where memories came, went or changed their words, the segment is composed anew: kept texts and postings are copied, new
// ones analysed. Composing 100,000 memories takes some seconds of a detached worker; several segments would be cheaper to
// write, but slower to ask, and their statistics would drift from those a rebuild comes to.
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { IndexedDocument } from '../../store/index/writer.ts'
import type { Manifest, SegmentEntry } from '../../store/manifest.ts'
import type { Placed } from '../../store/memoryRead.ts'
import { ARCHIVE_MARK, changedRows, type Member, writeMemories, writeRows } from '../../store/memorySegment.ts'
import { ROW_FIELDS } from '../../store/row.ts'
import type { Store } from '../store.ts'
import type { View } from './view.ts'

/** A view with where its memories stand on disk, so that saving can tell what changed. */
export interface Loaded {
  readonly view: View
  manifest: Manifest
  places: Map<MemoryId, Placed>
  rows: Map<string, Buffer>
}

type Indexed = (memory: Memory) => IndexedDocument

/** Writes what changed; returns the segments of the new view and leaves `loaded` saying where everything stands now. */
export function saveMemories(store: Store, loaded: Loaded, generation: number, indexed: Indexed): SegmentEntry[] {
  const members = { active: [] as Member[], archived: [] as Member[] }
  let rank = 0
  for (const memory of loaded.view.memories.values()) {
    const place = loaded.places.get(memory.id)
    rank = Math.max(rank, place?.rank ?? rank)
    const keepsText = place !== undefined && place.memory.status === memory.status && sameText(place.memory, memory)
    members[memory.status].push({ memory, rank: place?.rank ?? rank, from: keepsText ? place.row : undefined })
    rank++
  }
  const name = String(generation).padStart(6, '0')
  return [
    ...saved(store, loaded, members.active, name, generation, indexed),
    ...saved(store, loaded, members.archived, `${name}${ARCHIVE_MARK}`, generation, indexed),
  ]
}

/** One segment of the new view: the old one where nothing changed, with new rows where only those did, else composed anew. */
function saved(
  store: Store,
  loaded: Loaded,
  members: readonly Member[],
  name: string,
  generation: number,
  indexed: Indexed,
): SegmentEntry[] {
  const folder = store.layout.segments
  const archive = name.endsWith(ARCHIVE_MARK)
  const old = loaded.manifest.segments.find((entry) => (entry.archive ?? false) === archive)
  if (members.length === 0) return []
  if (old && old.memories === members.length && members.every(({ from }, row) => from === row)) {
    const changed = members
      .map((member, row) => ({ ...member, row }))
      .filter(({ memory }) => loaded.places.get(memory.id)!.memory !== memory)
    if (changed.length === 0) return [old]
    const rows = changedRows(loaded.rows.get(old.name)!, changed)
    return [noted(loaded, writeRows(store.files, folder, old.name, generation, rows), members, rows)]
  }
  const entry = writeMemories(store.files, folder, name, generation, members, old, indexed)
  return [noted(loaded, entry, members, store.files.read(`${folder}/${entry.rows}`)!)]
}

function noted(loaded: Loaded, entry: SegmentEntry, members: readonly Member[], rows: Buffer): SegmentEntry {
  loaded.rows.set(entry.name, rows)
  members.forEach(({ memory, rank }, row) => {
    loaded.places.set(memory.id, { memory, segment: entry.name, row, rank })
  })
  return entry
}

/** Whether two states of a memory differ in nothing but what a row keeps. */
function sameText(before: Memory, after: Memory): boolean {
  if (before === after) return true
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Memory>
  for (const field of fields) {
    if (ROW_FIELDS.has(field) || before[field] === after[field]) continue
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) return false
  }
  return true
}

/** Removes the files of segments that no view names any more. A reader that has them open reads on. */
export function removeUnnamed(store: Store, segments: readonly SegmentEntry[]): void {
  const named = new Set(segments.flatMap((entry) => [`${entry.name}.txt`, `${entry.name}.idx`, entry.rows]))
  for (const name of store.files.list(store.layout.segments)) {
    if (!named.has(name)) store.files.remove(`${store.layout.segments}/${name}`)
  }
}
