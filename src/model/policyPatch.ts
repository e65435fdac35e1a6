// The policy a person chose for a project, as what it differs in from the shipped one. Learning starts from it.
import type { Policy } from './policy.ts'

type PolicyValue = number | null | readonly (number | string)[]

export interface PolicyPatch {
  readonly name: string
  /** Dotted path → value, for numbers and lists that are not as shipped; null is `never`. */
  readonly values: Readonly<Record<string, PolicyValue>>
}

export const DEFAULT_POLICY_PATCH: PolicyPatch = { name: 'default', values: {} }

/** The shipped policy with the chosen values in their places. A path that is not there, or leads to something else, is left out. */
export function applyPolicyPatch(shipped: Policy, base: PolicyPatch): Policy {
  if (base.name === shipped.name && Object.keys(base.values).length === 0) return shipped
  const policy = structuredClone(shipped) as unknown as Tree
  for (const [path, value] of Object.entries(base.values)) {
    const names = path.split('.')
    const last = names.pop()!
    const holder = names.reduce<unknown>(
      (at, name) => (isTree(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      policy,
    )
    if (isTree(holder) && Object.hasOwn(holder, last) && Array.isArray(holder[last]) === Array.isArray(value))
      holder[last] = value
  }
  return { ...(policy as unknown as Policy), name: base.name }
}

/** What of `policy` differs from the shipped one. */
export function diffPolicy(policy: Policy, shipped: Policy): PolicyPatch {
  const values: Record<string, PolicyValue> = {}
  const walk = (one: unknown, other: unknown, path: string): void => {
    if (isTree(one) && isTree(other)) {
      for (const name of Object.keys(other)) walk(one[name], other[name], path === '' ? name : `${path}.${name}`)
    } else if (path !== 'name' && JSON.stringify(one) !== JSON.stringify(other))
      values[path] = (one ?? null) as PolicyValue
  }
  walk(policy, shipped, '')
  return { name: policy.name, values }
}

type Tree = Record<string, unknown>

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)
