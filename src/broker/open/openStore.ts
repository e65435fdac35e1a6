// The store of a project, or of the global layer, as the broker uses it: the project, the paths of its files, and
// access to the disk.
import { globalEntriesFolder } from '../../entries/entryDirs.ts'
import { type Files, realDisk } from '../../store/disk/files.ts'
import { findUserHome, type StoreLayout, storeLayout, toSystemPath } from '../../store/disk/paths.ts'
import { countBytesAfter } from '../../store/log/eventLog.ts'
import {
  type Project,
  projectFolderPath,
  resolveMemctlHome,
  resolveProject,
  splitStoreName,
} from '../../store/project/project.ts'
import { openSnapshotReader, type SnapshotReader } from '../../store/snapshot/snapshotReader.ts'
import { upgradeMemory } from '../../store/snapshot/upgradeMemory.ts'

/** The variables of a process, or of a caller that gives others. */
export type Environment = Readonly<Record<string, string | undefined>>

export interface Store {
  readonly files: Files
  readonly layout: StoreLayout
  readonly project: Project
  /** memctl's home, which holds the user's config; undefined for a store outside of any home. */
  readonly home?: string
  /** The user's home folder, where other programs have their files; undefined for a store outside of any home. */
  readonly userHome?: string
  /** A command inside a session opened it: lists have what everyone in the project may see, and nothing of one role. */
  readonly isForSession?: true
}

/** The store of the project that a folder belongs to. Reads a few small files, writes nothing. */
export function openStore(folder: string, env: Environment, files: Files = realDisk): Store {
  const home = resolveMemctlHome(env)
  const project = resolveProject(folder, home)
  const userHome = findUserHome(env)
  const layout = storeLayout(projectFolderPath(home, project))
  return { files, project, home, ...(userHome && { userHome }), layout }
}

/** The store of this name in memctl's home. Its project's folder is not known: the root is the store's folder. */
export function openNamedStore({ files, home, userHome }: Store, name: string): Store {
  const folder = `${home}/projects/${name}`
  const project = { ...splitStoreName(name), root: folder, identity: 'folder' as const }
  return { files, project, ...(home && { home }), ...(userHome && { userHome }), layout: storeLayout(folder) }
}

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

/** A store in any folder, for a project root that is given and not detected: replays, benchmarks, tests. */
export function openStoreAt(folder: string, root: string, files: Files = realDisk): Store {
  const path = toSystemPath(root)
  const project = { id: 'given', name: path.slice(path.lastIndexOf('/') + 1), root: path, identity: 'folder' } as const
  return { files, project, layout: storeLayout(toSystemPath(folder)) }
}

/** A reader that sees everything in the log; undefined if no snapshot is as new as the log. Not for hooks. */
export function openCurrentReader({ files, layout }: Store): SnapshotReader | undefined {
  const reader = openSnapshotReader(files, layout, upgradeMemory)
  if (countBytesAfter(files, layout.events, reader.cursor) === 0) return reader
  reader.close()
  return undefined
}
