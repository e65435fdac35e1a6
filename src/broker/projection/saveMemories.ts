// Saves the memories of a projection as segments. Only what changed is written.
//
// There are two segments: the active memories, and the archive, which no hook opens. If only fields in rows changed,
// only the rows are written. If memories were added, removed or edited, the segment is written again: unchanged texts
// and postings are copied, new ones analyzed. That takes some seconds of a detached worker for 100,000 memories.
// Several segments would be faster to write but slower to query, and their statistics would differ from those after a
// rebuild.
import assert from 'node:assert'
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
import { writeExpansions } from './expansionFile.ts'
import type { ProvisionalMemories } from './openSessions.ts'
import { activePolicy } from './policyReducer.ts'
import type { Projection } from './projection.ts'

/** A projection and the positions of its memories on disk, which tell what has changed since. */
export interface LoadedProjection {
  readonly projection: Projection
  manifest: Manifest
  placements: Map<MemoryId, StoredMemory>
  rows: Map<string, Buffer>
  /** What open sessions have learned up to a cursor, as JSON: see openSessions.ts. */
  provisional?: { readonly cursor: string; readonly memories: ProvisionalMemories }
}

type BuildTerms = (memory: Memory) => IndexedDocument

/** A segment to write. */
interface SegmentPlan {
  readonly name: string
  readonly generation: number
  readonly members: readonly SegmentMember[]
}

/** Writes what changed, updates the placements in `loaded`, and returns the segments of the new snapshot. */
export function saveMemories(
  store: Store,
  loaded: LoadedProjection,
  generation: number,
  buildTerms: BuildTerms,
): SegmentEntry[] {
  const members = { active: [] as SegmentMember[], archived: [] as SegmentMember[] }
  let rank = 0
  for (const memory of loaded.projection.memories.values()) {
    const placement = loaded.placements.get(memory.id)
    rank = Math.max(rank, placement?.rank ?? rank)
    const isTextUnchanged = placement?.memory.status === memory.status && hasSameText(placement.memory, memory)
    const copyFromRow = isTextUnchanged ? placement.row : undefined
    members[memory.status].push({ memory, rank: placement?.rank ?? rank, copyFromRow })
    rank++
  }
  const name = String(generation).padStart(6, '0')
  const active = saveSegment(store, loaded, { name, generation, members: members.active }, buildTerms)
  return [
    active && expandSegment(store, loaded, active, { name, generation, members: members.active }),
    saveSegment(store, loaded, { name: `${name}${ARCHIVE_SUFFIX}`, generation, members: members.archived }, buildTerms),
  ].filter((entry) => entry !== undefined)
}

/** The segment with its expansions: those it has, or new ones if its index is new or it has none yet. */
function expandSegment(store: Store, loaded: LoadedProjection, entry: SegmentEntry, plan: SegmentPlan): SegmentEntry {
  const old = loaded.manifest.segments.find(({ name }) => name === entry.name)
  if (old?.expansions) {
    const sums = entry.sums && { ...entry.sums, expansions: old.sums?.expansions }
    return { ...entry, expansions: old.expansions, sums }
  }
  const { weight } = activePolicy(loaded.projection).expansion
  return writeExpansions(store, { entry, generation: String(plan.generation), weight })
}

/** A segment of the new snapshot: the old one if nothing changed, the old one with new rows, or a new one. */
function saveSegment(
  store: Store,
  loaded: LoadedProjection,
  plan: SegmentPlan,
  buildTerms: BuildTerms,
): SegmentEntry | undefined {
  const { name, generation, members } = plan
  const { files, layout } = store
  if (members.length === 0) return undefined
  const isArchive = name.endsWith(ARCHIVE_SUFFIX)
  const old = loaded.manifest.segments.find((entry) => (entry.archive ?? false) === isArchive)
  const oldRows = old && loaded.rows.get(old.name)
  if (oldRows && old.memories === members.length && members.every(({ copyFromRow }, row) => copyFromRow === row)) {
    const changed = members
      .map((member, row) => ({ ...member, row }))
      .filter(({ memory }) => loaded.placements.get(memory.id)?.memory !== memory)
    if (changed.length === 0) return old
    const rows = updateRows(oldRows, changed)
    const entry = writeSegmentRows(files, layout.segments, { name: old.name, generation, rows, sums: old.sums })
    updatePlacements(loaded, entry, members, rows)
    return entry
  }
  const entry = writeMemorySegment(files, layout.segments, { ...plan, old, buildTerms })
  const rows = files.read(`${layout.segments}/${entry.rows}`)
  assert(rows, `${entry.rows} was just written`)
  updatePlacements(loaded, entry, members, rows)
  return entry
}

function updatePlacements(
  loaded: LoadedProjection,
  entry: SegmentEntry,
  members: readonly SegmentMember[],
  rows: Buffer,
): void {
  loaded.rows.set(entry.name, rows)
  members.forEach(({ memory, rank }, row) => {
    loaded.placements.set(memory.id, { memory, segment: entry.name, row, rank })
  })
}

/** Whether two states of a memory differ only in `ignored` fields, by default those of its row. */
export function hasSameText(before: Memory, after: Memory, ignored: ReadonlySet<string> = ROW_FIELDS): boolean {
  if (before === after) return true
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Memory>
  for (const field of fields) {
    if (ignored.has(field) || before[field] === after[field]) continue
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) return false
  }
  return true
}

/** Removes the files of all other segments. Readers that have them open can still read them. */
export function removeUnusedSegments(store: Store, segments: readonly Omit<SegmentEntry, 'archive'>[]): void {
  const used = new Set(
    segments.flatMap(({ name, rows, expansions }) => [`${name}.txt`, `${name}.idx`, rows, expansions]),
  )
  for (const name of store.files.list(store.layout.segments)) {
    if (!used.has(name)) store.files.remove(`${store.layout.segments}/${name}`)
  }
}
