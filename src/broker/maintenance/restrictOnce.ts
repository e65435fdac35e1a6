// Makes the files of a home or store that an earlier version wrote their owner's alone, once.
import type { Files } from '../../store/disk/files.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { OTHERS, restrictFiles } from '../../store/disk/restrictFiles.ts'
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
