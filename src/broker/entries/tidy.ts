// Clean-up: entries that nobody has read for long, and the oldest of too many, go to the archive. Never deleted.
import { sourceOf } from '../../entries/entrySource.ts'
import { MemoryError } from '../../model/errors.ts'
import type { Memory } from '../../model/memory.ts'
import { archiveEntries } from './archive.ts'
import { entriesOf } from './keep.ts'
import { isGlobal, type Scribe } from './scribe.ts'

interface Limits {
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
export function limitsIn(env: Readonly<Record<string, string | undefined>>): Limits {
  const read = (name: string, usual: number): number => {
    const given = env[name]?.trim()
    if (!given) return usual
    if (/^\d{1,9}$/.test(given) && Number(given) > 0) return Number(given)
    throw new MemoryError('CONFIG_INVALID', `${name} is ${given}`, {
      mend: `Set it to a whole number from 1 up, or unset it for ${usual}.`,
    })
  }
  return { entriesMax: read('MCP_MEMORY_MAX_ENTRIES', ENTRIES_MAX), ttlDays: read('MCP_MEMORY_TTL_DAYS', TTL_DAYS) }
}

/** Archives what has outlived the limits, in every folder of ours by itself; gives their keys. */
export function tidyEntries(scribe: Scribe, limits: Limits): readonly string[] {
  const { desk, now } = scribe
  const layer = isGlobal(desk.store) ? 'global' : 'project'
  const folders = new Map<string | undefined, Memory[]>()
  for (const memory of entriesOf(desk, { layer })) {
    const { file, session } = sourceOf(memory)
    if (!isOurs(file)) continue
    const folder = folders.get(session)
    if (folder) folder.push(memory)
    else folders.set(session, [memory])
  }
  const due = [...folders.values()].flatMap((memories) => dueOf(memories, limits, now))
  archiveEntries(scribe, due)
  return due.map((memory) => sourceOf(memory).key)
}

/** Another program's entries are its own to clean up. */
const isOurs = (file: string): boolean => file.startsWith('global/') || file.startsWith('.memctl/')

/** Those over their days, and of the others the longest unread of too many. */
function dueOf(memories: readonly Memory[], { entriesMax, ttlDays }: Limits, now: number): Memory[] {
  const inOrder = memories.toSorted((a, b) => lastAccess(a) - lastAccess(b) || (a.id < b.id ? -1 : 1))
  const over = inOrder.length - entriesMax
  return inOrder.filter((memory, i) => i < over || now - lastAccess(memory) >= ttlDays * DAY_MS)
}

/** When somebody last read, wrote or first saw it, in milliseconds since 1970. */
function lastAccess(memory: Memory): number {
  const mark = sourceOf(memory)
  const times = [memory.lastUsed, memory.updated, mark.updated_at, mark.since]
  return Math.max(...times.map((at) => (at === undefined ? 0 : Date.parse(at))))
}
