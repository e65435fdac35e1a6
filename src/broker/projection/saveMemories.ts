// Saves the memories of a projection as segments. Only what changed is written.
//
//   active    │ 5,000 memories ▒ │ 900 ▒▒ │ 120 │      ▒ out of date: in a later segment, or gone
//   archived  │ 9,000 memories   │ 40 │              no hook opens these
//
// New and edited memories are in a new segment. An older segment stays if it has more memories than the later ones
// together; else its memories move to the new one: texts and postings are copied. So there are few segments, and each
// memory is written a few times in all. If only fields in rows changed, only the rows are written.
// A search counts documents over all segments, also those out of date (bm25.ts), so its scores differ a little from
// those after a rebuild, which writes one segment.

import assert from 'node:assert'
import type { Memory } from '../../model/memory.ts'
import { countEach } from '../../model/sorting.ts'
import { buildIndexTerms } from '../../recall/indexTerms.ts'
import { checksum } from '../../store/disk/jsonFile.ts'
import {
  buildExpansions,
  hashMatches,
  type WordExpansion,
  type WordMatches,
} from '../../store/index/buildExpansions.ts'
import { openIndexSegment, type TermHash } from '../../store/index/indexSegment.ts'
import type { RecentSegment, SegmentEntry } from '../../store/snapshot/manifest.ts'
import { ROW_FIELDS } from '../../store/snapshot/memoryRow.ts'
import {
  ARCHIVE_SUFFIX,
  type SegmentMember,
  updateRows,
  updateSegmentRows,
  writeMemorySegment,
} from '../../store/snapshot/segmentWriter.ts'
import type { Placement, StoredMemories } from '../../store/snapshot/storedMemories.ts'
import { hash64 } from '../../text/hash.ts'
import { listSynonymGroups, termsOfWord } from '../../text/lexicon/lexicon.ts'
import type { Store } from '../open/openStore.ts'
import { withProvisional } from './openSessions.ts'
import { activePolicy, type LoadedProjection, type ProvisionalMemories } from './projection.ts'

interface SegmentPlan {
  readonly name: string
  readonly isCheckpoint: boolean
  readonly generation: number
  readonly members: readonly SegmentMember[]
}

/**
 * Writes what changed, updates the placements in `loaded`, and returns the segments of the new snapshot. At a
 * checkpoint old segments stay: the next save merges them.
 */
export function saveMemories(
  store: Store,
  loaded: LoadedProjection,
  generation: number,
  isCheckpoint: boolean,
): SegmentEntry[] {
  const members = { active: [] as SegmentMember[], archived: [] as SegmentMember[] }
  const { stored } = loaded
  let rank = 0
  for (const { place, memory } of loaded.projection.memories.items()) {
    const before = place === undefined ? undefined : stored.placementAt(place)
    rank = Math.max(rank, before?.rank ?? rank)
    const status = memory?.status ?? stored.headAt(place ?? 0).status
    const isTextUnchanged = before !== undefined && (!memory || isCopied(stored.load(before.place), memory))
    members[status].push({ memory, rank: before?.rank ?? rank, copyFrom: isTextUnchanged ? before : undefined })
    rank++
  }
  const name = String(generation).padStart(6, '0')
  const active = saveSegments(store, loaded, { name, generation, isCheckpoint, members: members.active })
  const archived = { name: `${name}${ARCHIVE_SUFFIX}`, generation, isCheckpoint, members: members.archived }
  const { weight } = activePolicy(loaded.projection).expansion
  const isExpanded = ({ expansions }: SegmentEntry): boolean => expansions !== undefined || isCheckpoint
  return [
    ...active.map((entry) => (isExpanded(entry) ? entry : writeExpansions(store, entry, { generation, weight }))),
    ...saveSegments(store, loaded, archived),
  ]
}

const isCopied = (before: Memory, after: Memory): boolean =>
  before.status === after.status && hasSameText(before, after)

