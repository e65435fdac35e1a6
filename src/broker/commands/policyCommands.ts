// A person's hand on the policy: freeze, thaw, roll back, reset. Each is an event, so that it survives a rebuild.

import type { EventOf } from '../../model/event.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { EMPTY_LEARNED_POLICY, type LearnedPolicy } from '../../model/policy.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { runMaintenanceOrThrow } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import type { PolicyChange, Projection } from '../projection/projection.ts'
import { loadProjection } from '../projection/projectionFiles.ts'

/** What a person's word came to. */
export interface PolicyCommandResult {
  readonly version: number
  readonly frozen: boolean
  /** False where it was so already. */
  readonly changed: boolean
}

/** Learning moves nothing any more, or goes on. Evidence is gathered meanwhile. */
export function setPolicyFrozen(store: Store, frozen: boolean, now: number): PolicyCommandResult {
  if (loadCurrentProjection(store, now).frozen === frozen) return stateOf(store, false)
  const event = systemEvent({ kind: 'policy.frozen', frozen }, { now, key: [String(frozen)] })
  return commitPolicyEvent(store, event, now)
}

/** Back to the numbers of an earlier version, 0 being those chosen and nothing learned; without one, of the version before. */
export function rollBackPolicy(store: Store, wanted: number | undefined, now: number): PolicyCommandResult {
  const view = loadCurrentProjection(store, now)
  const version = wanted ?? before(view)
  const to = version === 0 ? undefined : versionIn(view, version)
  const numbers: LearnedValues = to ?? EMPTY_LEARNED_POLICY
  if (to && (to.base ?? 'default') !== view.base.name) {
    throw new MemoryError(
      'INPUT_INVALID',
      `Version ${version} was learned over the policy ${to.base}; ${view.base.name} serves now`,
      {
        hint: `Choose ${to.base} in config.yaml first, or see \`memctl policy history\` for later versions.`,
      },
    )
  }
  if (isSameLearned(numbers, view.learned)) return stateOf(store, false)
  const event = buildManualPolicyChange(
    view,
    { learned: numbers, reason: `rolled back to version ${version}`, evidence: { to: version } },
    now,
  )
  return commitPolicyEvent(store, event, now)
}

/** Forgets what was learned: the chosen policy serves as it is. The evidence stays, so learning may come to it again. */
export function resetPolicy(store: Store, now: number): PolicyCommandResult {
  const view = loadCurrentProjection(store, now)
  if (isSameLearned(EMPTY_LEARNED_POLICY, view.learned)) return stateOf(store, false)
  const event = buildManualPolicyChange(view, { learned: EMPTY_LEARNED_POLICY, reason: 'reset', evidence: {} }, now)
  return commitPolicyEvent(store, event, now)
}

/** What was learned, but for its version. */
type LearnedValues = Pick<LearnedPolicy, 'values' | 'exclusions'>

export const isSameLearned = (a: LearnedValues, b: LearnedValues): boolean =>
  JSON.stringify([a.values, a.exclusions ?? []]) === JSON.stringify([b.values, b.exclusions ?? []])

/** What a person changes of the learned policy, and why. */
interface ManualPolicyChange {
  readonly learned: LearnedValues
  readonly reason: string
  readonly evidence: PolicyChange['evidence']
}

/** The event of a change that a person makes. */
export function buildManualPolicyChange(
  view: Projection,
  change: ManualPolicyChange,
  now: number,
): EventOf<'policy.changed'> {
  const { reason, evidence } = change
  const { values, exclusions } = change.learned
  const version = view.learned.version + 1
  const body = { kind: 'policy.changed', version, values, ...(exclusions && { exclusions }), reason, evidence } as const
  return systemEvent({ ...body, by: 'person' }, { now, key: [String(version), reason] })
}

/** Commits the event and brings the projection up to date. Throws STORE_BUSY where another process is writing it. */
export function commitPolicyEvent(
  store: Store,
  event: EventOf<'policy.changed' | 'policy.frozen'>,
  now: number,
): PolicyCommandResult {
  commitEvents(store, [event])
  runMaintenanceOrThrow(store, now)
  return stateOf(store, true)
}

/** The view with all that the log has. */
export function loadCurrentProjection(store: Store, now: number): Projection {
  runMaintenanceOrThrow(store, now)
  return loadProjection(store).projection
}

function stateOf(store: Store, isChanged: boolean): PolicyCommandResult {
  const { learned, frozen } = loadProjection(store).projection
  return { version: learned.version, frozen, changed: isChanged }
}

/** The version before the one that serves: the latest with other values. */
function before(view: Projection): number {
  const other = view.history.findLast((one) => one.version < view.learned.version && !isSameLearned(one, view.learned))
  return other?.version ?? 0
}

function versionIn(view: Projection, version: number): PolicyChange {
  const found = view.history.findLast((one) => one.version === version)
  if (found) return found
  const known = [...new Set(view.history.map((one) => one.version))]
  throw new MemoryError('NOT_FOUND', `There is no version ${version} of the policy here`, {
    hint:
      known.length === 0 ? 'Nothing has changed here yet; 0 is the chosen policy.' : `There is 0, ${known.join(', ')}.`,
  })
}
