// Maintenance of entries at a session's end, and after a person's choice whether a folder is trusted: syncs files,
// records uses of global entries in the global store, and evicts: entries that nobody has read for long, and the oldest
// of too many, are archived. They are never deleted.
import { entrySourceOf } from '../../entries/entry.ts'
import { listEntryDirs, readMtimeCache, splitEntryPath } from '../../entries/entryDirs.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { groupBy } from '../../model/sorting.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { removeStaleTempFiles, withLock } from '../../store/disk/lock.ts'
import { keepEarlierTrust, writeTrust } from '../../store/project/contentTrust.ts'
import { commitPolicyChoice } from '../commands/policyCommands.ts'
import { type LiveStore, openLiveStore } from '../live/liveStore.ts'
import { runMaintenance } from '../maintenance/maintenance.ts'
import { type Environment, isGlobalStore, openGlobalStore, type Store } from '../open/openStore.ts'
import { hasPolicyConfig } from '../policy/activePolicy.ts'
import { archiveEntries } from './entryArchive.ts'
import { archiveFolder, findEntryLink, recoverTakenFiles } from './entryFiles.ts'
import { listEntries } from './entryRepository.ts'
import { createEntryWriter, type EntryWriter, syncEntries } from './syncEntries.ts'

/**
 * Runs before the snapshot is written. `env` has the limits of the entries spec. Throws CONFIG_INVALID for invalid
 * ones.
 */
export function maintainEntries(store: Store, env: Environment, now: number): void {
  const limits = readEvictionLimits(env)
  // One process is enough: what another one has read would be read again.
  withLock(store.files, store.layout.entriesLock, () => maintainLocked(store, limits, now))
}

function maintainLocked(store: Store, limits: EvictionLimits, now: number): void {
  keepEarlierTrust(store, now)
  const project = createWriter(openLiveStore(store), now)
  const global = createWriter(openLiveStore(openGlobalStore(store)), now)
  // Temporary files of killed processes would show up in the user's repository.
  for (const { isOwn, folder } of listEntryDirs(store)) {
    if (!isOwn) continue
    for (const at of [folder, archiveFolder(folder)]) {
      if (findEntryLink(store, at) !== undefined) continue
      removeStaleTempFiles(store.files, at)
      recoverTakenFiles(store.files, at)
    }
  }
  for (const writer of [project, global]) syncEntries(writer)
  recordGlobalUses(project.liveStore, global)
  evictEntries(project, limits)
  // The project's recall must not show archived global entries.
  if (evictEntries(global, limits).length > 0) syncEntries(project)
  global.liveStore.close(now)
}

/** Brings the entry files as they are now into the snapshot, for a command that waits for it. */
export function syncEntriesNow(store: Store, now: number): void {
  if (syncEntries(createWriter(openLiveStore(store), now))) runMaintenance(store, { now, sessions: [] })
}

/** Records in the global store which global entries this project has used since the last recorded use. */
function recordGlobalUses({ memories }: LiveStore, global: EntryWriter): void {
  const globalMemories = global.liveStore.memories()
  const used: MemoryId[] = []
  for (const [id, { lastUsed }] of memories()) {
    const memory = globalMemories.get(id)
    if (lastUsed !== undefined && memory?.entrySource && lastUsed > (memory.lastUsed ?? '')) used.push(id)
  }
  if (used.length > 0) global.commit({ kind: 'memory.accessed', memories: used })
}

/** A writer for memctl itself. Its nonces are the folder and a counter. */
function createWriter(liveStore: LiveStore, now: number): EntryWriter {
  let count = 0
  return createEntryWriter(liveStore, { now, nonce: () => `${liveStore.store.layout.folder} ${count++}` })
}

const DAY_MS = 86_400_000

/**
 * Archives the entries over the limits, for each folder by itself. Of a project only those that the person's own tools
 * have written: files that came with the repository are never moved. Returns their keys.
 */
export function evictEntries(writer: EntryWriter, limits: EvictionLimits): readonly string[] {
  const { liveStore, now } = writer
  const layer = isGlobalStore(liveStore.store) ? 'global' : 'project'
  const mayEvict = (memory: Memory): boolean => {
    const { file, own } = entrySourceOf(memory)
    return isOwnFile(file) && (layer === 'global' || own === true)
  }
  const entries = listEntries(liveStore, { layer }).filter(mayEvict)
  const folders = groupBy(entries, (memory) => entrySourceOf(memory).session)
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

export type EvictionLimits = ReturnType<typeof readEvictionLimits>

/** Defaults of the entries spec. */
const ENTRIES_MAX = 1000
const TTL_DAYS = 90

/** The limits from the environment variables of the entries spec. Throws CONFIG_INVALID. */
export function readEvictionLimits(env: Environment) {
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
 * Stores the choice and applies it. Without trust, entries that came with the repository are removed from the memory;
 * their files stay. Throws CONFIG_INVALID and POLICY_INVALID for a config of the person.
 */
export function changeTrust(store: Store, trust: 'trusted' | 'untrusted', now: number): void {
  writeTrust(store, trust, now)
  const { files, layout, project } = store
  if (trust === 'trusted' && files.size(layout.entries) !== undefined) {
    // Files that have changed without trust are read again.
    const kept = Object.entries(readMtimeCache(store)).filter(([path]) => !splitEntryPath(project.root, path))
    writeJsonFile(files, layout.entries, Object.fromEntries(kept))
  }
  syncEntriesNow(store, now)
  if (hasPolicyConfig(store) && commitPolicyChoice(store, now)) runMaintenance(store, { now, sessions: [] })
}
