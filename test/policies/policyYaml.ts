// A policy as YAML for people: every number with its meaning, unit and range, as in policies/default.yaml.
import { describeQuantity } from '../../src/broker/policy/policyFiles.ts'
import type { Policy } from '../../src/model/policy.ts'
import { isNameSpec, isNumberSpec, POLICY_SCHEMA, POLICY_SECTIONS } from '../../src/model/policySchema.ts'

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
