// What a machine has to say to its team, and has not published yet.
import { redactThoroughly } from '../../record/redact/secondPass.ts'
import { collectOperations, forgetOperations, leaveOperations } from '../../team/collectOperations.ts'
import type { Operation } from '../../team/operation.ts'
import { teamWriter } from '../commit/publishOperations.ts'
import type { LoadedProjection } from '../projection/projection.ts'
import { sharePolicy } from '../projection/teamReducer.ts'

/** Numbered as the next operations of this replica. Of a project that has left: what takes back what it shared. */
export function listOperations({ projection }: LoadedProjection, now: number): readonly Operation[] {
  const { team, memories } = projection
  if (team === undefined) return []
  const { states, deleted, unsentForgets, hasLeft } = team
  const forgets = forgetOperations(unsentForgets, teamWriter(team), now)
  const first = teamWriter(team)
  const writer = { ...first, nextN: first.nextN + forgets.length }
  if (hasLeft) return [...forgets, ...leaveOperations(states, writer, now)]
  const policy = sharePolicy(projection)
  const cleanText = redactThoroughly
  return [...forgets, ...collectOperations({ memories, states, deleted, policy, writer, now, cleanText })]
}
