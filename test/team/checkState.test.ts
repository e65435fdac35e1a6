// A stored state is untrusted: what merging gives is read as it is, and anything else is no state.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkState } from '../../src/team/checkState.ts'
import { mergeOperation, type TeamState } from '../../src/team/mergeOperation.ts'
import { countOf, machine, memoryOf, operationOf, putOf } from '../database/hub/hubServer.ts'

const asIs = (text: string): string => text
const OPERATIONS = [
  operationOf(2, 1, 1, putOf('ポート 5432', 'Ben')),
  operationOf(1, 1, 1, putOf('port 5432')),
  operationOf(1, 2, 1, countOf(3)),
  operationOf(2, 2, 1, { kind: 'withdraw' }),
  operationOf(1, 3, 1, { kind: 'supersede', memoryBy: memoryOf(2) }),
  operationOf(1, 4, 1, { kind: 'supersede', memoryBy: null }),
  operationOf(1, 5, 1, { kind: 'delete' }),
  operationOf(1, 6, 1, { ...putOf('again'), kind: 'put', after: operationOf(1, 5, 1, { kind: 'delete' }).at } as never),
]
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const merge = (operations: typeof OPERATIONS): TeamState =>
  operations.reduce<TeamState | undefined>(mergeOperation, undefined) ?? {}

test('team: every merged state is read as it is', () => {
  for (const end of OPERATIONS.keys()) {
    const state = merge(OPERATIONS.slice(0, end + 1))
    expect(checkState(throughJson(state), asIs)).toEqual(state)
  }
  expect(checkState({ forgotten: true, deleted: OPERATIONS[0]?.at }, asIs)).toEqual({ forgotten: true })
})

test('team: a state with anything wrong in it is none; the texts of one that is right are cleaned', () => {
  const state = merge(OPERATIONS)
  const [put] = Object.values(state.puts ?? {})
  const wrong: readonly unknown[] = [
    ...[null, [], 'text', 7, {}, { other: 1 }],
    ...[{ puts: [] }, { puts: { [machine(1)]: null } }, { puts: { someone: put } }, { puts: { [machine(9)]: put } }],
    ...[{ puts: { [machine(1)]: { ...put, n: 0 } } }, { puts: { [machine(1)]: { ...put, by: 7 } } }],
    ...[{ withdrawn: { [machine(1)]: -1 } }, { counts: { [machine(1)]: { uses: 1 } } }, { deleted: 'yesterday' }],
    ...[{ superseded: { at: put?.at } }, { superseded: { at: put?.at, by: 'nobody' } }, { forgotten: 1 }],
    JSON.parse(`{"puts": {"__proto__": ${JSON.stringify(put)}}}`),
  ]
  for (const part of wrong) {
    const value = typeof part === 'object' && part !== null && !Array.isArray(part) ? part : undefined
    expect([part, checkState(part, asIs)]).toEqual([part, undefined])
    if (value && Object.keys(value).some((key) => key !== 'other'))
      expect([part, checkState({ ...state, ...value }, asIs)]).toEqual([part, undefined])
  }
  const shown = merge([operationOf(1, 1, 1, putOf('red \u001b[31mport'))])
  expect(checkState(shown, undefined)).toEqual(shown)
  expect(checkState(shown, asIs)?.puts?.[machine(1)]?.fields.content).toBe('red port')
})

test('team: a text that is too long makes no state, cleaned or as it is', () => {
  const state = merge([operationOf(1, 1, 1, putOf('x'.repeat(1_000_000)))])
  for (const cleanText of [undefined, asIs]) expect(checkState(state, cleanText)).toBeUndefined()
})

test('team: any JSON is a state or none, and what is one can be merged', () => {
  const names = fc.constantFrom('puts', 'withdrawn', 'counts', 'superseded', 'deleted', 'forgotten', '__proto__')
  fc.assert(
    fc.property(fc.dictionary(names, fc.jsonValue()), (value) => {
      const state = checkState(throughJson(value), asIs)
      if (state === undefined) return
      expect(checkState(state, asIs)).toEqual(state)
      for (const operation of OPERATIONS) expect(checkState(mergeOperation(state, operation), asIs)).toBeDefined()
    }),
  )
})