function saveSegments(store: Store, loaded: LoadedProjection, plan: SegmentPlan): SegmentEntry[] {
  const { name, generation, members } = plan
  const { files, layout } = store
  const isArchive = name.endsWith(ARCHIVE_SUFFIX)
  const old = loaded.manifest.segments.filter(({ archive = false }) => archive === isArchive)
  const kept = plan.isCheckpoint && old.length < CHECKPOINT_SEGMENTS_MAX ? old : selectKept(old, members)
  const own = new Map(kept.map((entry) => [entry.name, [] as SegmentMember[]]))
  const rest: SegmentMember[] = []
  for (const member of members) (own.get(member.copyFrom?.segment ?? '') ?? rest).push(member)
  const entries = kept.map((entry) =>
    updateSegment(store, loaded.stored, entry, { ...plan, members: own.get(entry.name) ?? [] }),
  )
  if (rest.length === 0) return entries
  const merged = old.slice(kept.length).flatMap((entry) => loaded.stored.segment(entry.name) ?? [])
  const segment = { name, generation, members: rest, old: merged, buildTerms: buildIndexTerms }
  return [...entries, writeMemorySegment(files, layout.segments, segment)]
}

/** As many segments stay at a checkpoint: each is open while it is used. */
const CHECKPOINT_SEGMENTS_MAX = 16

/** A changed segment of so few memories is always written again, so that a small store has one. */
const SMALL_MEMORIES = 100

/** A segment with a smaller share of its memories left is written again. */
const KEPT_SHARE = 0.75

/** The first of these segments, which stay: what was added and what is out of date is little in relation to them. */
function selectKept(old: readonly SegmentEntry[], members: readonly SegmentMember[]): SegmentEntry[] {
  const left = countEach(members.map(({ copyFrom }) => copyFrom?.segment))
  let later = left.get(undefined) ?? 0
  let end = old.length
  for (const [i, { name, memories }] of [...old.entries()].reverse()) {
    const count = left.get(name) ?? 0
    const isChanged = later > 0 || count < memories - (old[i]?.removed?.length ?? 0)
    if ((isChanged && count <= Math.max(SMALL_MEMORIES, later)) || count < KEPT_SHARE * memories) end = i
    later += count
  }
  return old.slice(0, end)
}

/** A segment that stays: with new rows if fields in them changed, and without the memories that have left it. */
function updateSegment(
  { files, layout }: Store,
  stored: StoredMemories,
  entry: SegmentEntry,
  { generation, members }: SegmentPlan,
): SegmentEntry {
  const old = stored.segment(entry.name)
  assert(old, `${entry.rows} was loaded`)
  const changed = members.flatMap(({ memory, rank, copyFrom }) =>
    memory && copyFrom ? { memory, rank, row: copyFrom.row } : [],
  )
  const isLeft = new Set(members.map(({ copyFrom }) => copyFrom?.row))
  const removed = Array.from({ length: entry.memories }, (_, row) => row).filter((row) => !isLeft.has(row))
  const updated = removed.length > 0 ? { ...entry, removed } : entry
  const rows = updateRows(old.bytes, changed)
  if (rows.equals(old.bytes) && !old.isUpgraded) return updated
  return updateSegmentRows(files, layout.segments, { entry: updated, generation, rows })
}

/** Whether two states of a memory differ only in `ignored` fields, by default those of its row. */
function hasSameText(before: Memory, after: Memory, ignored: ReadonlySet<string> = ROW_FIELDS): boolean {
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
    segments.flatMap(({ name, rows, patch, expansions }) => [`${name}.txt`, `${name}.idx`, rows, patch, expansions]),
  )
  for (const name of store.files.list(store.layout.segments)) {
    if (!used.has(name)) store.files.remove(`${store.layout.segments}/${name}`)
  }
}

// Writes the recent segment: the memories that differ from the snapshot, and those of open sessions. Hooks read it as
// one more segment. Its files are never changed: each time there are new ones with the next number.

/**
 * Fields that use, time and other sessions change. They are worth no new version: the next snapshot has them. Each
 * version more would count twice in the index's statistics.
 */
const COUNTED_FIELDS: ReadonlySet<string> = new Set<keyof Memory>([
  ...(['tier', 'consolidationLevel', 'importance', 'meetings', 'strength', 'impactScore', 'help'] as const),
  ...(['updated', 'lastUsed', 'lastDecayed', 'accessCount', 'candidateCount', 'strengthByPerspective'] as const),
])

/** Last part of the name of a recent segment: `000012-r3`. */
const RECENT_MARK = '-r'

