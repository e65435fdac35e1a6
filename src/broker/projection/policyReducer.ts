// Fold: what events do to the policy. Learned by improving, or changed, chosen, frozen by a person.
//
// A person's word always counts. What improving says counts while nothing is frozen. Values that may not stand where they are to
// leave the chosen policy to serve as it is, and the history says so: an invalid policy must never serve.
import type { EventOf, eventTimeMs } from '../../model/event.ts'
import { isExclusionRule } from '../../model/exclusion.ts'
import { applyLearnedPolicy, applyPolicyPatch, type Policy } from '../../model/policy.ts'
import { findPolicySpec } from '../../model/policySchema.ts'
import { type PolicyProblem, validatePolicy, validateValues } from '../../model/policyValidator.ts'
import type { PolicyChange, Projection } from './projection.ts'

/** Policy changes kept with their evidence. */
const HISTORY_MAX = 200

/** The policy a person has chosen for this project, before anything was learned. */
export const basePolicy = (projection: Projection, shipped: Policy): Policy =>
  applyPolicyPatch(shipped, projection.base)

/** The policy in force. */
export const activePolicy = (projection: Projection, shipped: Policy): Policy =>
  applyLearnedPolicy(basePolicy(projection, shipped), projection.learned)

export function applyPolicyChange(projection: Projection, event: EventOf<'policy.changed'>): void {
  const state = projection.sessions.get(event.session)
  if (state && event.by === 'improve') projection.sessions.set(state.id, { ...state, stepped: true })
  if (event.by === 'improve' && (projection.frozen || event.version <= projection.learned.version)) return // Frozen meanwhile, or told twice.
  const version = Math.max(event.version, projection.learned.version + 1)
  const refused = faultIn(event.values)
  const values = refused ? {} : event.values
  const exclusions = refused ? [] : (event.exclusions ?? []).filter(isExclusionRule)
  const learned = { values, ...(exclusions.length > 0 && { exclusions }) }
  projection.learned = { version, ...learned }
  const { reason, evidence, by } = event
  noted(projection, event, {
    ...{ version, by, ...learned },
    reason: refused ? `refused, the policy serves as chosen: ${reason}` : reason,
    evidence: refused ? { ...evidence, refused: `${refused.what}. ${refused.hint}` } : evidence,
  })
}

export function applyConfiguredPolicy(projection: Projection, event: EventOf<'policy.chosen'>, shipped: Policy): void {
  const { name, values } = event
  if (JSON.stringify([projection.base.name, projection.base.values]) === JSON.stringify([name, values])) return
  const version = projection.learned.version + 1
  const refused = faultIn(values) ?? validatePolicy(applyPolicyPatch(shipped, { name, values }))[0]
  if (!refused) {
    projection.base = { name, values }
    // What was learned was learned over another policy: from this one learning begins anew.
    projection.learned = { version, values: {} }
  }
  noted(projection, event, {
    ...projection.learned,
    by: 'person',
    reason: refused ? `refused the policy ${name}` : `chose the policy ${name}`,
    evidence: refused ? { refused: `${refused.what}. ${refused.hint}` } : {},
  })
}

export function applyPolicyFreeze(projection: Projection, event: EventOf<'policy.frozen'>): void {
  if (projection.frozen === event.frozen) return
  projection.frozen = event.frozen
  noted(projection, event, {
    ...projection.learned,
    by: 'person',
    reason: event.frozen ? 'frozen' : 'thawed',
    evidence: {},
  })
}

/** The first value out of its range. A number that a policy has no more is left out by itself, and spoils none of the others. */
const faultIn = (values: Readonly<Record<string, unknown>>): PolicyProblem | undefined =>
  validateValues(values).find(({ path }) => findPolicySpec(path) !== undefined)

type Noted = Omit<PolicyChange, 'at' | 'base'>

function noted(projection: Projection, event: Parameters<typeof eventTimeMs>[0], change: Noted): void {
  projection.history = [...projection.history, { at: event.at, base: projection.base.name, ...change }].slice(
    -HISTORY_MAX,
  )
}
