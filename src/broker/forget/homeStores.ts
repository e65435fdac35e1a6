// The stores of a person: this project's, those of the other projects in memctl's home, and the global one.
import { openGlobalStore } from '../entries/entryWriter.ts'
import { openNamedStore, type Store } from '../open/openStore.ts'

/** All stores that have a log, this one first. */
export function listHomeStores(store: Store): Store[] {
  const { files, home } = store
  const names = home === undefined ? [] : files.list(`${home}/projects`)
  const others = names
    .map((name) => openNamedStore(store, name))
    .filter(({ layout }) => layout.folder !== store.layout.folder)
  const globalStore = openGlobalStore(store)
  const all = [store, ...others, ...(globalStore.layout.folder === store.layout.folder ? [] : [globalStore])]
  return all.filter((each) => each === store || files.list(each.layout.events).length > 0)
}

/** How messages name a store: `projects/shop-1a2b`, `global`; one outside of memctl's home by its path. */
export function storeLabel({ home, layout }: Store): string {
  return home !== undefined && layout.folder.startsWith(`${home}/`)
    ? layout.folder.slice(home.length + 1)
    : layout.folder
}
