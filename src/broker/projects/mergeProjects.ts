// Merges one project into another: its events are copied, what is derived from them is rebuilt, and a link leads from
// it to the other. It stays as it was until the person forgets it.
import { MemoryError } from '../../model/memoryError.ts'
import { acquireLock, storeBusyError } from '../../store/disk/lock.ts'
import { removeLink } from '../../store/project/earlierFile.ts'
import { listMissingEvents, moveEvents } from '../maintenance/joinProjects.ts'
import { assertLogUnchanged } from '../maintenance/loadFromLog.ts'
import { rebuildStore } from '../maintenance/rebuild.ts'
import { openNamedStore, type Store } from '../open/openStore.ts'
import { type ProjectSummary, summarizeProject } from './projectList.ts'

export interface MergeResult {
  readonly from: ProjectSummary
  readonly into: ProjectSummary
  /** Events that the other project did not have. */
  readonly events: number
  readonly dryRun: boolean
}

export interface MergeOptions {
  /** Names of stores. */
  readonly from: string
  readonly into: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly dryRun: boolean
}

/** A merge that was killed is completed by the next one. Throws INPUT_INVALID, STORE_BUSY and STORE_INVALID. */
export function mergeProjects(current: Store, { from, into, now, dryRun }: MergeOptions): MergeResult {
  const source = openNamedStore(current, from)
  const target = openNamedStore(current, into)
  if (from === into) {
    throw new MemoryError('INPUT_INVALID', `${from} cannot be merged into itself`, { hint: 'Name another project.' })
  }
  assertLogUnchanged(target)
  const events = dryRun ? listMissingEvents(source, target).length : move(source, target)
  if (!dryRun && rebuildStore(target, now).busy) throw storeBusyError()
  return { from: summarizeProject(current, from), into: summarizeProject(current, into), events, dryRun }
}

function move(source: Store, target: Store): number {
  const lock = acquireLock(target.files, target.layout.lock)
  if (!lock) throw storeBusyError()
  try {
    // A link in the other direction would lead in circles.
    removeLink(target.files, target.layout.folder)
    return moveEvents(source, target)
  } finally {
    lock.release()
  }
}
