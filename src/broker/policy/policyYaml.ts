// A policy as YAML for people: every number with its meaning, unit and range beside it. The shipped files are written by this.
import type { Policy } from '../../model/policy.ts'
import {
  formatRange,
  isNameListSpec,
  isNumberSpec,
  type NumberSpec,
  POLICY_SCHEMA,
  POLICY_SECTIONS,
} from '../../model/policySchema.ts'

/** The schema's file, beside the policies. */
export const POLICY_SCHEMA_FILE = 'policy.schema.json'

/** The policy's file. `head` are lines of comment that say what it is for, without their `#`. */
export function formatPolicyYaml(policy: Policy, head: readonly string[], schema = `./${POLICY_SCHEMA_FILE}`): string {
  const lines = [`# yaml-language-server: $schema=${schema}`, ...head.map((line) => `# ${line}`.trimEnd())]
  return `${[...lines, `name: ${policy.name}`, ...partLines(POLICY_SCHEMA, policy, '', '')].join('\n')}\n`
}

function partLines(described: object, values: object, path: string, indent: string): string[] {
  return Object.entries(described).flatMap(([name, one]: [string, unknown]) => {
    const at = path === '' ? name : `${path}.${name}`
    const value = (values as Readonly<Record<string, unknown>>)[name]
    if (isNumberSpec(one)) return [`${indent}${name}: ${valueText(value)} # ${describeQuantity(one)}`]
    if (isNameListSpec(one)) return [`${indent}${name}: ${valueText(value)} # ${one.meaning}`]
    const above = POLICY_SECTIONS[at]
    return [
      ...(indent === '' ? [''] : []),
      ...(above === undefined ? [] : [`${indent}# ${above}`]),
      `${indent}${name}:`,
      ...partLines(one as object, value as object, at, `${indent}  `),
    ]
  })
}

/** What stands behind a number. */
export const describeQuantity = (quantity: NumberSpec): string =>
  `${quantity.meaning}; ${quantity.unit}, ${formatRange(quantity)}`

/** A value as it stands in the file. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  return value === null || value === undefined ? 'never' : String(value)
}
