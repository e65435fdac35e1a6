// Compares policies value by value.
import { MemoryError } from '../../model/memoryError.ts'
import { applyLearnedPolicy, applyPolicyPatch, DEFAULT_POLICY_PATCH, type Policy } from '../../model/policy.ts'
import { isNameListSpec, isNumberSpec, POLICY_SCHEMA } from '../../model/policySchema.ts'
import { readJson } from '../../store/disk/readJson.ts'
import type { Store } from '../open/openStore.ts'
import { DEFAULT_POLICY, type PolicyFile, readActivePolicy } from '../policy/activePolicy.ts'
import { findBuiltinPolicy, loadPolicyFile } from '../policy/policyRegistry.ts'
import { readPolicyHistory } from './policySummary.ts'

export interface PolicyDifference {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** The values that differ, in the order of the file. */
export function listPolicyDifferences(before: Policy, after: Policy): PolicyDifference[] {
  const valuesAfter = flattenPolicy(after)
  return [...flattenPolicy(before)].flatMap(([path, value]) => {
    const valueAfter = valuesAfter.get(path)
    return JSON.stringify(value) === JSON.stringify(valueAfter) ? [] : [{ path, before: value, after: valueAfter }]
  })
}

/**
 * The policy with this name: `default`, `configured`, `active`, a version number, a builtin policy or a file.
 * `resolvePath` gives the path of a file. Throws NOT_FOUND, and POLICY_INVALID for an invalid file.
 */
export function resolvePolicyName(store: Store, name: string, resolvePath: (file: string) => string): Policy {
  const configured = readConfiguredPolicy(store)
  if (name === 'default') return DEFAULT_POLICY
  if (name === 'active') return readActivePolicy(store).policy
  if (name === 'configured' || name === '0') return configured
  if (/^\d+$/.test(name)) {
    const change = readPolicyHistory(store).findLast(({ version }) => version === Number(name))
    if (change) return applyLearnedPolicy(configured, change)
    throw new MemoryError('NOT_FOUND', `The policy of this project has no version ${name}`, {
      hint: 'Run `memctl policy history` to list the versions.',
    })
  }
  return findBuiltinPolicy(name) ?? loadPolicyFile(store.files, resolvePath(name))
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
