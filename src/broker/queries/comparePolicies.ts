// Compares the active policy with the configured one, value by value.
import { applyPolicyPatch, DEFAULT_POLICY_PATCH, type Policy } from '../../model/policy.ts'
import { isNameListSpec, isNumberSpec, POLICY_SCHEMA } from '../../model/policySchema.ts'
import { readJson } from '../../store/disk/readJson.ts'
import type { Store } from '../open/openStore.ts'
import { DEFAULT_POLICY, type PolicyFile, readActivePolicy } from '../policy/activePolicy.ts'

export interface PolicyDifference {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** The active numbers that differ from the configured ones, in the order of the file. */
export function listLearnedDifferences(store: Store): PolicyDifference[] {
  const configured = flattenPolicy(readConfiguredPolicy(store))
  return [...flattenPolicy(readActivePolicy(store).policy)].flatMap(([path, value]) => {
    const after = configured.get(path)
    return JSON.stringify(value) === JSON.stringify(after) ? [] : [{ path, before: value, after }]
  })
}

/** Every number, list of numbers and list of names by its path, in the order of the file. */
export function flattenPolicy(policy: Policy): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>()
  const walk = (specs: object, value: unknown, parent: string): void => {
    for (const [name, spec] of Object.entries(specs) as [string, unknown][]) {
      const path = parent === '' ? name : `${parent}.${name}`
      const inner = (value as Readonly<Record<string, unknown>> | undefined)?.[name]
      if (isNumberSpec(spec) || isNameListSpec(spec)) leaves.set(path, inner ?? null)
      else walk(spec as object, inner, path)
    }
  }
  walk(POLICY_SCHEMA, policy, '')
  return leaves
}

function readConfiguredPolicy({ files, layout }: Store): Policy {
  return applyPolicyPatch(DEFAULT_POLICY, readJson<PolicyFile>(files, layout.policy)?.base ?? DEFAULT_POLICY_PATCH)
}
