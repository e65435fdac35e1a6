// The memories shown in a session are found in the bytes of its log lines, with the same result as parsing them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEvent } from '../../../src/broker/projection/applyEvent.ts'
import { emptyProjection } from '../../../src/broker/projection/projection.ts'
import { addShownFromLine, updateShown } from '../../../src/broker/projection/shownMemories.ts'
import type { Event, EventOf } from '../../../src/model/event.ts'
import type { EventId, MemoryId } from '../../../src/model/id.ts'
import { decodeUnverified, encodeLogLine } from '../../../src/store/log/eventLog.ts'
import { arbitraryEvent } from '../../arbitraries.ts'
import { buildMemory, sessionId } from '../../testData.ts'

const shownIn = (lines: readonly Buffer[], agentId?: string) => {
  const shown = new Set<MemoryId>()
  for (const line of lines) addShownFromLine(shown, { session: sessionId('s1'), agentId }, line)
  return shown
}

/** The same from parsed events. */
const parsed = (lines: readonly Buffer[], agentId?: string) =>
  lines
    .flatMap((line) => decodeUnverified(line) ?? [])
    .filter((event) => event.session === sessionId('s1') && event.agentId === agentId)
    .reduce(updateShown, [] as readonly MemoryId[])

/** A recall that shows these, and has a next one that was not shown. */
const recalled = (shown: readonly number[], more: Partial<EventOf<'recalled'>> = {}): EventOf<'recalled'> => ({
  id: '0123456789abcdef' as EventId,
  at: '2026-11-07T10:00:00.000Z',
  session: sessionId('s1'),
  role: 'main',
  outcome: 'unknown',
  lessons: [],
  privacy: 'public',
  kind: 'recalled',
  moment: 'prompt',
  withheld: false,
  cue: 'what of "shown":[{"memory":"another"}] and "next":{ is a text?',
  shown: shown.map((n) => ({ memory: buildMemory(n).id, score: 0.5, features: { kind: 0.9 } })),
  others: [buildMemory(8).id],
  next: { memory: buildMemory(9).id, score: 0.4, features: {} },
  policy: 1,
  ...more,
})

const lineWithoutEnd = (event: Event): Buffer => encodeLogLine(event).subarray(0, -1)

const ids = (...numbers: readonly number[]) => new Set(numbers.map((n) => buildMemory(n).id))

test('shown: shown memories count, but not the next one and not those of a holdout', () => {
  const lines = [recalled([1, 2]), recalled([3], { withheld: true }), recalled([2, 4])].map(lineWithoutEnd)
  expect(shownIn(lines)).toEqual(ids(1, 2, 4))
})

test('shown: the main thread and each subagent have a list of their own', () => {
  const lines = [recalled([1]), recalled([2], { agentId: 'a1', role: 'tester' }), recalled([3], { agentId: 'a2' })].map(
    lineWithoutEnd,
  )
  expect(shownIn(lines)).toEqual(ids(1))
  expect(shownIn(lines, 'a1')).toEqual(ids(2))
  expect(shownIn(lines, 'a2')).toEqual(ids(3))
  expect(shownIn(lines, 'a')).toEqual(ids())
})

test('shown: a compaction of the main thread removes nothing from a subagent', () => {
  const started = { ...recalled([]), kind: 'session.started', source: 'compact', cwd: '/', shown: undefined }
  const lines = [recalled([1], { agentId: 'a1' }), started as unknown as Event].map(lineWithoutEnd)
  expect(shownIn(lines, 'a1')).toEqual(ids(1))
})

test('shown: a compaction removes the shown memories from the conversation', () => {
  const started = (source: string) =>
    ({ ...recalled([]), kind: 'session.started', source, cwd: '/home/dev/shop', shown: undefined }) as unknown as Event
  const after = (source: string) => shownIn([recalled([1]), started(source), recalled([2])].map(lineWithoutEnd))
  expect(after('compact')).toEqual(ids(2))
  expect(after('clear')).toEqual(ids(2))
  expect(after('resume')).toEqual(ids(1, 2))
})

test('shown: a truncated line is skipped, but not an event after it in the same line', () => {
  const [first, second] = [recalled([1]), recalled([2])].map(lineWithoutEnd)
  expect(shownIn([first!.subarray(0, 300)])).toEqual(ids())
  expect(shownIn([Buffer.concat([first!.subarray(0, 300), second!])])).toEqual(ids(2))
})

test('shown: the bytes of any lines give what their events give', () => {
  const recall = fc
    .tuple(
      fc.array(fc.nat(9), { maxLength: 3 }),
      fc.boolean(),
      fc.constantFrom('s1', 's2'),
      fc.constantFrom(undefined, 'a1', 'a12', 'a"1'),
    )
    .map(([shown, withheld, name, agentId]) => recalled(shown, { withheld, session: sessionId(name), agentId }))
  fc.assert(
    fc.property(fc.array(fc.oneof(recall, arbitraryEvent), { maxLength: 8 }), (events) => {
      const lines = events.map(lineWithoutEnd).filter((line) => line.includes('"session":"s1"'))
      for (const agentId of [undefined, 'a1', 'a"1'])
        expect(shownIn(lines, agentId)).toEqual(new Set(parsed(lines, agentId)))
    }),
    { numRuns: 300 },
  )
})

test.each(['constructor', '__proto__'])('shown: an agent may be called %s', (agentId) => {
  const projection = emptyProjection()
  for (const n of [1, 2]) applyEvent(projection, recalled([n], { agentId, id: `${n}` as EventId }))
  expect(Object.entries(projection.sessions.get(sessionId('s1'))?.toldAgents ?? {})).toEqual([
    [agentId, [...ids(1, 2)]],
  ])
})
