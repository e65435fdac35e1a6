// Where the memory of a folder is, if the folder had one before it changed: for status and doctor.
import { readRecord } from '../../store/project/places.ts'
import { countStoredMemories, findEarlierMemory } from '../open/earlierMemory.ts'
import type { Store } from '../open/openStore.ts'

export interface EarlierMemory {
  /** The name of its store. */
  readonly store: string
  readonly title: string
  /** Archived and private ones included. */
  readonly memories: number
  /** What connects it with the folder. */
  readonly reason: string
  /** Whether the next session uses it without a question. */
  readonly joins: boolean
}

/** The memories that the folder of this store may have had before, the most likely first. */
export function listEarlierMemory(store: Store): EarlierMemory[] {
  const { files, home, layout, project } = store
  if (home === undefined || project.linkedFrom !== undefined) return []
  const isNew = files.list(layout.events).length === 0
  return findEarlierMemory(store, project.root).map(({ store: name, reason, isCertain }, i) => ({
    store: name,
    title: readRecord(files, `${home}/projects/${name}`).title ?? name.slice(0, name.lastIndexOf('-')),
    memories: countStoredMemories(files, home, name),
    reason,
    joins: i === 0 && isCertain && isNew,
  }))
}
