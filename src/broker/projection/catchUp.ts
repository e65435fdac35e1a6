// Catch up: folds what the log has past a loaded projection into it. The log is the truth; a projection that knows more is rebuilt.
import { isPastEnd } from '../../store/log.ts'
import { readLog } from '../../store/logRead.ts'
import { SHIPPED } from '../policy/served.ts'
import type { Store } from '../store.ts'
import { fold } from '../view/fold.ts'
import type { Loaded } from '../view/saveMemories.ts'
import { emptyView } from '../view/view.ts'
import { missingOf } from '../wholeLog.ts'

/** Folds what the log has past the projection. Returns whether there was anything. */
export function catchUp(store: Store, loaded: Loaded): boolean {
  const { files, layout } = store
  if (isPastEnd(files, layout.events, loaded.view.cursor) && missingOf(store).length === 0) {
    // The log was cut, or restored from a copy: what it no longer says must go.
    foldAll(store, loaded)
    return true
  }
  const read = readLog(files, layout.events, loaded.view.cursor)
  // With log files missing, folding everything would know less: then late events are folded where they are found.
  if (read.late && missingOf(store).length === 0) {
    // Events came into a closed file: their place is before what was folded already, so all is folded again, in order.
    foldAll(store, loaded)
    return true
  }
  for (const event of read.events) fold(loaded.view, event, SHIPPED)
  loaded.view.cursor = read.end
  return read.events.length > 0
}

/** Folds the whole log into an empty projection, which takes the place of the loaded one. */
export function foldAll(store: Store, loaded: Loaded): void {
  Object.assign(loaded.view, emptyView())
  const read = readLog(store.files, store.layout.events)
  for (const event of read.events) fold(loaded.view, event, SHIPPED)
  loaded.view.cursor = read.end
}
