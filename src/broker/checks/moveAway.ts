// What `memctl doctor --fix` does for files: moves folders that are in the place of files, and files that nothing else
// writes again, to aside-TIME/. Nothing is deleted.
import { verifyJsonFile } from '../../store/disk/jsonFile.ts'
import { restrictFiles } from '../../store/disk/restrictFiles.ts'
import { accessRoot } from '../maintenance/restrictOnce.ts'
import type { Store } from '../open/openStore.ts'
import { removeForgotten } from '../projects/forgetProject.ts'
import { findMisplacedFolders } from './checkFiles.ts'

/** Takes the rights from other users and moves what is in the way. `now` in milliseconds since 1970. */
export function fixFiles(store: Store, now: number): readonly { readonly from: string; readonly to: string }[] {
  const { files, layout, home } = store
  const shared = home === undefined ? [] : ['distill', 'access', 'places'].map((name) => `${home}/${name}.json`)
  const anew = [...shared, `${layout.folder}/identity.json`, `${layout.folder}/earlier.json`]
  const misplaced = findMisplacedFolders(store)
  const damaged = anew.filter((file) => {
    const bytes = misplaced.includes(file) ? undefined : files.read(file)
    return bytes !== undefined && verifyJsonFile(bytes) === 'damaged'
  })
  const aside = `${layout.folder}/aside-${new Date(now).toISOString().replaceAll(':', '-')}`
  const moved = [...misplaced, ...damaged].map((from) => ({ from, to: aside + from.slice(from.lastIndexOf('/')) }))
  for (const { from, to } of moved) {
    files.makeFolder(aside)
    files.rename(from, to)
  }
  removeForgotten(store)
  restrictFiles(files, accessRoot(store))
  return moved
}
