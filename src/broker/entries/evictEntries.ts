// Clean-up: entries that nobody has read for long, and the oldest of too many, go to the archive. Never deleted.
import { entrySourceOf } from '../../entries/entrySource.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { archiveEntries } from './entryArchive.ts'
import { listEntries } from './entryRepository.ts'
import { type EntryWriter, isGlobalStore } from './entryWriter.ts'

interface EvictionLimits {
  /** Entries of a folder. */
  readonly entriesMax: number
  /** Days without access. */
  readonly ttlDays: number
}

/** The document's. */
const ENTRIES_MAX = 1000
const TTL_DAYS = 90

const DAY_MS = 86_400_000

/** The limits as the document's variables say. Throws CONFIG_INVALID. */
export function readEvictionLimits(env: Readonly<Record<string, string | undefined>>): EvictionLimits {
  const read = (name: string, usual: number): number => {
    const given = env[name]?.trim()
    if (!given) return usual
    if (/^\d{1,9}$/.test(given) && Number(given) > 0) return Number(given)
    throw new MemoryError('CONFIG_INVALID', `${name} is ${given}`, {
      hint: `Set it to a whole number from 1 up, or unset it for ${usual}.`,
    })
  }
  return { entriesMax: read('MCP_MEMORY_MAX_ENTRIES', ENTRIES_MAX), ttlDays: read('MCP_MEMORY_TTL_DAYS', TTL_DAYS) }
}

/** Archives what has outlived the limits, in every folder of ours by itself; gives their keys. */
export function evictEntries(writer: EntryWriter, limits: EvictionLimits): readonly string[] {
  const { liveStore, now } = writer
  const layer = isGlobalStore(liveStore.store) ? 'global' : 'project'
  const folders = new Map<string | undefined, Memory[]>()
  for (const memory of listEntries(liveStore, { layer })) {
    const { file, session } = entrySourceOf(memory)
    if (!isOurs(file)) continue
    const folder = folders.get(session)
    if (folder) folder.push(memory)
    else folders.set(session, [memory])
  }
  const due = [...folders.values()].flatMap((memories) => dueOf(memories, limits, now))
  archiveEntries(writer, due)
  return due.map((memory) => entrySourceOf(memory).key)
}

/** Another program's entries are its own to clean up. */
const isOurs = (file: string): boolean => file.startsWith('global/') || file.startsWith('.memctl/')

/** Those over their days, and of the others the longest unread of too many. */
function dueOf(memories: readonly Memory[], { entriesMax, ttlDays }: EvictionLimits, now: number): Memory[] {
  const inOrder = memories.toSorted((a, b) => lastAccessMs(a) - lastAccessMs(b) || (a.id < b.id ? -1 : 1))
  const over = inOrder.length - entriesMax
  return inOrder.filter((memory, i) => i < over || now - lastAccessMs(memory) >= ttlDays * DAY_MS)
}

/** When somebody last read, wrote or first saw it, in milliseconds since 1970. */
function lastAccessMs(memory: Memory): number {
  const mark = entrySourceOf(memory)
  const times = [memory.lastUsed, memory.updated, mark.updated_at, mark.since]
  return Math.max(...times.map((at) => (at === undefined ? 0 : Date.parse(at))))
}
