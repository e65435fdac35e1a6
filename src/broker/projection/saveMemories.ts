// Saves the memories of a projection as segments. Only what changed is written.
//
// There are two segments: the active memories, and the archive, which no hook opens. If only fields in rows changed,
// only the rows are written. If memories were added, removed or edited, the segment is written again: unchanged texts
// and postings are copied, new ones analyzed. That takes some seconds of a detached worker for 100,000 memories.
// Several segments would be faster to write but slower to query, and their statistics would differ from those after a
// rebuild.
import assert from 'node:assert'
import type { Memory } from '../../model/memory.ts'
import { buildIndexTerms } from '../../recall/indexTerms.ts'
import { checksum } from '../../store/disk/jsonFile.ts'
import {
  buildExpansions,
  hashMatches,
  type WordExpansion,
  type WordMatches,
} from '../../store/index/buildExpansions.ts'
import type { IndexedDocument } from '../../store/index/buildIndexSegment.ts'
import { openIndexSegment } from '../../store/index/indexSegment.ts'
import type { TermHash } from '../../store/index/segmentFormat.ts'
import type { RecentSegment, SegmentEntry } from '../../store/snapshot/manifest.ts'
import { ROW_FIELDS } from '../../store/snapshot/memoryRow.ts'
import {
  ARCHIVE_SUFFIX,
  type SegmentMember,
  updateRows,
  writeMemorySegment,
  writeSegmentRows,
} from '../../store/snapshot/segmentWriter.ts'
import { hash64 } from '../../text/hash.ts'
import { listSynonymGroups, termsOfWord } from '../../text/lexicon/lexicon.ts'
import type { Store } from '../open/openStore.ts'
import { withProvisional } from './openSessions.ts'
import { activePolicy, type LoadedProjection, type ProvisionalMemories } from './projection.ts'

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
    segments.flatMap(({ name, rows, expansions }) => [`${name}.txt`, `${name}.idx`, rows, expansions]),
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
  { projection, manifest, placements }: LoadedProjection,
  provisional: ProvisionalMemories,
): RecentSegment {
  const members = []
  const replaced: number[] = []
  let rank = placements.size
  const active = manifest.segments.find((entry) => !entry.archive)?.name
  for (const memory of withProvisional(projection.memories, provisional)) {
    const placement = placements.get(memory.id)
    if (placement && hasSameText(placement.memory, memory, COUNTED_FIELDS)) continue
    if (placement?.segment === active && placement) replaced.push(placement.row)
    if (memory.status === 'active') members.push({ memory, rank: placement?.rank ?? rank++ })
  }
  for (const { memory, segment, row } of placements.values()) {
    if (segment === active && !projection.memories.has(memory.id)) replaced.push(row)
  }
  const position = { cursor: projection.cursor, replaced: replaced.sort((a, b) => a - b) }
  const { generation } = manifest
  const name = nextName(manifest.generation, manifest.recent?.name)
  if (members.length === 0) return { name, rows: '', memories: 0, textBytes: 0, ...position }
  const { files, layout } = store
  const segment = { name, generation, members, old: undefined, buildTerms: buildIndexTerms }
  const entry = writeMemorySegment(files, layout.segments, segment)
  return { ...entry, textBytes: files.size(`${layout.segments}/${name}.txt`) ?? 0, ...position }
}

function nextName(generation: number, before: string | undefined): string {
  const prefix = `${String(generation).padStart(6, '0')}${RECENT_MARK}`
  return `${prefix}${before?.startsWith(prefix) ? Number(before.slice(prefix.length)) + 1 : 1}`
}

// Writes the expansions of the active segment from the developer lexicon. They follow from the keyword index alone, so
// every save can write them in little time.

interface ExpandedSegment {
  readonly entry: SegmentEntry
  /** Part of the file's name, different each time. */
  readonly generation: string
  /** The policy's weight of expansions; 0: there are none. */
  readonly weight: number
}

/** Writes the expansions of a segment and returns its entry with their file name; without a file if there are none. */
function writeExpansions(store: Store, { entry, generation, weight }: ExpandedSegment): SegmentEntry {
  const { files, layout } = store
  const { expansions: _, sums, ...rest } = entry
  const plain = sums ? { ...rest, sums: { text: sums.text, index: sums.index, rows: sums.rows } } : rest
  const index = weight > 0 ? openIndexSegment(files, `${layout.segments}/${entry.name}.idx`) : undefined
  if (!index) return plain
  try {
    lexicon ??= readLexicon()
    const bytes = buildExpansions(index, lexicon)
    if (!bytes) return plain
    const name = `${entry.name}.${generation}.exp`
    files.replace(`${layout.segments}/${name}`, bytes)
    return { ...plain, expansions: name, ...(sums && { sums: { ...sums, expansions: checksum(bytes) } }) }
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
