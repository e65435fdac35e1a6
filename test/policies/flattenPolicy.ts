// The numbers of a policy by their paths.
import type { Policy } from '../../src/model/policy.ts'
import { isNameSpec, isNumberSpec, POLICY_SCHEMA } from '../../src/model/policySchema.ts'

/** Every number, list of numbers and list of names by its path, in the order of the file. */
export function flattenPolicy(policy: Policy): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>()
  const walk = (specs: object, value: unknown, parent: string): void => {
    for (const [name, spec] of Object.entries(specs) as [string, unknown][]) {
      const path = parent === '' ? name : `${parent}.${name}`
      const inner = (value as Readonly<Record<string, unknown>> | undefined)?.[name]
      if (isNumberSpec(spec) || isNameSpec(spec)) leaves.set(path, inner ?? null)
      else walk(spec as object, inner, path)
    }
  }
  walk(POLICY_SCHEMA, policy, '')
  return leaves
}
