// Merging operations: the order in which they arrive and how often they do must not matter.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeOperation, type TeamState } from '../../src/team/mergeOperation.ts'
import type { Operation } from '../../src/team/operation.ts'
import { visibleMemory } from '../../src/team/visibleMemory.ts'
import { testMemoryId } from '../testData.ts'
import { replicaId } from './modelMachine.ts'
import { arbitraryOperations, sharedFields } from './operationArbitraries.ts'

const mergeAll = (operations: readonly Operation[], start?: TeamState): TeamState =>
  operations.reduce<TeamState>((state, operation) => mergeOperation(state, operation), start ?? {})

const RUNS = { numRuns: process.env['MEMCTL_LONG'] === '1' ? 20_000 : 500 }

/** Operations, and the same ones in another order with some of them twice. */
const twoOrders = arbitraryOperations.chain((operations) =>
  fc.tuple(
    fc.constant(operations),
    fc.shuffledSubarray([...operations, ...operations], { minLength: 0 }).map((some) => [...operations, ...some]),
    fc.infiniteStream(fc.nat(1_000)).map((stream) => [...stream.take(40)]),
  ),
)

describe('team: merging', () => {
  test('team: the order of operations does not matter, and neither do duplicates', () => {
    fc.assert(
      fc.property(twoOrders, ([operations, more, keys]) => {
        const shuffled = more.map((operation, i) => ({ operation, key: keys[i] ?? 0 })).sort((a, b) => a.key - b.key)
        const merged = mergeAll(shuffled.map(({ operation }) => operation))
        expect(merged).toEqual(mergeAll(operations))
        // As text too: the hub stores it, and compares it.
        expect(Object.keys(merged.puts ?? {})).toEqual(Object.keys(mergeAll(operations).puts ?? {}))
      }),
      RUNS,
    )
  })

  test('team: merging an operation twice changes nothing', () => {
    fc.assert(
      fc.property(arbitraryOperations, (operations) => {
        const once = mergeAll(operations)
        expect(mergeAll(operations, once)).toEqual(once)
      }),
      RUNS,
    )
  })

  test('team: a state is plain JSON', () => {
    fc.assert(
      fc.property(arbitraryOperations, (operations) => {
        const state = mergeAll(operations)
        expect(JSON.parse(JSON.stringify(state))).toEqual(state)
      }),
      RUNS,
    )
  })

  test('team: a forgotten memory keeps nothing, and nothing brings it back', () => {
    fc.assert(
      fc.property(arbitraryOperations, (operations) => {
        if (!operations.some(({ kind }) => kind === 'forget')) return
        expect(mergeAll(operations)).toEqual({ forgotten: true })
      }),
      RUNS,
    )
  })
})

const operation = (by: number, n: number, ms: number, given: Partial<Operation>): Operation =>
  ({
    id: `0000000${by}-0000-4000-8000-${String(n).padStart(12, '0')}`,
    replica: replicaId(by),
    n,
    at: `${String(ms).padStart(13, '0')}-00000-${replicaId(by)}`,
    memory: testMemoryId(1),
    ...given,
  }) as Operation
const put = (by: number, n: number, ms: number, content: string, name = `person ${by}`): Operation =>
  operation(by, n, ms, { kind: 'put', fields: sharedFields(content), by: name })
const seen = (...operations: Operation[]) => visibleMemory(mergeAll(operations))

describe('team: what is visible', () => {
  test('team: the latest version is seen, and every machine and person is counted', () => {
    const visible = seen(put(1, 1, 100, 'first'), put(2, 1, 300, 'latest'), put(3, 1, 200, 'between', 'person 1'))
    expect(visible?.fields.content).toBe('latest')
    expect(visible?.mark).toMatchObject({ by: 'person 2', people: 2, replicas: 3 })
  })

  test('team: who wrote a text first is named, although another met the same later', () => {
    expect(seen(put(1, 1, 100, 'same'), put(2, 1, 300, 'same'))?.mark).toMatchObject({ by: 'person 1', people: 2 })
  })

  test('team: what its machine no longer shares is not seen; the versions of others stay', () => {
    const own = put(1, 1, 300, 'taken back')
    const taken = operation(1, 2, 400, { kind: 'withdraw' })
    expect(seen(own, taken)).toBeUndefined()
    expect(seen(own, taken, put(2, 1, 100, 'of another'))?.fields.content).toBe('of another')
    expect(seen(own, taken, put(1, 3, 500, 'shared again'))?.fields.content).toBe('shared again')
  })

  test('team: a deletion wins over later versions that did not know of it, and not over one that did', () => {
    const deletion = operation(2, 1, 200, { kind: 'delete' })
    const unknowing = put(1, 2, 900, 'edited at the same time')
    const knowing = { ...put(3, 1, 300, 'learned again'), after: deletion.at } as Operation
    expect(seen(put(1, 1, 100, 'text'), deletion, unknowing)).toBeUndefined()
    expect(seen(put(1, 1, 100, 'text'), deletion, knowing)?.fields.content).toBe('learned again')
    expect(seen(knowing, deletion, operation(1, 9, 400, { kind: 'delete' }))).toBeUndefined()
  })

  test('team: counts add over machines, and each machine counts once', () => {
    const count = (by: number, n: number, uses: number): Operation =>
      operation(by, n, 1, { kind: 'count', counts: { uses, candidates: 0, impact: 0.1, meetings: 0, sessions: 1 } })
    const visible = seen(put(1, 1, 100, 'text'), count(1, 2, 5), count(2, 1, 3), count(2, 2, 4), count(2, 1, 3))
    expect(visible?.counts).toMatchObject({ uses: 9, candidates: 0, impact: 0.2, meetings: 0, sessions: 2 })
  })

  test('team: what is counted of an entry adds over machines; an earlier version met it in each session', () => {
    const counts = { uses: 0, candidates: 0, impact: 0, meetings: 0, sessions: 3 }
    const earlier = operation(1, 2, 1, { kind: 'count', counts })
    const later = operation(2, 1, 1, { kind: 'count', counts: { ...counts, met: 1, shown: 4, obeyed: 2, broken: 1 } })
    const visible = seen(put(1, 1, 100, 'text'), earlier, later)
    expect(visible?.counts).toMatchObject({ sessions: 6, met: 4, shown: 4, obeyed: 2, broken: 1 })
  })
})
