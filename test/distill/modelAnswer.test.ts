// A model's answer: JSON that fits the schema, or nothing. Proposals without support are dropped.
import { expect, test } from 'vitest'
import { checkProposals } from '../../src/distill/checkProposals.ts'
import { type ModelAnswer, parseModelAnswer } from '../../src/distill/modelAnswer.ts'
import { buildSessionDigest } from '../../src/distill/sessionDigest.ts'
import { exampleSession, recordEvents } from '../testData.ts'

const STATEMENT = {
  type: 'rule',
  scope: 'project',
  strength: 3,
  statement: 'Use pnpm, not npm.',
  short: 'Use pnpm.',
  quote: 'use pnpm from now on',
  cites: [1],
} as const

const parse = (value: unknown) => parseModelAnswer(JSON.stringify(value))

test('distill: an answer in a code fence or with a sentence around it is read', () => {
  const answer = parseModelAnswer('Here it is:\n```json\n{"summary": "two\\nlines", "statements": []}\n```\nDone.')
  expect(answer).toEqual({ summary: 'two lines', statements: [], decided: [], learned: [], leftOpen: [] })
})

test.each([
  ['no JSON', 'I would rather not.', 'the answer has no JSON object'],
  ['half an object', '{"summary": "a}', 'the answer is not one JSON object'],
  ['an unknown field', { note: 1 }, 'note is unknown'],
  ['a list that is none', { statements: {} }, 'statements is not a list'],
  ['an unknown type', { statements: [{ ...STATEMENT, type: 'wish' }] }, 'statements[0].type is none of preference'],
  ['a strength as a text', { statements: [{ ...STATEMENT, strength: '3' }] }, 'statements[0].strength is none of 1'],
  ['an empty quote', { statements: [{ ...STATEMENT, quote: ' ' }] }, 'statements[0].quote is empty'],
  ['a cite as a text', { leftOpen: [{ text: 'a', cites: ['1'] }] }, 'leftOpen[0].cites is not a list of numbers'],
  ['a very long text', { learned: [{ kind: 'fact', text: 'a'.repeat(601) }] }, 'learned[0].text has 601 characters'],
  ['very many entries', { leftOpen: Array(9).fill({ text: 'a', cites: [1] }) }, 'leftOpen has 9 entries, 4 at most'],
])('distill: %s is rejected with the first error', (_, value, message) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  expect(() => parseModelAnswer(text)).toThrow(
    expect.objectContaining({ code: 'ANSWER_INVALID', message: expect.stringContaining(message) }),
  )
})

test('distill: a few entries too many are dropped', () => {
  expect(parse({ leftOpen: Array(6).fill({ text: 'a', cites: [1] }) }).leftOpen).toHaveLength(4)
})

const events = recordEvents(
  exampleSession()
    .asks('Please “use  pnpm”, from now on; npm is too slow. 価格は必ずセントで保存してください。')
    .answers('We use bun from now on, I always wanted that.').recorded,
)
const digest = buildSessionDigest(events, { redact: (text) => text, tokensMax: 5_000 })!
const NO_PROPOSALS: ModelAnswer = { summary: '', statements: [], decided: [], learned: [], leftOpen: [] }

const checkStatement = (given: Partial<(typeof NO_PROPOSALS.statements)[number]>) =>
  checkProposals({ ...NO_PROPOSALS, statements: [{ ...STATEMENT, ...given }] }, digest)

test('distill: a quote may differ from the words of the person in spaces, case and punctuation only', () => {
  expect(checkStatement({}).statements).toHaveLength(1)
  expect(checkStatement({ quote: 'Use pnpm … npm is too slow' }).statements).toHaveLength(1)
  expect(checkStatement({ quote: '価格は必ずセントで保存' }).statements).toHaveLength(1)
  expect(checkStatement({ quote: 'use yarn from now on' })).toMatchObject({
    statements: [],
    dropped: [{ what: 'Use pnpm, not npm.', reason: 'quote not found' }],
  })
})

test('distill: the words of the assistant are no quote of the person', () => {
  expect(checkStatement({ quote: 'use bun from now on', cites: [2] }).dropped).toMatchObject([
    { reason: 'quote not found' },
  ])
})

test('distill: a wrong number is corrected by a long quote, but not by a short one', () => {
  const [statement] = checkStatement({ cites: [2] }).statements
  expect(statement?.items.map(({ number }) => number)).toEqual([1, 2])
  expect(checkStatement({ quote: 'npm', cites: [2] }).statements).toEqual([])
})

test('distill: a proposal that cites no item of the digest is dropped', () => {
  const task = { text: 'Update the docs.', cites: [9] }
  const checked = checkProposals(
    { ...NO_PROPOSALS, leftOpen: [task, { ...task, text: 'Publish.', cites: [9, 2] }] },
    digest,
  )
  expect(checked.leftOpen.map(({ proposal }) => proposal.text)).toEqual(['Publish.'])
  expect(checked.dropped).toEqual([{ what: 'Update the docs.', reason: 'cites no item' }])
  expect(checkStatement({ cites: [] }).dropped).toMatchObject([{ reason: 'cites no item' }])
})

test('distill: the same statement twice is one', () => {
  const statements = [STATEMENT, { ...STATEMENT, statement: 'use pnpm, not NPM' }]
  expect(checkProposals({ ...NO_PROPOSALS, statements }, digest)).toMatchObject({ statements: [{}], dropped: [] })
})
