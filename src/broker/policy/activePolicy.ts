// The active policy, compiled beside the project's log by maintenance; the default policy until there is one.
import defaultPolicy from '../../../policies/default.yaml'
import {
  type LearnedPolicy,
  MOMENT_RANGES,
  type MomentPolicy,
  type Policy,
  type PolicyPatch,
} from '../../model/policy.ts'
import { RECALL_MOMENTS } from '../../model/recallQuery.ts'
import { readJsonAgain, readJsonIfIntact } from '../../store/disk/readJson.ts'
import { configFile } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'

/** The policy that comes with memctl. Parsed when memctl is built: a hook reads no YAML. */
export const DEFAULT_POLICY = defaultPolicy as Policy

/** policy.json: the numbers for hooks, and which of them were learned. */
export interface PolicyFile {
  readonly name: string
  /** Missing in the first stores: the default policy. */
  readonly base?: PolicyPatch
  readonly learned: LearnedPolicy
  readonly frozen?: boolean
  readonly compiled: Policy
}

/** The active policy and its version. A corrupt file counts as the default policy, version 0; `doctor` reports it. */
export function readActivePolicy(store: Store): { readonly policy: Policy; readonly version: number } {
  try {
    const file = readJsonAgain<PolicyFile>(store.files, store.layout.policy)
    if (file && isUsable(file.compiled))
      return { policy: fillPolicyDefaults(file.compiled), version: file.learned.version }
  } catch {
    // A corrupt policy must not stop a session. The default policy is always valid.
  }
  return { policy: DEFAULT_POLICY, version: 0 }
}

/**
 * The policy with the defaults of values that the earlier version of memctl that compiled it did not know. A later
 * version has them all; one without moments is damaged, and stays so.
 */
export function fillPolicyDefaults(policy: Policy): Policy {
  if (policy.recall.formula !== undefined || policy.recall.moments === undefined) return policy
  const filled = Object.entries(DEFAULT_POLICY).map(([name, value]: [string, unknown]) => {
    const own = policy[name as keyof Policy] as unknown
    return [name, typeof value === 'object' ? { ...value, ...(own as object | undefined) } : own]
  })
  return Object.fromEntries(filled) as Policy
}

/**
 * Whether hooks can use it: the moments have their numbers. A later version of memctl may write another shape, and a
 * user may edit the file. `doctor` checks the other numbers; a hook has no time for that.
 */
function isUsable(policy: Policy | undefined): boolean {
  const moments = policy?.recall?.moments
  if (!moments) return false
  for (const name of RECALL_MOMENTS) {
    const moment: Partial<MomentPolicy> = moments[name] ?? {}
    for (const limit of MOMENT_LIMITS) {
      const [value, [min, max]] = [moment[limit], MOMENT_RANGES[limit]]
      if (typeof value !== 'number' || value < min || value > max) return false
    }
    if (!Array.isArray(moment.kinds)) return false
  }
  return true
}

const MOMENT_LIMITS = ['topK', 'scoreMin', 'relevanceMin', 'budgetTokens'] as const

// Whether the user may have configured a policy. Checked before a YAML parser is loaded.

/** The config that a project shares with everybody who works on it. */
export const projectConfigFile = (root: string): string => `${root}/.memctl/project.yaml`

/** Whether a file exists that may configure a policy, or a policy is in use whose file was removed. */
export function hasPolicyConfig({ files, layout, home, project }: Store): boolean {
  if (home === undefined) return false
  if ([configFile(home), projectConfigFile(project.root)].some((file) => files.size(file) !== undefined)) return true
  const base = readJsonIfIntact<PolicyFile>(files, layout.policy)?.base
  return base !== undefined && (base.name !== 'default' || Object.keys(base.values).length > 0)
}
