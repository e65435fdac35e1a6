// The policy that serves: compiled beside the project's log where a session end has written it, else the shipped one.

import shipped from '../../../policies/default.yaml'
import { FEATURES, type MomentPolicy, type Policy } from '../../model/policy.ts'
import { isInPolicyRange, MOMENT_RANGES, WEIGHT_RANGE } from '../../model/policyRanges.ts'
import { RECALL_MOMENTS } from '../../model/recallQuery.ts'
import { readJson } from '../../store/disk/readJson.ts'
import type { Store } from '../open/openStore.ts'
import type { PolicyFile } from './policyFile.ts'

/** The shipped policy. Parsed when memctl was built: a hook reads no YAML. */
export const DEFAULT_POLICY = shipped as Policy

/** The policy in force and its version; 0 is the shipped one. A damaged file falls back to it: `doctor` tells. */
export function readActivePolicy(store: Store): { readonly policy: Policy; readonly version: number } {
  try {
    const file = readJson<PolicyFile>(store.files, store.layout.policy)
    if (file && isSound(file.compiled))
      return { policy: fillPolicyDefaults(file.compiled), version: file.learned.version }
  } catch {
    // Law 2: a damaged policy must not hold up a session, and the shipped one is always good.
  }
  return { policy: DEFAULT_POLICY, version: 0 }
}

/** An earlier version compiled not all of the numbers there are now: then the shipped ones hold. */
export function fillPolicyDefaults(policy: Policy): Policy {
  const { prompted, asked } = policy.recall
  const isWhole = (weights: object | undefined) => weights !== undefined && FEATURES.every((name) => name in weights)
  if (isWhole(prompted) && isWhole(asked) && policy.improve?.excludeDays !== undefined) return policy
  const shipped = DEFAULT_POLICY.recall
  const recall = {
    ...policy.recall,
    prompted: isWhole(prompted) ? prompted : { ...shipped.prompted, ...policy.recall.weights },
    asked: isWhole(asked) ? asked : shipped.asked,
  }
  return { ...policy, recall, improve: { ...DEFAULT_POLICY.improve, ...policy.improve } }
}

/**
 * Whether hooks may go by it: what they need is there, and no weight is out of its range. One of a later version may have another
 * shape, and a hand may have been in the file. The other numbers are `doctor`'s to check: a hook has no time to.
 */
function isSound(policy: Policy | undefined): boolean {
  const { importance, recall } = policy ?? {}
  if (!importance || !recall?.moments || !recall.boosts) return false
  for (const feature of FEATURES) if (!isInPolicyRange(recall.weights?.[feature], WEIGHT_RANGE)) return false
  for (const name of RECALL_MOMENTS) {
    const moment: Partial<MomentPolicy> = recall.moments[name] ?? {}
    for (const limit of MOMENT_LIMITS) if (!isInPolicyRange(moment[limit], MOMENT_RANGES[limit])) return false
    if (!Array.isArray(moment.kinds)) return false
  }
  return true
}

const MOMENT_LIMITS = ['topK', 'scoreMin', 'relevanceMin', 'budgetTokens'] as const
