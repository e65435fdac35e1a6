// Eviction: entries that nobody has read for long, and the oldest of too many, are archived. They are never deleted.
import { entrySourceOf } from '../../entries/entrySource.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isProjectTrusted } from '../../store/project/contentTrust.ts'
import { archiveEntries } from './entryArchive.ts'
import { listEntries } from './entryRepository.ts'
import { type EntryWriter, isGlobalStore } from './entryWriter.ts'

export interface EvictionLimits {
  /** Entries in one folder. */
  readonly entriesMax: number
  /** Days without access. */
  readonly ttlDays: number
}

/** Defaults of the entries spec. */
const ENTRIES_MAX = 1000
const TTL_DAYS = 90

const DAY_MS = 86_400_000

/** The limits from the environment variables of the entries spec. Throws CONFIG_INVALID. */
export function readEvictionLimits(env: Readonly<Record<string, string | undefined>>): EvictionLimits {
  const read = (name: string, fallback: number): number => {
    const value = env[name]?.trim()
    if (!value) return fallback
    if (/^\d{1,9}$/.test(value) && Number(value) > 0) return Number(value)
    throw new MemoryError('CONFIG_INVALID', `${name} is ${value}`, {
      hint: `Set it to a whole number from 1 up, or unset it for ${fallback}.`,
    })
  }
  return { entriesMax: read('MCP_MEMORY_MAX_ENTRIES', ENTRIES_MAX), ttlDays: read('MCP_MEMORY_TTL_DAYS', TTL_DAYS) }
}

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
