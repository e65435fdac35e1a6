// A scribe: the desk that entries' events are told at, and in whose name. The global layer has a desk of its own.
import { globalFolder } from '../../entries/places.ts'
import type { Happening } from '../../model/event.ts'
import { layoutOf } from '../../store/layout.ts'
import type { Caller } from '../commit/systemEvent.ts'
import type { Desk } from '../desk.ts'
import type { Store } from '../store.ts'

export interface Scribe {
  readonly desk: Desk
  /** Milliseconds since 1970. */
  readonly now: number
  tell(happening: Happening): void
}

/** `nonce` gives another text each time. */
export const scribeOf = (desk: Desk, caller: Omit<Caller, 'nonce'> & { readonly nonce: () => string }): Scribe => ({
  desk,
  now: caller.now,
  tell: (happening) => desk.tell(happening, { ...caller, nonce: caller.nonce() }),
})

/**
 * The store of the global layer: a log and a view as a project has them, beside the global entries. It knows when any project has
 * last read one of them.
 */
export function globalStoreOf(store: Store): Store {
  const folder = globalFolder(store)
  const { files, home = store.layout.folder, person } = store
  const project = { id: 'global', name: 'global', root: folder, identity: 'folder' as const }
  return { files, project, home, ...(person && { person }), layout: layoutOf(folder) }
}

export const isGlobal = (store: Store): boolean => store.layout.folder === globalFolder(store)
