// The JSON schema of a policy file, for editors. Built from the same table as the validator.
import { formatRange, isNameListSpec, isNumberSpec, type NumberSpec, POLICY_SCHEMA } from '../../model/policySchema.ts'
import { POLICY_SECTIONS } from '../../model/policySections.ts'
import { DEFAULT_POLICY } from './activePolicy.ts'

type Json = { readonly [name: string]: unknown }

/** JSON Schema, draft 7, which yaml-language-server reads. */
export function buildPolicyJsonSchema(): Json {
  const { properties } = sectionSchema(POLICY_SCHEMA, '', DEFAULT_POLICY)
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

function sectionSchema(specs: object, path: string, defaults: unknown): Json {
  const properties = Object.entries(specs).map(([name, spec]: [string, unknown]) => {
    const at = path === '' ? name : `${path}.${name}`
    const value = (defaults as Readonly<Record<string, unknown>>)[name]
    if (isNumberSpec(spec)) return [name, numberSchema(spec, value)]
    if (isNameListSpec(spec)) {
      const items = { enum: spec.names }
      return [name, { type: 'array', uniqueItems: true, items, description: spec.meaning, default: value }]
    }
    const description = POLICY_SECTIONS[at]
    return [name, { ...sectionSchema(spec as object, at, value), ...(description && { description }) }]
  })
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) }
}

function numberSchema(spec: NumberSpec, defaultValue: unknown): Json {
  const { min, max, whole, never, list } = spec
  const number = { type: whole ? 'integer' : 'number', minimum: min, maximum: max }
  const described = { description: describeQuantity(spec), default: defaultValue }
  if (list) return { type: 'array', minItems: 1, items: number, ...described }
  return { ...(never ? { anyOf: [number, { const: 'never' }] } : number), ...described }
}

/** A number in words: meaning, unit and range. */
export const describeQuantity = (spec: NumberSpec): string => `${spec.meaning}; ${spec.unit}, ${formatRange(spec)}`
