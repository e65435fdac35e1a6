// Is all of the log there? What is made anew from a part of it knows less than the view that it takes the place of.
import { LOG_START, type LogPosition } from '../../store/log/eventLog.ts'
import { findLogGaps } from '../../store/log/logFiles.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'

/** Numbers of log files that the view has read, or that lie before others, and that are gone. */
export const findMissingLogFiles = (store: Store): number[] =>
  findLogGaps(store.files, store.layout.events, cursorOf(store))

function cursorOf({ files, layout }: Store): Pick<LogPosition, 'file'> {
  try {
    return readManifest(files, layout).cursor ?? LOG_START
  } catch {
    return LOG_START // A damaged or newer manifest says nothing of the log.
  }
}
