// Eviction: entries that nobody has read for long, and the oldest of too many, are archived. They are never deleted.
import { entrySourceOf } from '../../entries/entrySource.ts'
import type { Memory } from '../../model/memory.ts'
import { isProjectTrusted } from '../../store/project/contentTrust.ts'
import { archiveEntries } from './entryArchive.ts'
import type { EvictionLimits } from './entryLimits.ts'
import { listEntries } from './entryRepository.ts'
import { type EntryWriter, isGlobalStore } from './entryWriter.ts'

const DAY_MS = 86_400_000

/**
 * Archives the entries over the limits, for each folder by itself. Of a project only those that the person's own tools
 * have written: files that came with the repository are never moved. Returns their keys.
 */
export function evictEntries(writer: EntryWriter, limits: EvictionLimits): readonly string[] {
  const { liveStore, now } = writer
  const layer = isGlobalStore(liveStore.store) ? 'global' : 'project'
  if (layer === 'project' && !isProjectTrusted(liveStore.store)) return []
  const folders = new Map<string | undefined, Memory[]>()
  for (const memory of listEntries(liveStore, { layer })) {
    const { file, own, session } = entrySourceOf(memory)
    if (!isOwnFile(file) || (layer === 'project' && own !== true)) continue
    const folder = folders.get(session)
    if (folder) folder.push(memory)
    else folders.set(session, [memory])
  }
  const due = [...folders.values()].flatMap((memories) => selectDue(memories, limits, now))
  archiveEntries(writer, due)
  return due.map((memory) => entrySourceOf(memory).key)
}

/** Entries of other programs are not evicted. */
const isOwnFile = (file: string): boolean => file.startsWith('global/') || file.startsWith('.memctl/')

/** Those without access for too long, and the longest unread ones over the limit of entries. */
function selectDue(memories: readonly Memory[], { entriesMax, ttlDays }: EvictionLimits, now: number): Memory[] {
  const inOrder = memories.toSorted((a, b) => lastAccessMs(a) - lastAccessMs(b) || (a.id < b.id ? -1 : 1))
  const over = inOrder.length - entriesMax
  return inOrder.filter((memory, i) => i < over || now - lastAccessMs(memory) >= ttlDays * DAY_MS)
}

/** When it was last read or written or first synced, in milliseconds since 1970. */
function lastAccessMs(memory: Memory): number {
  const source = entrySourceOf(memory)
  const times = [memory.lastUsed, memory.updated, source.updated_at, source.since]
  return Math.max(...times.map((at) => (at === undefined ? 0 : Date.parse(at))))
}
