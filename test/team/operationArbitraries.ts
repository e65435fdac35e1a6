// Generators of operations for fast-check: few memories and machines, so that their operations meet.
import fc from 'fast-check'
import type { EventId } from '../../src/model/id.ts'
import { newMemory } from '../../src/model/memory.ts'
import { nextHybridTime } from '../../src/team/hybridClock.ts'
import type { Operation, OperationBody, SharedFields } from '../../src/team/operation.ts'
import { readOwnFields } from '../../src/team/shareMemory.ts'
import { BEGIN, DAY, iso, testMemoryId } from '../testData.ts'
import { replicaId } from './modelMachine.ts'

/** The shared fields of a lesson with this text. */
export function sharedFields(content: string): SharedFields {
  const memory = newMemory({ id: testMemoryId(1), kind: 'lesson', content, created: iso(BEGIN) })
  const fields = readOwnFields(memory, (text) => text)
  if (fields === undefined) throw new Error('a lesson can be shared')
  return fields
}

const count = fc.nat(9)
const hybridTime = fc
  .record({ ms: fc.integer({ min: BEGIN, max: BEGIN + 5 }), days: fc.integer({ min: -3, max: 3 }), by: fc.nat(2) })
  .map(({ ms, days, by }) => nextHybridTime({ ms: ms + days * DAY, after: undefined, replica: replicaId(by) }))

const body: fc.Arbitrary<OperationBody> = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    fields: fc.string({ maxLength: 5 }).map(sharedFields),
    by: fc.constantFrom('Ada', 'Grace', '花子'),
    after: fc.option(hybridTime, { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant('count' as const),
    counts: fc.record(
      {
        ...{ uses: count, candidates: count, impact: count, meetings: count, sessions: count },
        ...{ met: count, shown: count, obeyed: count, broken: count },
      },
      { requiredKeys: ['uses', 'candidates', 'impact', 'meetings', 'sessions'] },
    ),
  }),
  fc.record({
    kind: fc.constant('supersede' as const),
    memoryBy: fc.constantFrom(null, 'outdated', testMemoryId(7), testMemoryId(8)),
  }),
  fc.record({ kind: fc.constantFrom('withdraw' as const, 'delete' as const) }),
  fc.record({ kind: fc.constantFrom('withdraw' as const, 'delete' as const, 'forget' as const) }),
)

/** Operations of one memory by three machines: numbers have no gaps and times may be equal. */
export const arbitraryOperations: fc.Arbitrary<readonly Operation[]> = fc
  .array(fc.tuple(body, hybridTime, fc.nat(2)), { maxLength: 12 })
  .map((drafts) => {
    const numbers = new Map<number, number>()
    return drafts.map(([given, time, by], i) => {
      const n = (numbers.get(by) ?? 0) + 1
      numbers.set(by, n)
      const id = `00000000-0000-4000-8000-${String(i + 1).padStart(12, '0')}` as EventId
      const replica = replicaId(by)
      const at = `${time.slice(0, 20)}${replica}`
      const operation = { id, replica, n, at, memory: testMemoryId(1), ...given }
      return JSON.parse(JSON.stringify(operation)) as Operation
    })
  })
