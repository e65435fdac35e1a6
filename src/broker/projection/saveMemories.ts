// Saving the memories of a view: only what changed is made anew.
//
// Two segments, one of the active memories and one of the archive, which no hook opens. Where only rows changed, only rows are
// written. Where memories came, went or changed their words, the segment is composed anew: kept texts and postings are copied, new
// ones analysed. Composing 100,000 memories takes some seconds of a detached worker; several segments would be cheaper to
// write, but slower to ask, and their statistics would drift from those a rebuild comes to.
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { IndexedDocument } from '../../store/index/buildIndexSegment.ts'
import type { Manifest, SegmentEntry } from '../../store/snapshot/manifest.ts'
import { ROW_FIELDS } from '../../store/snapshot/rowFormat.ts'
import type { StoredMemory } from '../../store/snapshot/segmentReader.ts'
import {
  ARCHIVE_SUFFIX,
  type SegmentMember,
  updateRows,
  writeMemorySegment,
  writeSegmentRows,
} from '../../store/snapshot/segmentWriter.ts'
import type { Store } from '../open/openStore.ts'
import type { Projection } from './projection.ts'

/** A view with where its memories stand on disk, so that saving can tell what changed. */
export interface LoadedProjection {
  readonly projection: Projection
  manifest: Manifest
  placements: Map<MemoryId, StoredMemory>
  rows: Map<string, Buffer>
}

type Indexed = (memory: Memory) => IndexedDocument

/** Writes what changed; returns the segments of the new view and leaves `loaded` saying where everything stands now. */
export function saveMemories(
  store: Store,
  loaded: LoadedProjection,
  generation: number,
  indexed: Indexed,
): SegmentEntry[] {
  const members = { active: [] as SegmentMember[], archived: [] as SegmentMember[] }
  let rank = 0
  for (const memory of loaded.projection.memories.values()) {
    const place = loaded.placements.get(memory.id)
    rank = Math.max(rank, place?.rank ?? rank)
    const keepsText = place !== undefined && place.memory.status === memory.status && sameText(place.memory, memory)
    members[memory.status].push({ memory, rank: place?.rank ?? rank, copyFromRow: keepsText ? place.row : undefined })
    rank++
  }
  const name = String(generation).padStart(6, '0')
  return [
    ...saved(store, loaded, members.active, name, generation, indexed),
    ...saved(store, loaded, members.archived, `${name}${ARCHIVE_SUFFIX}`, generation, indexed),
  ]
}

/** One segment of the new view: the old one where nothing changed, with new rows where only those did, else composed anew. */
function saved(
  store: Store,
  loaded: LoadedProjection,
  members: readonly SegmentMember[],
  name: string,
  generation: number,
  indexed: Indexed,
): SegmentEntry[] {
  const folder = store.layout.segments
  const archive = name.endsWith(ARCHIVE_SUFFIX)
  const old = loaded.manifest.segments.find((entry) => (entry.archive ?? false) === archive)
  if (members.length === 0) return []
  if (old && old.memories === members.length && members.every(({ copyFromRow }, row) => copyFromRow === row)) {
    const changed = members
      .map((member, row) => ({ ...member, row }))
      .filter(({ memory }) => loaded.placements.get(memory.id)!.memory !== memory)
    if (changed.length === 0) return [old]
    const rows = updateRows(loaded.rows.get(old.name)!, changed)
    return [noted(loaded, writeSegmentRows(store.files, folder, old.name, generation, rows), members, rows)]
  }
  const entry = writeMemorySegment(store.files, folder, name, generation, members, old, indexed)
  return [noted(loaded, entry, members, store.files.read(`${folder}/${entry.rows}`)!)]
}

function noted(
  loaded: LoadedProjection,
  entry: SegmentEntry,
  members: readonly SegmentMember[],
  rows: Buffer,
): SegmentEntry {
  loaded.rows.set(entry.name, rows)
  members.forEach(({ memory, rank }, row) => {
    loaded.placements.set(memory.id, { memory, segment: entry.name, row, rank })
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
export function removeUnusedSegments(store: Store, segments: readonly SegmentEntry[]): void {
  const named = new Set(segments.flatMap((entry) => [`${entry.name}.txt`, `${entry.name}.idx`, entry.rows]))
  for (const name of store.files.list(store.layout.segments)) {
    if (!named.has(name)) store.files.remove(`${store.layout.segments}/${name}`)
  }
}
