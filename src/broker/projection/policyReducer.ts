// Applies events to the policy: changes that improve learned, and changes, choices and freezes by a person.
//
// Changes by a person always apply, learned ones only while nothing is frozen. Values out of their range are refused:
// the configured policy is used then and the history says so. An invalid policy must never become active.
import type { EventOf } from '../../model/event.ts'
import { applyLearnedPolicy, applyPolicyPatch, type Policy } from '../../model/policy.ts'
import { findPolicySpec, type PolicyProblem, validatePolicy, validateValues } from '../../model/policySchema.ts'
import { isExclusionRule } from '../../model/recallQuery.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'
import type { PolicyChange, Projection } from './projection.ts'

/** Policy changes kept with their evidence. */
const HISTORY_MAX = 200

/** The configured policy of this project, before anything was learned. */
export const basePolicy = ({ base }: Pick<Projection, 'base'>): Policy => applyPolicyPatch(DEFAULT_POLICY, base)

/** The active policy: the configured one with what was learned. */
export const activePolicy = (projection: Projection): Policy =>
  applyLearnedPolicy(basePolicy(projection), projection.learned)

export function applyPolicyChange(projection: Projection, event: EventOf<'policy.changed'>): void {
  const state = projection.sessions.get(event.session)
  if (state && event.by === 'improve') projection.sessions.set(state.id, { ...state, stepped: true })
  // Frozen since the step was computed, or a duplicate.
  if (event.by === 'improve' && (projection.frozen || event.version <= projection.learned.version)) return
  const refused = findInvalidValue(event.values)
  const exclusions = refused ? [] : (event.exclusions ?? []).filter(isExclusionRule)
  projection.learned = {
    version: Math.max(event.version, projection.learned.version + 1),
    values: refused ? {} : event.values,
    ...(exclusions.length > 0 && { exclusions }),
  }
  const { reason, evidence, by } = event
  addToHistory(projection, event.at, {
    by,
    reason: refused ? `refused, the configured policy is used: ${reason}` : reason,
    evidence: { ...evidence, ...refusal(refused) },
  })
}

export function applyConfiguredPolicy(projection: Projection, event: EventOf<'policy.chosen'>): void {
  const { name, values } = event
  if (JSON.stringify([projection.base.name, projection.base.values]) === JSON.stringify([name, values])) return
  const refused = findInvalidValue(values) ?? validatePolicy(basePolicy({ base: { name, values } }))[0]
  if (!refused) {
    projection.base = { name, values }
    // What was learned was learned over another policy: learning starts again from this one.
    projection.learned = { version: projection.learned.version + 1, values: {} }
  }
  const reason = `${refused ? 'refused' : 'chose'} the policy ${name}`
  addToHistory(projection, event.at, { by: 'person', reason, evidence: refusal(refused) })
}

export function applyPolicyFreeze(projection: Projection, { at, frozen }: EventOf<'policy.frozen'>): void {
  if (projection.frozen === frozen) return
  projection.frozen = frozen
  addToHistory(projection, at, { by: 'person', reason: frozen ? 'frozen' : 'thawed', evidence: {} })
}

/** The first value out of its range. Numbers that policies no longer have are ignored elsewhere and are no problem. */
const findInvalidValue = (values: Readonly<Record<string, unknown>>): PolicyProblem | undefined =>
  validateValues(values).find(({ path }) => findPolicySpec(path) !== undefined)

const refusal = (problem: PolicyProblem | undefined): PolicyChange['evidence'] =>
  problem ? { refused: `${problem.what}. ${problem.hint}` } : {}

/** Notes the learned policy as it is now, and why it changed. */
function addToHistory(
  projection: Projection,
  at: string,
  cause: Pick<PolicyChange, 'by' | 'reason' | 'evidence'>,
): void {
  const { base, learned, history } = projection
  projection.history = [...history, { at, base: base.name, ...learned, ...cause }].slice(-HISTORY_MAX)
}
