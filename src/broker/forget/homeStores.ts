// The stores of a person: this project's, those of the other projects in memctl's home, and the global one.
import { storeLayout } from '../../store/disk/storeLayout.ts'
import { openGlobalStore } from '../entries/entryWriter.ts'
import type { Store } from '../open/openStore.ts'

/** All stores that have a log, this one first. */
export function listHomeStores(store: Store): Store[] {
  const { files, home } = store
  const folders = home === undefined ? [] : files.list(`${home}/projects`).map((name) => `${home}/projects/${name}`)
  const others = folders
    .filter((folder) => folder !== store.layout.folder)
    .map((folder) => openOtherStore(store, folder))
  const globalStore = openGlobalStore(store)
  const all = [store, ...others, ...(globalStore.layout.folder === store.layout.folder ? [] : [globalStore])]
  return all.filter((each) => each === store || files.list(each.layout.events).length > 0)
}

/** The store in a folder `<name>-<id>`. Its log is rewritten and rebuilt, which needs no files of the project. */
function openOtherStore({ files, home, userHome }: Store, folder: string): Store {
  const label = folder.slice(folder.lastIndexOf('/') + 1)
  const end = label.lastIndexOf('-')
  const project = { id: label.slice(end + 1), name: label.slice(0, end), root: folder, identity: 'folder' as const }
  return { files, project, ...(home && { home }), ...(userHome && { userHome }), layout: storeLayout(folder) }
}

/** How messages name a store: `projects/shop-1a2b`, `global`; one outside of memctl's home by its path. */
export function storeLabel({ home, layout }: Store): string {
  return home !== undefined && layout.folder.startsWith(`${home}/`)
    ? layout.folder.slice(home.length + 1)
    : layout.folder
}
