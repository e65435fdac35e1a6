// The policy that serves: compiled beside the project's log where a session end has written it, else the shipped one.

import shipped from '../../../policies/default.yaml'
import { MOMENTS } from '../../model/cue.ts'
import { FEATURES, type MomentPolicy, type Policy } from '../../model/policy.ts'
import { isInRange, MOMENT_RANGES, WEIGHT_RANGE } from '../../model/policyRanges.ts'
import { readJson } from '../../store/jsonRead.ts'
import type { Store } from '../store.ts'
import type { PolicyFile } from './file.ts'

/** The shipped policy. Parsed when memctl was built: a hook reads no YAML. */
export const SHIPPED = shipped as Policy

/** The policy in force and its version; 0 is the shipped one. A damaged file falls back to it: `doctor` tells. */
export function servingPolicy(store: Store): { readonly policy: Policy; readonly version: number } {
  try {
    const file = readJson<PolicyFile>(store.files, store.layout.policy)
    if (file && isSound(file.compiled)) return { policy: wholePolicy(file.compiled), version: file.learned.version }
  } catch {
    // Law 2: a damaged policy must not hold up a session, and the shipped one is always good.
  }
  return { policy: SHIPPED, version: 0 }
}

/** An earlier version compiled not all of the numbers there are now: then the shipped ones hold. */
export function wholePolicy(policy: Policy): Policy {
  const { prompted, asked } = policy.recall
  const isWhole = (weights: object | undefined) => weights !== undefined && FEATURES.every((name) => name in weights)
  if (isWhole(prompted) && isWhole(asked) && policy.improve?.excludeDays !== undefined) return policy
  const shipped = SHIPPED.recall
  const recall = {
    ...policy.recall,
    prompted: isWhole(prompted) ? prompted : { ...shipped.prompted, ...policy.recall.weights },
    asked: isWhole(asked) ? asked : shipped.asked,
  }
  return { ...policy, recall, improve: { ...SHIPPED.improve, ...policy.improve } }
}

/**
 * Whether hooks may go by it: what they need is there, and no weight is out of its range. One of a later version may have another
 * shape, and a hand may have been in the file. The other numbers are `doctor`'s to check: a hook has no time to.
 */
function isSound(policy: Policy | undefined): boolean {
  const { importance, recall } = policy ?? {}
  if (!importance || !recall?.moments || !recall.boosts) return false
  for (const feature of FEATURES) if (!isInRange(recall.weights?.[feature], WEIGHT_RANGE)) return false
  for (const name of MOMENTS) {
    const moment: Partial<MomentPolicy> = recall.moments[name] ?? {}
    for (const limit of MOMENT_LIMITS) if (!isInRange(moment[limit], MOMENT_RANGES[limit])) return false
    if (!Array.isArray(moment.kinds)) return false
  }
  return true
}

const MOMENT_LIMITS = ['topK', 'scoreMin', 'relevanceMin', 'budgetTokens'] as const
