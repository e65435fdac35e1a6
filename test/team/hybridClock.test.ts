// Hybrid times: a change is later than what it was made of, whatever the clocks say.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isHybridTime, nextHybridTime } from '../../src/team/hybridClock.ts'
import { BEGIN, DAY } from '../testData.ts'
import { replicaId } from './modelMachine.ts'

const replica = replicaId(1)
const other = replicaId(2)

test('team: a time sorts as text in the order of the clock', () => {
  const early = nextHybridTime({ ms: 5, after: undefined, replica: other })
  const late = nextHybridTime({ ms: BEGIN, after: undefined, replica })
  expect(early < late).toBe(true)
  expect(late).toBe(`${BEGIN}-00000-${replica}`)
})

test('team: a change is later than what it was made of, although its clock is days behind', () => {
  const ahead = nextHybridTime({ ms: BEGIN + 5 * DAY, after: undefined, replica: other })
  const change = nextHybridTime({ ms: BEGIN, after: ahead, replica })
  expect(change > ahead).toBe(true)
  expect(change).toBe(`${BEGIN + 5 * DAY}-00001-${replica}`)
})

test('team: two changes in one millisecond have different times, also of two machines', () => {
  const first = nextHybridTime({ ms: BEGIN, after: undefined, replica })
  const second = nextHybridTime({ ms: BEGIN, after: first, replica })
  expect(second > first).toBe(true)
  expect(nextHybridTime({ ms: BEGIN, after: undefined, replica: other })).not.toBe(first)
})

test('team: any chain of changes by any clocks ascends, and each is a time', () => {
  const clock = fc.oneof(fc.integer({ min: -DAY, max: 9e12 }), fc.constantFrom(0, 8.64e15, 1e300, 0.5, BEGIN))
  fc.assert(
    fc.property(fc.array(clock, { maxLength: 30 }), (clocks) => {
      let last: string | undefined
      for (const [i, ms] of clocks.entries()) {
        const next = nextHybridTime({ ms, after: last, replica: replicaId(i % 3) })
        expect(isHybridTime(next)).toBe(true)
        if (last !== undefined) expect(next > last).toBe(true)
        last = next
      }
    }),
  )
})

test('team: a full counter goes on in the next millisecond', () => {
  const full = `${BEGIN}-99999-${other}`
  expect(nextHybridTime({ ms: 0, after: full, replica })).toBe(`${BEGIN + 1}-00000-${replica}`)
})

test('team: a clock of a far year counts as the year 2200, so that there is room after it', () => {
  const far = nextHybridTime({ ms: Date.parse('9999-12-31T00:00:00.000Z'), after: undefined, replica: other })
  expect(far.startsWith('7258118400000-')).toBe(true)
  expect(nextHybridTime({ ms: BEGIN, after: far, replica }) > far).toBe(true)
})

test.each([
  '',
  'x',
  '1-2-3',
  `${BEGIN}-0000-${replica}`,
  `${BEGIN}-00000-${replica}\n`,
  `${BEGIN}-00000-${'z'.repeat(36)}`,
])('team: %j is no time', (text) => {
  expect(isHybridTime(text)).toBe(false)
})
