// What a machine takes over of a page of the hub: clean operations of others that it does not have yet.
import { redactThoroughly } from '../../record/redact/secondPass.ts'
import { checkOperation } from '../../team/checkOperation.ts'
import { addsTo } from '../../team/mergeOperation.ts'
import type { Operation } from '../../team/operation.ts'
import type { TeamProjection } from '../projection/teamProjection.ts'
import { conflictError } from './hubErrors.ts'

interface Received {
  readonly operations: readonly Operation[]
  /** How many were no valid ones. */
  readonly refused: number
  /** The highest number of this machine's own that was there: the hub has it, although its answer was lost. */
  readonly ownN: number
}

/** Throws HUB_CONFLICT if another copy of this machine has used its numbers. */
export function selectReceived(team: TeamProjection, values: readonly unknown[]): Received {
  const operations: Operation[] = []
  let refused = 0
  let ownN = 0
  for (const value of values) {
    const checked = checkOperation(value, redactThoroughly)
    if (!('operation' in checked)) refused++
    else if (isOwn(team, checked.operation)) ownN = Math.max(ownN, checked.operation.n)
    else if (addsTo(team.states.get(checked.operation.memory), checked.operation)) operations.push(checked.operation)
  }
  return { operations, refused, ownN }
}

function isOwn({ membership, lastN, outbox }: TeamProjection, { replica, n, id }: Operation): boolean {
  if (replica !== membership.replica) return false
  const own = outbox.find((operation) => operation.n === n)
  if (n > lastN || (own !== undefined && own.id !== id)) throw conflictError()
  return true
}
