// Writes the recent segment: the memories that differ from the snapshot, and those of open sessions. Hooks read it as
// one more segment. Its files are never changed: each time there are new ones with the next number.
import type { Memory } from '../../model/memory.ts'
import { buildIndexTerms } from '../../recall/indexTerms.ts'
import type { RecentSegment } from '../../store/snapshot/manifest.ts'
import { writeMemorySegment } from '../../store/snapshot/segmentWriter.ts'
import type { Store } from '../open/openStore.ts'
import type { ProvisionalMemories } from './openSessions.ts'
import { withProvisional } from './provisionalMemories.ts'
import { hasSameText, type LoadedProjection } from './saveMemories.ts'

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
