// Makes the files of a home or store that an earlier version wrote their owner's alone, once.
import type { Files, Permissions } from '../../store/disk/files.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import type { Store } from '../open/openStore.ts'

/** Its file says that no file of an earlier version is left with rights for others. */
const ACCESS_VERSION = 1

/** The folder with everything of memctl that a store belongs to; without a home, the store's own folder. */
export const accessRoot = ({ home, layout }: Store): string => home ?? layout.folder

/** Restricts everything, unless that was done since the update and the folder is closed to others. */
export function restrictOnce(store: Store): void {
  const root = accessRoot(store)
  const marker = `${root}/access.json`
  const { files } = store
  if (isClosed(files, root) && files.size(marker) !== undefined) return
  restrictFiles(files, root)
  if (store.home !== undefined) writeJsonFile(files, marker, { version: ACCESS_VERSION })
}

const isClosed = (files: Files, folder: string): boolean => ((files.permissions(folder)?.mode ?? 0) & OTHERS) === 0

// Makes what is under a folder its owner's alone: files 0600, or 0700 if the owner may execute them, and folders 0700.
// Earlier versions left that to the umask.
//
// Links are not followed and have no mode of their own. The folder itself comes last, so a walk that was interrupted is
// repeated.

/** A file or folder that others may read or own. */
export interface OpenAccess {
  readonly path: string
  readonly permissions: Permissions
  /** Whether it belongs to another user, who can change it whatever its mode is. */
  readonly isForeign: boolean
}

/** What other programs put there has the modes that they gave it. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git'])

/** Files and folders under `folder`, and itself, that others may read, or that belong to another user than `user`. */
export function* findOpenAccess(files: Files, folder: string, user: number | undefined): Generator<OpenAccess> {
  const permissions = files.permissions(folder)
  if (!permissions || permissions.kind === 'other') return
  if (permissions.kind === 'folder') {
    for (const name of files.list(folder)) {
      if (!SKIPPED.has(name)) yield* findOpenAccess(files, `${folder}/${name}`, user)
    }
  }
  const isForeign = user !== undefined && permissions.owner !== user
  if (isForeign || (permissions.mode & OTHERS) !== 0) yield { path: folder, permissions, isForeign }
}

/** The bits of group and others. */
const OTHERS = 0o077

/** Takes all rights from group and others. Returns how many files and folders changed; others' files stay. */
export function restrictFiles(files: Files, folder: string): number {
  let changed = 0
  for (const { path, permissions } of findOpenAccess(files, folder, undefined)) {
    try {
      files.setMode(path, permissions.kind === 'folder' ? 0o700 : 0o600 | (permissions.mode & 0o100))
      changed++
    } catch {
      // It belongs to another user, or is gone meanwhile: `doctor` reports what stays.
    }
  }
  return changed
}
