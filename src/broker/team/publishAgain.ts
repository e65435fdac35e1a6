// A hub that was restored from a backup lacks changes that it had confirmed. The log has them still.
import type { Operation } from '../../team/operation.ts'
import { commitAndApply, systemEvent } from '../commit/commitEvents.ts'
import { splitOperations } from '../commit/publishOperations.ts'
import { readEvents } from '../forget/memorySources.ts'
import type { Store } from '../open/openStore.ts'
import type { LoadedProjection } from '../projection/projection.ts'
import { operationsOf } from '../projection/teamProjection.ts'

/**
 * Puts the operations of this replica after number `last`, which the hub had, into the outbox again as they were: what
 * others have of them already counts once. The caller holds the lock of the store.
 */
export function publishAgain(store: Store, loaded: LoadedProjection, last: number, now: number): void {
  const { team } = loaded.projection
  if (team === undefined) return
  const { membership, pushed, epoch } = team
  const lost = new Map<number, Operation>()
  for (const event of readEvents(store))
    for (const operation of event.kind === 'team.published' ? operationsOf(event) : [])
      if (operation.replica === membership.replica && operation.n > last && operation.n <= pushed)
        lost.set(operation.n, operation)
  const operations = [...lost.values()].sort((a, b) => a.n - b.n)
  // The last ones first: after a crash in between, those that are missing still count as pushed, and are found again.
  const parts = splitOperations(operations).reverse()
  const events = parts.map((part) =>
    systemEvent(
      { kind: 'team.published', operations: part },
      { now, key: ['again', epoch, ...part.map(({ id }) => id)] },
    ),
  )
  commitAndApply(store, loaded, events)
}
