// The first session of a project that has no memory yet: its folder may have had one under another identity. Where only
// this folder can be meant, the session gets that memory; elsewhere one line says how the person joins it.
//
// A project with a memory pays for none of this, except for one missing file at its starts.
import { storeLayout } from '../../store/disk/paths.ts'
import {
  countLinkRequests,
  createLink,
  noteEarlier,
  readEarlier,
  recordLinkRequest,
} from '../../store/project/earlierProject.ts'
import { readRecord } from '../../store/project/folderEvidence.ts'
import { storeNameOf } from '../../store/project/project.ts'
import type { Store } from '../open/openStore.ts'
import { countStoredMemories, findEarlierMemory } from '../open/projectTrust.ts'
import { type HookContext, openHookContext } from './hookContext.ts'

/** Starts at which the person is asked, at most. */
const ASKED_MAX = 3

/** What the first session says that has the memory of another identity of its folder. */
export const JOINED =
  'memctl: this folder has changed its origin or path, and keeps its memory; `memctl project unlink` separates them.'

/** The context with the folder's earlier memory; the same one if there is none, or if the person must decide. */
export function joinEarlier(context: HookContext, folder: string): HookContext {
  const { store, now, client } = context
  const { files, layout, home, project } = store
  if (home === undefined || project.linkedFrom !== undefined) return context
  const [earlier] = findEarlierMemory(store, folder)
  if (earlier === undefined) return context
  // Events that are already here are the worker's: it moves them before it links.
  if (!earlier.isCertain || files.list(layout.events).length > 0) {
    noteEarlier(files, layout.folder, earlier.store)
    return context
  }
  createLink(files, layout.folder, earlier.store)
  return { ...context, ...openHookContext(openLinked(store, home, earlier.store), now, client) }
}

function openLinked(store: Store, home: string, name: string): Store {
  const end = name.lastIndexOf('-')
  const { project } = store
  return {
    ...store,
    project: { ...project, id: name.slice(end + 1), name: name.slice(0, end), linkedFrom: storeNameOf(project) },
    layout: storeLayout(`${home}/projects/${name}`),
  }
}

/** The line that says where the folder's earlier memory is; undefined if nothing is open. Counts the request. */
export function requestLink({ files, layout, home, project }: Store): string | undefined {
  if (home === undefined || project.linkedFrom !== undefined) return undefined
  const { store } = readEarlier(files, layout.folder)
  if (store === undefined || countLinkRequests(files, layout.folder) >= ASKED_MAX) return undefined
  const count = countStoredMemories(files, home, store)
  if (count === 0) return undefined
  recordLinkRequest(files, layout.folder)
  const title = readRecord(files, `${home}/projects/${store}`).title ?? store.slice(0, store.lastIndexOf('-'))
  return (
    `memctl: this folder may be the project ${title} (${count} memories), which is not used here. ` +
    `If you want it: \`memctl project link ${store}\` in a terminal; \`memctl project unlink\` ends this message.`
  )
}
