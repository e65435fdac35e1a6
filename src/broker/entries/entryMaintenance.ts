// Settling entries: what a session's end does for them. Taken up, the uses of global ones told where all projects tell them, cleaned up.
import { listEntryDirs } from '../../entries/entryDirs.ts'
import type { MemoryId } from '../../model/id.ts'
import { removeStaleTempFiles } from '../../store/disk/lock.ts'
import { type LiveStore, openLiveStore } from '../live/liveStore.ts'
import { runMaintenance } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { archiveFolder } from './entryPaths.ts'
import { createEntryWriter, type EntryWriter, openGlobalStore } from './entryWriter.ts'
import { evictEntries, readEvictionLimits } from './evictEntries.ts'
import { syncEntries } from './syncEntries.ts'

/** At a session's end or start, before the view is made; `env` has the document's limits. Throws CONFIG_INVALID for wrong ones. */
export function maintainEntries(store: Store, env: Readonly<Record<string, string | undefined>>, now: number): void {
  const limits = readEvictionLimits(env)
  const project = writer(openLiveStore(store), now)
  const global = writer(openLiveStore(openGlobalStore(store)), now)
  for (const scribe of [project, global]) syncEntries(scribe)
  // What a killed writer has left aside is no file of a person's repository.
  for (const { isOwn, folder } of listEntryDirs(store)) {
    if (isOwn) for (const at of [folder, archiveFolder(folder)]) removeStaleTempFiles(store.files, at)
  }
  tellUses(project.liveStore, global)
  evictEntries(project, limits)
  // What is archived there leaves the project's recall as well.
  if (evictEntries(global, limits).length > 0) syncEntries(project)
  global.liveStore.snapshotIfLarge(now)
}

/** For a command that waits: what entries' files say now is in the view. */
export function syncEntriesNow(store: Store, now: number): void {
  if (syncEntries(writer(openLiveStore(store), now))) runMaintenance(store, { now, sessions: [] })
}

/** Global entries that this project has used since anybody last told so. */
function tellUses({ memories }: LiveStore, global: EntryWriter): void {
  const there = global.liveStore.memories()
  const used: MemoryId[] = []
  for (const [id, { lastUsed }] of memories()) {
    const one = there.get(id)
    if (lastUsed !== undefined && one?.entrySource && lastUsed > (one.lastUsed ?? '')) used.push(id)
  }
  if (used.length > 0) global.commit({ kind: 'memory.accessed', memories: used })
}

/** In memctl's own name. Its events are told apart by their order. */
function writer(liveStore: LiveStore, now: number): EntryWriter {
  let told = 0
  return createEntryWriter(liveStore, { now, nonce: () => `${liveStore.store.layout.folder} ${told++}` })
}
