// The second pass over the log: removes the secrets that hooks had no time to search, before anything is derived.
//
//   hook ─▶ event in the log ─▶ worker: second pass over the tail ─▶ memories, summaries, snapshot
//
// It rewrites events in place, like `memctl forget`, so every position in the log stays the same.
import type { Event } from '../../model/event.ts'
import { redactStoredEvent } from '../../record/redact/secondPass.ts'
import { eraseInLog } from '../../store/log/eraseLog.ts'
import type { LogPosition } from '../../store/log/eventLog.ts'
import type { Store } from '../open/openStore.ts'

/** Redacts the events after `from`. The caller holds the lock of the store. Returns how many lost a secret. */
export function redactLogTail({ files, layout }: Store, from: LogPosition): number {
  // What is shared has passed it before it was appended, on the machine that sent it and on this one.
  const eraseEvent = (event: Event): Event => (event.kind.startsWith('team.') ? event : redactStoredEvent(event))
  const changed = eraseInLog(files, layout.events, { eraseEvent, isErasable: () => false, from })
  return changed.reduce((total, file) => total + file.redacted + file.removed, 0)
}
