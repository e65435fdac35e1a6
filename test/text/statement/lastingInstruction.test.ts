// Which statements a start may show: instructions for every session, not talk about the work at hand.
import { expect, test } from 'vitest'
import type { Statement } from '../../../src/model/statement.ts'
import { isLastingInstruction } from '../../../src/text/statement/lastingInstruction.ts'

const said = (short: string, given: Partial<Statement> = {}): Statement => ({
  type: 'rule',
  scope: 'project',
  strength: 3,
  origin: 'prompt',
  short,
  subject: [],
  ...given,
})

test.each([
  'Always run the formatter before a commit',
  'Never round prices before the total',
  'Use pnpm instead of npm',
  '今後はコミットメッセージを日本語で書いてください',
])('statement: a start may show "%s"', (text) => {
  expect(isLastingInstruction(said(text), text)).toBe(true)
})

test('statement: what the short form leaves out may say that it lasts', () => {
  const short = 'Use npm for all scripts'
  expect(isLastingInstruction(said(short), 'Thanks! From now on, please use npm for all scripts.')).toBe(true)
  expect(isLastingInstruction(said(short), 'Please use npm for all scripts.')).toBe(false)
})

test.each([
  'I think the list should be shorter',
  'For option 5 we should continue',
  'Might be that the cache is stale',
  'The build failed again, fix it',
  'Always write the count now',
])('statement: a start does not show "%s"', (text) => {
  expect(isLastingInstruction(said(text), text)).toBe(false)
})

test('statement: what was remembered on purpose is an instruction, a correction of earlier work is none', () => {
  expect(isLastingInstruction(said('The shop sells books', { origin: 'command' }), '')).toBe(true)
  expect(isLastingInstruction(said('Never use npm here', { type: 'correction' }), '')).toBe(false)
})
