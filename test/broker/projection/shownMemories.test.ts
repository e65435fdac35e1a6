// What a session has been told is sought in the bytes of its lines; it is what parsing them gives.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addShownFromLine, updateShown } from '../../../src/broker/projection/shownMemories.ts'
import type { Event, EventOf } from '../../../src/model/event.ts'
import type { EventId, MemoryId } from '../../../src/model/id.ts'
import { decodeUnverified, encodeLogLine } from '../../../src/store/log/logLine.ts'
import { memory, session } from '../../build.ts'
import { arbitraryEvent } from '../../generate.ts'

const told = (lines: readonly Buffer[]) => {
  const known = new Set<MemoryId>()
  for (const line of lines) addShownFromLine(known, session('s1'), line)
  return known
}

/** As the events themselves say. */
const parsed = (lines: readonly Buffer[]) =>
  lines
    .flatMap((line) => decodeUnverified(line) ?? [])
    .filter((event) => event.session === session('s1'))
    .reduce(updateShown, [] as readonly MemoryId[])

/** A recall that shows these, and names one more that had no place. */
const recalled = (shown: readonly number[], more: Partial<EventOf<'recalled'>> = {}): EventOf<'recalled'> => ({
  ...{ id: '0123456789abcdef' as EventId, at: '2026-11-07T10:00:00.000Z', session: session('s1'), role: 'main' },
  ...{ outcome: 'unknown', lessons: [], privacy: 'public', kind: 'recalled', moment: 'prompt', withheld: false },
  cue: 'what of "shown":[{"memory":"another"}] and "next":{ is a text?',
  shown: shown.map((n) => ({ memory: memory(n).id, score: 0.5, features: { kind: 0.9 } })),
  others: [memory(8).id],
  next: { memory: memory(9).id, score: 0.4, features: {} },
  policy: 1,
  ...more,
})

const lineWithoutEnd = (event: Event): Buffer => encodeLogLine(event).subarray(0, -1)

const ids = (...numbers: readonly number[]) => new Set(numbers.map((n) => memory(n).id))

test('told: what was shown counts, neither what was next nor what was withheld', () => {
  const lines = [recalled([1, 2]), recalled([3], { withheld: true }), recalled([2, 4])].map(lineWithoutEnd)
  expect(told(lines)).toEqual(ids(1, 2, 4))
})

test('told: a compaction takes what was told out of the conversation', () => {
  const started = (source: string) =>
    ({ ...recalled([]), kind: 'session.started', source, cwd: '/home/dev/shop', shown: undefined }) as unknown as Event
  const after = (source: string) => told([recalled([1]), started(source), recalled([2])].map(lineWithoutEnd))
  expect(after('compact')).toEqual(ids(2))
  expect(after('clear')).toEqual(ids(2))
  expect(after('resume')).toEqual(ids(1, 2))
})

test('told: a line that a crash began is passed over, what stands behind it in the same line is not', () => {
  const [first, second] = [recalled([1]), recalled([2])].map(lineWithoutEnd)
  expect(told([first!.subarray(0, 300)])).toEqual(ids())
  expect(told([Buffer.concat([first!.subarray(0, 300), second!])])).toEqual(ids(2))
})

test('told: the bytes of any lines say what their events say', () => {
  const recall = fc
    .tuple(fc.array(fc.nat(9), { maxLength: 3 }), fc.boolean(), fc.constantFrom('s1', 's2'))
    .map(([shown, withheld, name]) => recalled(shown, { withheld, session: session(name) }))
  fc.assert(
    fc.property(fc.array(fc.oneof(recall, arbitraryEvent), { maxLength: 8 }), (events) => {
      const lines = events.map(lineWithoutEnd).filter((line) => line.includes('"session":"s1"'))
      expect(told(lines)).toEqual(new Set(parsed(lines)))
    }),
    { numRuns: 300 },
  )
})
