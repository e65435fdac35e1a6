// The files of entries: their paths by label and in the archive, and how they are read.
import { ENTRY_FILE_BYTES_MAX, ENTRY_LIMITS } from '../../entries/entry.ts'
import { globalEntriesFolder } from '../../entries/entryDirs.ts'
import type { EntryFile } from '../../entries/mtimeCache.ts'
import type { Access } from '../../store/disk/diskCalls.ts'
import {
  type FileFault,
  type FolderNames,
  findLinkBelow,
  isFileFault,
  listUntrusted,
  readUntrusted,
} from '../../store/disk/untrustedFiles.ts'
import type { Store } from '../open/openStore.ts'

/** The label of a file in its memory: the same on every machine. */
export const entryLabel = ({ dir, name }: EntryFile): string => `${dir.label}/${name}`

/** The path of a label on this machine. */
export function entryPath(store: Store, label: string): string {
  if (label.startsWith('global/')) return globalEntriesFolder(store) + label.slice('global'.length)
  if (label.startsWith('~/')) return (store.userHome ?? '') + label.slice(1)
  return `${store.project.root}/${label}`
}

/**
 * The content of a file of entries; undefined if there is none. In a project only a regular file that no link leads
 * to: a link in a repository must not bring other files of this machine into memories. Links in the user's home are
 * trusted.
 */
export const readEntryFile = (store: Store, path: string): Buffer | FileFault | undefined =>
  readUntrusted(untrustedRoot(store, path), path, ENTRY_FILE_BYTES_MAX)

/** The same, undefined also for what cannot be read. */
export function readEntryBytes(store: Store, path: string): Buffer | undefined {
  const read = readEntryFile(store, path)
  return isFileFault(read) ? undefined : read
}

/** The link that a path in a folder of entries leads through; undefined without one. The file need not exist. */
export function findEntryLink(store: Store, path: string): string | undefined {
  const root = untrustedRoot(store, path)
  return root === undefined ? undefined : findLinkBelow(root, path)
}

/** The project's root for a path that a repository can bring; undefined for one in the user's home. */
const untrustedRoot = ({ project, home }: Store, path: string): string | undefined =>
  path.startsWith(`${project.root}/`) && !(home !== undefined && path.startsWith(`${home}/`)) ? project.root : undefined

/** The names in an archive. */
export const listArchive = (store: Store, folder: string): FolderNames =>
  listUntrusted(untrustedRoot(store, folder), folder, ENTRY_LIMITS.filesMax)

/** Who may read an entry file: in a project as the umask says, since git shares it; in memctl's home only the user. */
export const entryAccess = ({ home }: Store, path: string): Access =>
  home !== undefined && path.startsWith(`${home}/`) ? 'owner' : 'umask'

/** The archive beside a folder of entries. */
export const archiveFolder = (folder: string): string => `${folder}/archive`
