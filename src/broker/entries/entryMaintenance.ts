// Maintenance of entries at a session's end: syncs files, records uses of global entries in the global store, and
// evicts.
import { listEntryDirs } from '../../entries/entryDirs.ts'
import type { MemoryId } from '../../model/id.ts'
import { acquireLock, removeStaleTempFiles } from '../../store/disk/lock.ts'
import { keepEarlierTrust } from '../../store/project/contentTrust.ts'
import { type LiveStore, openLiveStore } from '../live/liveStore.ts'
import { runMaintenance } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { type EvictionLimits, readEvictionLimits } from './entryLimits.ts'
import { archiveFolder, findEntryLink } from './entryPaths.ts'
import { createEntryWriter, type EntryWriter, openGlobalStore } from './entryWriter.ts'
import { evictEntries } from './evictEntries.ts'
import { recoverTakenFiles } from './moveFiles.ts'
import { syncEntries } from './syncEntries.ts'

/**
 * Runs before the snapshot is written. `env` has the limits of the entries spec. Throws CONFIG_INVALID for invalid
 * ones.
 */
export function maintainEntries(store: Store, env: Readonly<Record<string, string | undefined>>, now: number): void {
  const limits = readEvictionLimits(env)
  // One process is enough: what another one has read would be read again.
  const lock = acquireLock(store.files, store.layout.entriesLock)
  if (!lock) return
  try {
    maintainLocked(store, limits, now)
  } finally {
    lock.release()
  }
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
  global.liveStore.snapshotIfLarge(now)
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
