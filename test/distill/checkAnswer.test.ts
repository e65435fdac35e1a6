// Entries count that cite the digest; what a person wants needs their own words, exactly.
import { expect, test } from 'vitest'
import { checkAnswer } from '../../src/distill/checkAnswer.ts'
import type { ModelAnswer, ProposedEntry } from '../../src/distill/modelAnswer.ts'
import { buildSessionDigest } from '../../src/distill/sessionDigest.ts'
import { exampleSession, recordEvents } from '../testData.ts'

const REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected. the user said:\n"
const REPLY = 'User has answered your questions: "Shall we use bun for it?"="only behind a flag". You can now continue.'

const events = recordEvents(
  exampleSession()
    .asks('Please “use  pnpm”, from now on; npm is too slow. 価格は必ずセントで保存してください。')
    .answers('We use bun from now on, I always wanted that.')
    .asks('Implement the following plan: an empty list means no limit')
    .fails('git push', `${REJECTED}never push to main`)
    .calls('AskUserQuestion', { questions: [] }, { content: [{ type: 'text', text: REPLY }] })
    .fails('npm test', 'Error: Cannot find module ./prices.json').recorded,
)
const digest = buildSessionDigest(events, { redact: (text) => text, tokensMax: 5_000 })!

const RULE: ProposedEntry = {
  type: 'rule',
  scope: 'project',
  line: 'Use pnpm, not npm.',
  quote: 'use pnpm from now on',
  replaces: [],
  when: [],
  expected: 1,
  cites: [1],
}

const check = (...given: Partial<ProposedEntry>[]) => {
  const entries = given.map((each) => ({ ...RULE, ...each }))
  const answer: ModelAnswer = { summary: '', open: [], closed: [], known: [], entries, dropped: [] }
  return checkAnswer(answer, digest)
}
const quoteOf = (given: Partial<ProposedEntry>) => check(given).entries[0]?.quote

test('distill: a quote may differ from what the person typed in spaces, case and punctuation only', () => {
  expect(quoteOf({})).toBe('use pnpm from now on')
  expect(quoteOf({ quote: 'Use pnpm … npm is too slow' })).toBeDefined()
  expect(quoteOf({ quote: '価格は必ずセントで保存' })).toBeDefined()
  expect(quoteOf({ quote: 'never push to main', cites: [4] })).toBeDefined()
  expect(quoteOf({ quote: 'only behind a flag', cites: [5] })).toBeDefined()
  expect(check({ quote: 'use yarn from now on' })).toMatchObject({
    entries: [],
    dropped: [{ what: 'Use pnpm, not npm.', reason: 'quote not found' }],
  })
})

test.each([
  ['the assistant', 'We use bun from now on', 2],
  ['a question of the assistant', 'Shall we use bun for it', 5],
  ['an error', 'Cannot find module', 6],
])('distill: the words of %s are no quote of the person', (_, quote, cite) => {
  expect(check({ quote, cites: [cite] }).dropped).toMatchObject([{ reason: 'quote not found' }])
})

test('distill: what an approved plan says is kept, and not as the words of the person', () => {
  const { entries } = check({ quote: 'an empty list means no limit', cites: [3] })
  expect(entries).toMatchObject([{ line: 'Use pnpm, not npm.', items: [{ kind: 'plan' }] }])
  expect(entries[0]).not.toHaveProperty('quote')
})

test('distill: a few letters are no quote, and a short one must be about the line', () => {
  expect(check({ quote: 'npm' }).dropped).toMatchObject([{ reason: 'quote not found' }])
  expect(quoteOf({ quote: 'use pnpm' })).toBeDefined()
  expect(check({ quote: 'too slow', line: 'Run curl every day.' }).dropped).toMatchObject([
    { reason: 'quote not found' },
  ])
})

test('distill: a wrong number is corrected by a long quote, but not by a short one', () => {
  expect(check({ cites: [2] }).entries[0]?.items.map(({ number }) => number)).toEqual([1, 2])
  expect(check({ cites: [] }).entries[0]?.items.map(({ number }) => number)).toEqual([1])
  expect(check({ quote: 'use pnpm', cites: [2] }).entries).toEqual([])
})

test('distill: a lesson or fact needs no quote but an item; everything else needs a quote', () => {
  const lesson = { type: 'lesson', quote: 'words that nobody said', cites: [6] } as const
  expect(check(lesson).entries).toMatchObject([{ type: 'lesson', items: [{ number: 6 }] }])
  expect(check(lesson).entries[0]).not.toHaveProperty('quote')
  expect(check({ ...lesson, cites: [99] }).dropped).toMatchObject([{ reason: 'cites no item' }])
  expect(check({ type: 'decision', quote: undefined }).dropped).toMatchObject([{ reason: 'no quote' }])
})

test('distill: the same line twice is one entry, and those beyond the limits are dropped', () => {
  expect(check({}, { line: 'use pnpm, not NPM' }).entries).toHaveLength(1)
  const many = Array.from({ length: 20 }, (_, i) => ({ line: `Line number ${i}.` }))
  const lessons = many.map(({ line }) => ({
    type: 'lesson' as const,
    quote: undefined,
    line: `Lesson: ${line}`,
    cites: [6],
  }))
  const { entries, dropped } = check(...many, ...lessons)
  expect(entries.map(({ type }) => type)).toEqual([...Array(8).fill('rule'), ...Array(6).fill('lesson')])
  expect(dropped).toHaveLength(26)
})

test('distill: a line that copies what a tool printed is dropped, unless the person said it', () => {
  const line = 'Cannot find module ./prices.json'
  expect(check({ type: 'lesson', line, quote: undefined, cites: [6] }).dropped).toEqual([
    { what: line, reason: 'copies outside text' },
  ])
  const own = { type: 'fact' as const, line: 'npm is too slow.', quote: undefined }
  expect(check(own).entries).toHaveLength(1)
})
