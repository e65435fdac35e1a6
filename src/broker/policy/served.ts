// The policy that serves: compiled beside the project's log where a session end has written it, else the shipped one.

import shipped from '../../../policies/default.yaml'
import { MOMENTS } from '../../model/cue.ts'
import { FEATURES, type Policy } from '../../model/policy.ts'
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
  for (let i = 0; i < FEATURES.length; i++) if (!isIn(recall.weights?.[FEATURES[i]!], -1, 2)) return false
  for (let i = 0; i < MOMENTS.length; i++) {
    const { topK, scoreMin, relevanceMin, budgetTokens, kinds } = recall.moments[MOMENTS[i]!] ?? {}
    if (!isIn(topK, 1, 50) || !isIn(scoreMin, -1, 3) || !isIn(relevanceMin, 0, 1)) return false
    if (!isIn(budgetTokens, 50, 2400) || !Array.isArray(kinds)) return false
  }
  return true
}

const isIn = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max
