// Fold: what events do to the policy. Learned by improving, or changed, chosen, frozen by a person.
//
// A person's word always counts. What improving says counts while nothing is frozen. Values that may not stand where they are to
// leave the chosen policy to serve as it is, and the history says so: an invalid policy must never serve.
import type { EventOf, timeOf } from '../../model/event.ts'
import { isExclusion } from '../../model/exclusion.ts'
import type { Policy } from '../../model/policy.ts'
import { policyWith } from '../../model/policy.ts'
import { basedOn } from '../../model/policyBase.ts'
import { describedAt } from '../../model/policyNumbers.ts'
import { type PolicyFault, validatePolicy, validateValues } from '../../model/policyValidator.ts'
import type { PolicyChange, View } from './view.ts'

/** Policy changes kept with their evidence. */
const HISTORY_MAX = 200

/** The policy a person has chosen for this project, before anything was learned. */
export const chosenIn = (view: View, shipped: Policy): Policy => basedOn(shipped, view.base)

/** The policy in force. */
export const servingIn = (view: View, shipped: Policy): Policy => policyWith(chosenIn(view, shipped), view.learned)

export function changePolicy(view: View, event: EventOf<'policy.changed'>): void {
  const state = view.sessions.get(event.session)
  if (state && event.by === 'improve') view.sessions.set(state.id, { ...state, stepped: true })
  if (event.by === 'improve' && (view.frozen || event.version <= view.learned.version)) return // Frozen meanwhile, or told twice.
  const version = Math.max(event.version, view.learned.version + 1)
  const refused = faultIn(event.values)
  const values = refused ? {} : event.values
  const exclusions = refused ? [] : (event.exclusions ?? []).filter(isExclusion)
  const learned = { values, ...(exclusions.length > 0 && { exclusions }) }
  view.learned = { version, ...learned }
  const { reason, evidence, by } = event
  noted(view, event, {
    ...{ version, by, ...learned },
    reason: refused ? `refused, the policy serves as chosen: ${reason}` : reason,
    evidence: refused ? { ...evidence, refused: `${refused.what}. ${refused.hint}` } : evidence,
  })
}

export function choosePolicy(view: View, event: EventOf<'policy.chosen'>, shipped: Policy): void {
  const { name, values } = event
  if (JSON.stringify([view.base.name, view.base.values]) === JSON.stringify([name, values])) return
  const version = view.learned.version + 1
  const refused = faultIn(values) ?? validatePolicy(basedOn(shipped, { name, values }))[0]
  if (!refused) {
    view.base = { name, values }
    // What was learned was learned over another policy: from this one learning begins anew.
    view.learned = { version, values: {} }
  }
  noted(view, event, {
    ...view.learned,
    by: 'person',
    reason: refused ? `refused the policy ${name}` : `chose the policy ${name}`,
    evidence: refused ? { refused: `${refused.what}. ${refused.hint}` } : {},
  })
}

export function freezePolicy(view: View, event: EventOf<'policy.frozen'>): void {
  if (view.frozen === event.frozen) return
  view.frozen = event.frozen
  noted(view, event, { ...view.learned, by: 'person', reason: event.frozen ? 'frozen' : 'thawed', evidence: {} })
}

/** The first value out of its range. A number that a policy has no more is left out by itself, and spoils none of the others. */
const faultIn = (values: Readonly<Record<string, unknown>>): PolicyFault | undefined =>
  validateValues(values).find(({ path }) => describedAt(path) !== undefined)

type Noted = Omit<PolicyChange, 'at' | 'base'>

function noted(view: View, event: Parameters<typeof timeOf>[0], change: Noted): void {
  view.history = [...view.history, { at: event.at, base: view.base.name, ...change }].slice(-HISTORY_MAX)
}
