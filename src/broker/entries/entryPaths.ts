// The paths of entry files: by label, in the archive, and whether they lie inside the project.
import { type EntryDir, globalEntriesFolder } from '../../entries/entryDirs.ts'
import type { EntryFile } from '../../entries/mtimeCache.ts'
import type { Access } from '../../store/disk/diskCalls.ts'
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
 * Whether a path in a folder of entries is really inside the project; the file need not exist. A link in a repository
 * must not bring other files of this machine into memories, or cause a write outside. Links in the user's home are
 * trusted.
 */
export function isInsideProject({ files, project }: Store, { layer }: Pick<EntryDir, 'layer'>, path: string): boolean {
  if (layer === 'global') return true
  const root = files.realPath(project.root) ?? project.root
  for (let at = path; at.length > project.root.length; at = at.slice(0, at.lastIndexOf('/'))) {
    const real = files.realPath(at)
    if (real !== undefined) return real.startsWith(`${root}/`)
  }
  return true
}

/** Who may read an entry file: in a project as the umask says, since git shares it; in memctl's home only the user. */
export const entryAccess = ({ home }: Store, path: string): Access =>
  home !== undefined && path.startsWith(`${home}/`) ? 'owner' : 'umask'

/** The archive beside a folder of entries. */
export const archiveFolder = (folder: string): string => `${folder}/archive`
