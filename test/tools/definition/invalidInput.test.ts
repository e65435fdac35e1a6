// Invalid input at every entry point, generated from the schema of each tool, so new tools are included.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildJsonSchema } from '../../../src/tools/definition/field.ts'
import { TOOLS } from '../../../src/tools/toolRegistry.ts'
import { DOORS, type Door, type Json } from '../callers.ts'

interface Schema {
  readonly type: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxLength?: number
  readonly format?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** Values that a schema forbids, one a way in which it does. */
function forbidden(schema: Schema): unknown[] {
  const { type, minimum, maximum, minItems, maxItems, maxLength, format, items } = schema
  const few = (count: number): unknown[] => Array.from({ length: count }, () => allowed(items!))
  return [
    type === 'string' ? 7 : 'seven',
    type === 'array' ? {} : [],
    ...(type === 'integer' ? [(minimum ?? 0) + 0.5] : []),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(schema.enum || format === 'date-time' ? ['no such thing'] : []),
    ...(type === 'string' && !schema.enum ? [' ', '\u200b\u2060', '<private>x</private> '] : []),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(minItems ? [few(minItems - 1)] : []),
    ...(maxItems === undefined ? [] : [few(maxItems + 1)]),
    // A list of objects is checked item by item, in the call's own errors.
    ...(type === 'array' && items!.type !== 'object' ? forbidden(items!).map((item) => [item]) : []),
  ]
}

/** A value that it allows. */
function allowed(schema: Schema): unknown {
  switch (schema.type) {
    case 'string':
      return schema.enum?.[0] ?? (schema.format === 'date-time' ? '2026-03-02T09:00:00Z' : 'lamps')
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => allowed(schema.items!))
    case 'object':
      return inputFor(schema)
    case 'boolean':
      return true
    default:
      return schema.minimum ?? 1
  }
}

/** What a call cannot do without. */
const inputFor = ({ properties = {}, required = [] }: Schema): Json =>
  Object.fromEntries(required.map((name) => [name, allowed(properties[name]!)]))

const CASES = TOOLS.map((tool) => {
  const schema = buildJsonSchema(tool.input) as unknown as Schema
  const { properties = {}, required = [] } = schema
  const whole = inputFor(schema)
  return {
    tool: tool.name,
    inputs: [
      ...required.map((name) => Object.fromEntries(Object.entries(whole).filter(([other]) => other !== name))),
      { ...whole, 'no such field': 1 },
      ...Object.entries(properties).flatMap(([name, item]) =>
        forbidden(item).map((value) => ({ ...whole, [name]: value })),
      ),
    ],
  }
})

describe.each(Object.keys(DOORS))('tools through the %s', (name) => {
  let door: Door
  beforeAll(async () => {
    door = await DOORS[name]!()
  })
  afterAll(() => door.end())

  test.each(CASES)('tools: $tool refuses input that its schema forbids, with the allowed values', async (item) => {
    for (const input of item.inputs) {
      const failure = await door.call(item.tool, input)
      const result = JSON.stringify(input).slice(0, 200)
      expect({ told: result, ...failure }).toEqual({
        ...{ told: result, error: true, error_type: 'ValidationError' },
        message: expect.stringMatching(/\S/),
        hint: expect.stringMatching(/\S/),
      })
    }
  })
})

const BATCHES = CASES.flatMap(({ tool }) => {
  const { properties = {} } = buildJsonSchema(TOOLS.find(({ name }) => name === tool)!.input) as unknown as Schema
  return Object.entries(properties).flatMap(([list, { items }]) => {
    if (items?.type !== 'object') return []
    const whole = inputFor(items)
    const wrong = Object.entries(items.properties!).flatMap(([name, item]) =>
      forbidden(item).map((value) => ({ ...whole, [name]: value })),
    )
    return [{ tool, list, wrong: [...wrong, {}, 'no object', { ...whole, 'no such field': 1 }] }]
  })
})

test.each(BATCHES)('tools: $tool reports the errors of each item of its $list', async ({ tool, list, wrong }) => {
  const door = await DOORS['library']!()
  for (let from = 0; from < wrong.length; from += 100) {
    const some = wrong.slice(from, from + 100)
    const { success, errors } = await door.call(tool, { [list]: some, on_error: 'continue' })
    expect(success).toBe(false)
    expect((errors as Json[]).map(({ index, error_type }) => [some[index as number], error_type])).toEqual(
      some.map((item) => [item, 'ValidationError']),
    )
  }
  expect(BATCHES.map((item) => item.tool)).toEqual(['memory_batch_store', 'memory_batch_update'])
  await door.end()
})

test('tools: refused input is not stored', async () => {
  const door = await DOORS['library']!()
  for (const { tool, inputs } of CASES) for (const input of inputs) await door.call(tool, input)
  expect(await door.call('memory_list')).toMatchObject({ total: 0 })
  await door.end()
})
