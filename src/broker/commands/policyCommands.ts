// Policy commands of a person: freeze, unfreeze, roll back, reset. Each is an event, so that a rebuild keeps it.
import type { EventOf } from '../../model/event.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { EMPTY_LEARNED_POLICY, type LearnedPolicy } from '../../model/policy.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { runMaintenanceOrThrow } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import type { PolicyChange, Projection } from '../projection/projection.ts'
import { loadProjection } from '../projection/projectionFiles.ts'

/** The learned policy after a command. */
export interface PolicyCommandResult {
  readonly version: number
  readonly frozen: boolean
  /** False if there was nothing to change. */
  readonly changed: boolean
}

/** Stops or resumes changes by learning. Evidence is collected in both cases. Throws STORE_BUSY. */
export function setPolicyFrozen(store: Store, frozen: boolean, now: number): PolicyCommandResult {
  if (loadCurrentProjection(store, now).frozen === frozen) return readResult(store, false)
  const event = systemEvent({ kind: 'policy.frozen', frozen }, { now, key: [String(frozen)] })
  return commitPolicyEvent(store, event, now)
}

/**
 * Restores the numbers of a version, by default the latest one with other numbers. 0 is the configured policy without
 * learning. Throws NOT_FOUND, STORE_BUSY, and INPUT_INVALID for a version that was learned over another policy.
 */
export function rollBackPolicy(store: Store, requested: number | undefined, now: number): PolicyCommandResult {
  const projection = loadCurrentProjection(store, now)
  const version = requested ?? findPreviousVersion(projection)
  const change = version === 0 ? undefined : findVersion(projection, version)
  const learned: LearnedValues = change ?? EMPTY_LEARNED_POLICY
  const configured = projection.base.name
  if (change && (change.base ?? 'default') !== configured) {
    const what = `Version ${version} was learned over the policy ${change.base}, but ${configured} is configured`
    throw new MemoryError('INPUT_INVALID', what, {
      hint: `Configure ${change.base} in config.yaml first, or see \`memctl policy history\` for later versions.`,
    })
  }
  if (isSameLearned(learned, projection.learned)) return readResult(store, false)
  const reason = `rolled back to version ${version}`
  const event = buildManualPolicyChange(projection, { learned, reason, evidence: { to: version } }, now)
  return commitPolicyEvent(store, event, now)
}

/** Discards what was learned. The evidence stays, so the same may be learned again. Throws STORE_BUSY. */
export function resetPolicy(store: Store, now: number): PolicyCommandResult {
  const projection = loadCurrentProjection(store, now)
  if (isSameLearned(EMPTY_LEARNED_POLICY, projection.learned)) return readResult(store, false)
  const change = { learned: EMPTY_LEARNED_POLICY, reason: 'reset', evidence: {} }
  return commitPolicyEvent(store, buildManualPolicyChange(projection, change, now), now)
}

/** A learned policy without its version. */
type LearnedValues = Pick<LearnedPolicy, 'values' | 'exclusions'>

export const isSameLearned = (a: LearnedValues, b: LearnedValues): boolean =>
  JSON.stringify([a.values, a.exclusions ?? []]) === JSON.stringify([b.values, b.exclusions ?? []])

/** A change of the learned policy by a person. */
interface ManualPolicyChange {
  readonly learned: LearnedValues
  readonly reason: string
  readonly evidence: PolicyChange['evidence']
}

export function buildManualPolicyChange(
  projection: Projection,
  { learned, reason, evidence }: ManualPolicyChange,
  now: number,
): EventOf<'policy.changed'> {
  const { values, exclusions } = learned
  const version = projection.learned.version + 1
  const body = { kind: 'policy.changed', version, values, ...(exclusions && { exclusions }), reason, evidence } as const
  return systemEvent({ ...body, by: 'person' }, { now, key: [String(version), reason] })
}

/** Commits the event and updates the snapshot. Throws STORE_BUSY. */
export function commitPolicyEvent(
  store: Store,
  event: EventOf<'policy.changed' | 'policy.frozen'>,
  now: number,
): PolicyCommandResult {
  commitEvents(store, [event])
  runMaintenanceOrThrow(store, now)
  return readResult(store, true)
}

/** The projection with all events of the log. Throws STORE_BUSY. */
export function loadCurrentProjection(store: Store, now: number): Projection {
  runMaintenanceOrThrow(store, now)
  return loadProjection(store).projection
}

function readResult(store: Store, changed: boolean): PolicyCommandResult {
  const { learned, frozen } = loadProjection(store).projection
  return { version: learned.version, frozen, changed }
}

/** The latest version with other values than the active one. */
function findPreviousVersion({ history, learned }: Projection): number {
  const previous = history.findLast((change) => change.version < learned.version && !isSameLearned(change, learned))
  return previous?.version ?? 0
}

function findVersion({ history }: Projection, version: number): PolicyChange {
  const change = history.findLast((candidate) => candidate.version === version)
  if (change) return change
  const versions = [...new Set(history.map((candidate) => candidate.version))]
  throw new MemoryError('NOT_FOUND', `The policy of this project has no version ${version}`, {
    hint:
      versions.length === 0 ? 'Nothing has changed yet; 0 is the configured policy.' : `Use 0, ${versions.join(', ')}.`,
  })
}
