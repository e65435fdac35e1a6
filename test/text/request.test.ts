// What a prompt asks for, in one clause.
import { expect, test } from 'vitest'
import { offeredClause, planTitle, requestClause } from '../../src/text/taskSentences.ts'

test('text: a request is its clause, without greetings, agreement and politeness', () => {
  const cases: readonly (readonly [prompt: string, clause: string])[] = [
    ['Ok great, can you please sort the branches by date?', 'sort the branches by date'],
    ["yes, let's remove the old parser", 'remove the old parser'],
    ['I got an error here. Could you add a test for the empty cart?', 'add a test for the empty cart'],
    ['The list is far too long for one screen, can you cut it after twenty rows?', 'cut it after twenty rows'],
    ['why is the total off by one cent?', 'why is the total off by one cent?'],
    ['はい、では合計を四捨五入してください。', '合計を四捨五入してください'],
    ['Implement the following plan:\n\n# Plan: Totals in cents\n\n## Context', 'Totals in cents'],
  ]
  for (const [prompt, clause] of cases) expect(requestClause(prompt)).toBe(clause)
})

test('text: agreement, hand-over and texts that nobody typed ask for nothing', () => {
  for (const prompt of [
    'yes',
    'ok, go on',
    'commit this and push it please',
    '2',
    'option 2 please',
    'はい、お願いします。',
    "thanks, that's all for now",
    "ok that's it for today, thanks",
    'ok, see you tomorrow!',
    'お疲れさまでした。',
    '続けてください',
    '[Request interrupted by user for tool use]',
    'This session is being continued from a previous conversation that ran out of context. Add a test.',
    'Operation stopped by hook: Another session is active',
  ])
    expect(requestClause(prompt), prompt).toBe('')
})

test('text: a long request is cut between two words', () => {
  const clause = requestClause(`Please rename ${'the very long identifier '.repeat(12)}`)
  expect(clause.length).toBeLessThanOrEqual(110)
  expect(clause).toMatch(/[a-z]…$/)
})

test('text: an offer at the end of an answer is what a yes accepts', () => {
  expect(offeredClause('It adds floats. Would you like me to switch the cart to cents?')).toBe(
    'switch the cart to cents',
  )
  expect(offeredClause('Should I go on?')).toBe('')
  expect(offeredClause('It adds floats.')).toBe('')
})

test('text: a plan is named by its first heading, unless that only says "plan"', () => {
  expect(planTitle('# Implementation Plan: Totals in cents\n\ntext')).toBe('Totals in cents')
  expect(planTitle('# Plan\n\ntext')).toBe('')
  expect(planTitle('no heading')).toBe('')
})
