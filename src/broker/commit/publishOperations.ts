// Appends operations of this replica to the log, which is their outbox: what is in the log will be sent.
import { EVENT_BYTES_MAX } from '../../model/limits.ts'
import type { TeamWriter } from '../../team/collectOperations.ts'
import type { Operation } from '../../team/operation.ts'
import type { Store } from '../open/openStore.ts'
import type { LoadedProjection } from '../projection/projection.ts'
import type { TeamProjection } from '../projection/teamProjection.ts'
import { commitAndApply, systemEvent } from './commitEvents.ts'

/** The lists of operations that one event each can hold, in order. At least one operation is in each. */
export function splitOperations(operations: readonly Operation[]): Operation[][] {
  const parts: Operation[][] = []
  let bytes = EVENT_BYTES_MAX
  for (const operation of operations) {
    const size = Buffer.byteLength(JSON.stringify(operation))
    // The fields around the operations take some hundred bytes.
    if (bytes + size > EVENT_BYTES_MAX - 512) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(operation)
    bytes += size
  }
  return parts
}

/** Appends and applies them. The caller holds the lock of the store, because their numbers must be the next ones. */
export function publishOperations(
  store: Store,
  loaded: LoadedProjection,
  operations: readonly Operation[],
  now: number,
): void {
  const events = splitOperations(operations).map((part) =>
    systemEvent({ kind: 'team.published', operations: part }, { now, key: part.map(({ id }) => id) }),
  )
  commitAndApply(store, loaded, events)
}

/** Who publishes, and the number of the next operation. */
export const teamWriter = ({ membership: { replica, name }, lastN }: TeamProjection): TeamWriter => ({
  replica,
  name,
  nextN: lastN + 1,
})
