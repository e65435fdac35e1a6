// The JSON schema of a policy file, made of the same table as its validator, for editors that complete and check YAML.
import {
  formatRange,
  isNameListSpec,
  isNumberSpec,
  type NumberSpec,
  POLICY_SCHEMA,
  POLICY_SECTIONS,
} from '../../model/policySchema.ts'
import { DEFAULT_POLICY } from './activePolicy.ts'

type Json = { readonly [name: string]: unknown }

/** JSON Schema, draft 7: what yaml-language-server reads. */
export function buildPolicyJsonSchema(): Json {
  const { properties } = partSchema(POLICY_SCHEMA, '', DEFAULT_POLICY)
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A policy of memctl',
    description: 'Numbers that are left out are those of the policy it extends.',
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: {
      name: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,63}$', description: 'the name of the policy' },
      extends: { type: 'string', description: 'the policy it starts from; default if left out' },
      ...(properties as Json),
    },
  }
}

function partSchema(described: object, path: string, shipped: unknown): Json {
  const properties = Object.entries(described).map(([name, one]: [string, unknown]) => {
    const at = path === '' ? name : `${path}.${name}`
    const value = (shipped as Readonly<Record<string, unknown>>)[name]
    if (isNumberSpec(one)) return [name, quantitySchema(one, value)]
    if (isNameListSpec(one))
      return [
        name,
        { type: 'array', uniqueItems: true, items: { enum: one.names }, description: one.meaning, default: value },
      ]
    return [
      name,
      { ...partSchema(one as object, at, value), ...(POLICY_SECTIONS[at] && { description: POLICY_SECTIONS[at] }) },
    ]
  })
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) }
}

function quantitySchema(quantity: NumberSpec, shipped: unknown): Json {
  const { meaning, unit, min, max, whole, never, list } = quantity
  const number = { type: whole ? 'integer' : 'number', minimum: min, maximum: max }
  const description = `${meaning}; ${unit}, ${formatRange(quantity)}`
  if (list) return { type: 'array', minItems: 1, items: number, description, default: shipped }
  return { ...(never ? { anyOf: [number, { const: 'never' }] } : number), description, default: shipped }
}
