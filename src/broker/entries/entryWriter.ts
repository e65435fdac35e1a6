// The writer of entries: a live store, and the caller in whose name it commits. The global layer has a store of its
// own.
import { globalEntriesFolder } from '../../entries/entryDirs.ts'
import type { EventBody } from '../../model/event.ts'
import { storeLayout } from '../../store/disk/paths.ts'
import type { Caller } from '../commit/commitEvents.ts'
import type { LiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'

export interface EntryWriter {
  readonly liveStore: LiveStore
  /** Milliseconds since 1970. */
  readonly now: number
  commit(body: EventBody): void
}

/** `nonce` must return a new text each time. */
export const createEntryWriter = (
  liveStore: LiveStore,
  caller: Omit<Caller, 'nonce'> & { readonly nonce: () => string },
): EntryWriter => ({
  liveStore,
  now: caller.now,
  commit: (body) => liveStore.commit(body, { ...caller, nonce: caller.nonce() }),
})

/**
 * The store of the global layer, beside the global entries: a log and a snapshot like those of a project. It knows when
 * any project has last read an entry.
 */
export function openGlobalStore(store: Store): Store {
  const folder = globalEntriesFolder(store)
  const { files, home = store.layout.folder, userHome } = store
  const project = { id: 'global', name: 'global', root: folder, identity: 'folder' as const }
  return { files, project, home, ...(userHome && { userHome }), layout: storeLayout(folder) }
}

export const isGlobalStore = (store: Store): boolean => store.layout.folder === globalEntriesFolder(store)
