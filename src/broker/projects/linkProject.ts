// Links: the memory of another project is used in the place of a project's own, until the link is removed.
import { MemoryError } from '../../model/memoryError.ts'
import { storeBusyError } from '../../store/disk/lock.ts'
import { readEarlier, readLink, removeLink, writeEarlier, writeLink } from '../../store/project/earlierFile.ts'
import { readRecord } from '../../store/project/places.ts'
import { changeRecord, recordPlaces } from '../maintenance/recordPlaces.ts'
import { findEarlierMemory, ownStoreName } from '../open/earlierMemory.ts'
import { openStore, type Store } from '../open/openStore.ts'

/** The folder whose project is linked. */
export interface LinkedFolder {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Makes this folder's project use the store of this name. Throws INPUT_INVALID for its own store. */
export function linkProject(store: Store, name: string, { folder, env, now }: LinkedFolder): void {
  const { files, home, project } = store
  const own = ownStoreName(project)
  const ownFolder = `${home}/projects/${own}`
  const target = followLinks(store, name)
  if (target === own) {
    throw new MemoryError('INPUT_INVALID', `${name} is the memory that this folder has without a link`, {
      hint: project.linkedFrom === undefined ? 'Nothing needs to be linked.' : 'Run `memctl project unlink` here.',
    })
  }
  const { declined = [] } = readEarlier(files, ownFolder)
  writeLink(files, ownFolder, target)
  writeEarlier(files, ownFolder, { declined: declined.filter((other) => other !== target && other !== name) })
  recordPlaces(openStore(folder, env), folder, now)
}

/**
 * Gives this folder's project its own memory again. Without a link, nobody is asked any more about the projects whose
 * memory the folder had before. Returns the stores that it is separated from. Throws NOT_FOUND if there are none.
 */
export function unlinkProject(store: Store, folder: string): string[] {
  const { files, home, project } = store
  const ownFolder = `${home}/projects/${ownStoreName(project)}`
  const { store: asked, declined = [] } = readEarlier(files, ownFolder)
  const earlier = findEarlierMemory(store, folder).map((other) => other.store)
  const separated = new Set([readLink(files, ownFolder), asked, ...earlier].filter((name) => name !== undefined))
  if (separated.size === 0) {
    throw new MemoryError('NOT_FOUND', 'This folder uses its own memory: no link leads to another project', {
      hint: 'Run `memctl project show` to see which project it is.',
    })
  }
  // First, so that no start joins them again.
  writeEarlier(files, ownFolder, { declined: [...new Set([...declined, ...separated])] })
  removeLink(files, ownFolder)
  return [...separated]
}

/** Gives a project the name that lists and messages show. Its store and its id stay. Throws STORE_BUSY. */
export function renameProject(store: Store, name: string, title: string): void {
  const record = readRecord(store.files, `${store.home}/projects/${name}`)
  if (!changeRecord(store, name, { ...record, title })) throw storeBusyError()
}

/** The store that is used in the place of this one. */
export function followLinks({ files, home }: Store, name: string): string {
  let target = name
  for (const seen = new Set<string>(); !seen.has(target); ) {
    seen.add(target)
    target = readLink(files, `${home}/projects/${target}`) ?? target
  }
  return target
}