/** Writes what differs from the snapshot in `loaded`. The snapshot's own files stay. The caller writes the manifest. */
export function writeRecentSegment(
  store: Store,
  { projection, manifest, stored }: LoadedProjection,
  provisional: ProvisionalMemories,
): RecentSegment {
  const members = []
  const replaced: number[] = []
  let rank = stored.places().length
  const firstRows = new Map<string, number>()
  let rows = 0
  for (const { name, memories, archive } of manifest.segments) {
    if (archive) continue
    firstRows.set(name, rows)
    rows += memories
  }
  const replace = ({ segment, row }: Placement): void => {
    const first = firstRows.get(segment)
    if (first !== undefined) replaced.push(first + row)
  }
  for (const { place, memory } of withProvisional(projection.memories, provisional).changes()) {
    const placement = place === undefined ? undefined : stored.placementAt(place)
    if (placement && hasSameText(stored.load(placement.place), memory, COUNTED_FIELDS)) continue
    if (placement) replace(placement)
    if (memory.status === 'active') members.push({ memory, rank: placement?.rank ?? rank++ })
  }
  for (const place of projection.memories.listDeleted()) replace(stored.placementAt(place))
  const position = { cursor: projection.cursor, replaced: replaced.sort((a, b) => a - b) }
  const { generation } = manifest
  const name = nextName(manifest.generation, manifest.recent?.name)
  if (members.length === 0) return { name, rows: '', memories: 0, textBytes: 0, ...position }
  const { files, layout } = store
  const segment = { name, generation, members, old: [], buildTerms: buildIndexTerms }
  const entry = writeMemorySegment(files, layout.segments, segment)
  return { ...entry, textBytes: files.size(`${layout.segments}/${name}.txt`) ?? 0, ...position }
}

function nextName(generation: number, before: string | undefined): string {
  const prefix = `${String(generation).padStart(6, '0')}${RECENT_MARK}`
  return `${prefix}${before?.startsWith(prefix) ? Number(before.slice(prefix.length)) + 1 : 1}`
}

// Writes the expansions of the active segment from the developer lexicon. They follow from the keyword index alone, so
// every save can write them in little time.

function writeExpansions(
  { files, layout }: Store,
  entry: SegmentEntry,
  { generation, weight }: { readonly generation: number; readonly weight: number },
): SegmentEntry {
  const index = weight > 0 ? openIndexSegment(files, `${layout.segments}/${entry.name}.idx`) : undefined
  if (!index) return entry
  try {
    lexicon ??= readLexicon()
    const bytes = buildExpansions(index, lexicon)
    if (!bytes) return entry
    const expansions = `${entry.name}.${generation}.exp`
    files.replace(`${layout.segments}/${expansions}`, bytes)
    return { ...entry, expansions, ...(entry.sums && { sums: { ...entry.sums, expansions: checksum(bytes) } }) }
  } finally {
    index.close()
  }
}

/** The lexicon in terms of the index; computed once per process, in 60 ms. */
let lexicon: readonly WordExpansion[] | undefined

/** A pair of less weight is left out: neither word means the same as its group. */
const PAIR_WEIGHT_MIN = 0.5

function readLexicon(): readonly WordExpansion[] {
  const terms = new Map<string, { readonly keys: readonly TermHash[]; readonly matches: WordMatches }>()
  const near = new Map<string, Map<string, number>>()
  for (const group of listSynonymGroups()) {
    for (const { word, weight } of group) {
      if (!terms.has(word)) {
        const { keys, matches } = termsOfWord(word)
        terms.set(word, { keys: keys.map(hash64), matches: hashMatches(matches) })
      }
      const known = near.get(word) ?? new Map<string, number>()
      near.set(word, known)
      for (const other of group) {
        const pair = weight * other.weight
        if (other.word === word || pair < PAIR_WEIGHT_MIN) continue
        known.set(other.word, Math.max(pair, known.get(other.word) ?? 0))
      }
    }
  }
  return [...near].flatMap(([word, others]) => {
    const { keys = [], matches: own = [] } = terms.get(word) ?? {}
    if (keys.length === 0) return []
    const neighbours = [...others].map(([other, weight]) => ({ matches: terms.get(other)?.matches ?? [], weight }))
    return [{ keys, own, neighbours: neighbours.filter(({ matches }) => matches.length > 0) }]
  })
}
