// A model's answer is read as far as it can be read: one bad part is dropped, and nothing is longer than allowed.
import { expect, test } from 'vitest'
import { parseModelAnswer } from '../../src/distill/modelAnswer.ts'

const ENTRY = { type: 'lesson', line: 'Run `npm run build` before `npm test`.', cites: [2] }

const parse = (value: unknown) => parseModelAnswer(JSON.stringify(value))
const entriesOf = (...entries: unknown[]) => parse({ entries }).entries
const triggersOf = (...when: unknown[]) => entriesOf({ ...ENTRY, when })[0]?.when

test('distill: an answer in a code fence, with a sentence around it or a second object is read', () => {
  const answer = parseModelAnswer('Here it is:\n```json\n{"summary": "two\\nlines {"}\n```\n{"x": 1}')
  expect(answer).toEqual({ summary: 'two lines {', open: [], closed: [], known: [], entries: [], dropped: [] })
})

test.each([
  ['no JSON', 'I would rather not.', 'the answer has no JSON object'],
  ['half an object', '{"summary": "a}', 'the answer is not one JSON object'],
  ['another object', '{"error": "overloaded"}', 'the answer has none of summary, open, known, entries'],
  ['5 MB', `{"summary": "${'a'.repeat(5_000_000)}"}`, 'the answer has 5000015 characters'],
])('distill: a text with %s is no answer', (_, text, message) => {
  expect(() => parseModelAnswer(text)).toThrow(
    expect.objectContaining({ code: 'ANSWER_INVALID', message: expect.stringContaining(message) }),
  )
})

test('distill: one bad entry is dropped with its reason, and unknown fields are ignored', () => {
  const { entries, dropped } = parse({
    note: 1,
    entries: [{ ...ENTRY, mood: 'good' }, { ...ENTRY, type: 'wish' }, { ...ENTRY, line: 'a'.repeat(241) }, 7],
  })
  expect(entries).toHaveLength(1)
  expect(dropped).toEqual([
    { what: ENTRY.line, reason: 'unknown type' },
    { what: expect.stringMatching(/^a{239}…$/), reason: 'line too long' },
    { what: 'entries[3]', reason: 'unknown type' },
  ])
})

test('distill: numbers may be texts, lists may be single values, and words may be in capitals', () => {
  const [entry] = entriesOf({
    ...ENTRY,
    type: 'Lesson',
    scope: 'PATH',
    again: '3',
    cites: ['[2]', '4', 'x'],
    replaces: 'K3F2A1',
  })
  expect(entry).toMatchObject({ type: 'lesson', scope: 'path', expected: 1, cites: [2, 4], replaces: ['k3f2a1'] })
  expect(
    parse({
      known: [
        { id: '[k3f2a1]', is: 'Confirmed' },
        { id: 'k1', is: 'nice' },
      ],
    }).known,
  ).toEqual([{ key: 'k3f2a1', is: 'confirmed' }])
  expect(parse({ open: ['Publish it.', { text: 'Add docs.' }, 3] }).open).toEqual(['Publish it.', 'Add docs.'])
})

test('distill: a trigger that can never fire, or at every call, is not read', () => {
  expect(triggersOf({ at: 'start', has: ['x'] })).toEqual([{ at: 'start' }])
  expect(triggersOf({ at: 'call', tool: 'Bash' }, { at: 'prompt', has: [] }, { at: 'call', has: ['*', 'a'] })).toEqual(
    [],
  )
  expect(triggersOf({ at: 'noon', has: ['go test'] }, 'go test')).toEqual([])
  expect(triggersOf({ at: 'call', tool: 'Bash (any)', has: 'go  test', unless: ['--race'] })).toEqual([
    { at: 'call', has: ['go test'], unless: ['--race'] },
  ])
})

test('distill: of an endless answer only the beginning is looked at', () => {
  const long = 'a'.repeat(1_000)
  const entry = {
    ...ENTRY,
    quote: long,
    cites: Array(500).fill(1),
    when: Array(50).fill({ at: 'call', has: Array(9).fill('go test') }),
  }
  const many = JSON.stringify({ summary: long, open: Array(50).fill(long), entries: Array(50).fill(entry) })
  const answer = parseModelAnswer(many)
  expect(answer.summary).toHaveLength(200)
  expect(answer.open).toHaveLength(1)
  expect(answer.entries).toHaveLength(40)
  expect(answer.entries[0]?.quote).toHaveLength(300)
  expect(answer.entries[0]?.cites).toHaveLength(12)
  expect(answer.entries[0]?.when.map(({ has }) => has?.length)).toEqual(Array(6).fill(6))
  expect(triggersOf({ at: 'call', has: ['a'.repeat(81)] })).toEqual([])
  expect(parse({ entries: Array(10_000).fill(7) }).dropped).toHaveLength(40)
})

test('distill: the placeholder of a request for the folder of the project is not shown to anybody', () => {
  const when = [{ at: 'call', tool: 'Bash', has: ['PROJECT/e2e', 'go test'] }]
  const [entry] = entriesOf({ ...ENTRY, line: '`cd` into PROJECT/src, or PROJECT/e2e; `$PROJECT/bin` stays.', when })
  expect(entry?.line).toBe('`cd` into src, or e2e; `$PROJECT/bin` stays.')
  expect(entry?.when).toEqual([{ at: 'call', tool: 'Bash', has: ['e2e', 'go test'] }])
})

test('distill: a single object in place of a list counts as one', () => {
  const answer = parseModelAnswer('{"entries":{"type":"lesson","line":"Build first"},"known":{},"open":"none"}')
  expect(answer).toMatchObject({ entries: [{ line: 'Build first' }], known: [], open: [] })
})
