// A policy as YAML for people: every number with its meaning, unit and range, as in policies/default.yaml.
import type { Policy } from '../../src/model/policy.ts'
import { isNameSpec, isNumberSpec, type NumberSpec, POLICY_SCHEMA } from '../../src/model/policySchema.ts'

/** The comments above the sections of a policy file. */
const POLICY_SECTIONS: Readonly<Record<string, string>> = {
  recall: 'Recall: what is shown, and when nothing is shown.',
  'recall.moments':
    'What each moment may show: session start, prompt, tool call, failure, subagent start, request (ask).',
  knowledge: 'Knowledge: which entries are shown unasked, and when one retires.',
  expansion: 'Expansion: what a query finds beside the words it says.',
  strength: 'Strength: how well a memory is consolidated by use.',
  tiers: 'Tiers: hot, warm, cold.',
  improve: 'Improve: what is learned.',
  privacy: 'Privacy: timed release, private → agent-only → public.',
  team: 'Team: what the machines of a team share through a hub, if one is configured.',
}

/** A number in words: meaning, unit and range. */
export const describeQuantity = ({ meaning, unit, min, max, whole, never }: NumberSpec): string =>
  `${meaning}; ${unit}, ${min} to ${max}${whole ? ', whole' : ''}${never ? ', or never' : ''}`

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

/** The text of the policy's file. `head` are comment lines that say what it is for, without their `#`. */
export function formatPolicyYaml(policy: Policy, head: readonly string[]): string {
  const lines = head.map((line) => `# ${line}`.trimEnd())
  return `${[...lines, `name: ${policy.name}`, ...sectionLines(POLICY_SCHEMA, policy, '', '')].join('\n')}\n`
}

function sectionLines(specs: object, values: object, path: string, indent: string): string[] {
  return Object.entries(specs).flatMap(([name, spec]: [string, unknown]) => {
    const at = path === '' ? name : `${path}.${name}`
    const value = (values as Readonly<Record<string, unknown>>)[name]
    if (isNumberSpec(spec)) return [`${indent}${name}: ${formatValue(value)} # ${describeQuantity(spec)}`]
    if (isNameSpec(spec))
      return [
        `${indent}${name}: ${formatValue(value)} # ${spec.meaning}${spec.list ? '' : `; ${spec.names.join(', ')}`}`,
      ]
    const comment = POLICY_SECTIONS[at]
    return [
      ...(indent === '' ? [''] : []),
      ...(comment === undefined ? [] : [`${indent}# ${comment}`]),
      `${indent}${name}:`,
      ...sectionLines(spec as object, value as object, at, `${indent}  `),
    ]
  })
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`
  return value === null || value === undefined ? 'never' : String(value)
}
