// The JSON schema of a policy file, made of the same table as its validator, for editors that complete and check YAML.
import { isNames, isQuantity, NUMBERS, type Quantity, rangeText, SECTIONS } from '../../model/policyNumbers.ts'
import { SHIPPED } from './served.ts'

type Json = { readonly [name: string]: unknown }

/** JSON Schema, draft 7: what yaml-language-server reads. */
export function policySchema(): Json {
  const { properties } = partSchema(NUMBERS, '', SHIPPED)
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A policy of memctl',
    description: 'Numbers left out are as in the policy it extends.',
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: {
      name: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,63}$', description: 'what it is called' },
      extends: { type: 'string', description: 'the shipped policy it starts from (default)' },
      ...(properties as Json),
    },
  }
}

function partSchema(described: object, path: string, shipped: unknown): Json {
  const properties = Object.entries(described).map(([name, one]: [string, unknown]) => {
    const at = path === '' ? name : `${path}.${name}`
    const value = (shipped as Readonly<Record<string, unknown>>)[name]
    if (isQuantity(one)) return [name, quantitySchema(one, value)]
    if (isNames(one))
      return [
        name,
        { type: 'array', uniqueItems: true, items: { enum: one.names }, description: one.meaning, default: value },
      ]
    return [name, { ...partSchema(one as object, at, value), ...(SECTIONS[at] && { description: SECTIONS[at] }) }]
  })
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) }
}

function quantitySchema(quantity: Quantity, shipped: unknown): Json {
  const { meaning, unit, min, max, whole, never, list } = quantity
  const number = { type: whole ? 'integer' : 'number', minimum: min, maximum: max }
  const description = `${meaning}; ${unit}, ${rangeText(quantity)}`
  if (list) return { type: 'array', minItems: 1, items: number, description, default: shipped }
  return { ...(never ? { anyOf: [number, { const: 'never' }] } : number), description, default: shipped }
}
