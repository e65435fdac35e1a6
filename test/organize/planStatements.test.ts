// An approved plan becomes a decision with its title and what it decides.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { Memory } from '../../src/model/memory.ts'
import { organizeSession } from '../../src/organize/organizeSession.ts'
import { type ExampleSession, exampleSession, recordEvents, sessionId } from '../testData.ts'

const plansOf = (example: ExampleSession): Memory[] =>
  organizeSession(
    { session: sessionId(example.session), events: recordEvents(example.recorded) },
    new Map(),
    DEFAULT_POLICY,
  ).filter(({ statement }) => statement?.origin === 'plan')

const PLAN =
  '# Plan: Round prices in one place\n\nPrices are rounded in three files.\n\n' +
  '- Round to even instead of half up\n- `price()` -> `roundedPrice()`\n'

test('plans: an approved plan is one decision, with its title, its purpose and what it decides', () => {
  const example = exampleSession().asks('Plan the rounding, please.')
  const [plan, ...others] = plansOf(
    example.calls('ExitPlanMode', { plan: PLAN }, 'User has approved your plan.').ends(),
  )
  expect(others).toEqual([])
  expect(plan).toMatchObject({
    kind: 'decision',
    content:
      'Approved plan: Round prices in one place. Prices are rounded in three files. Round to even instead of half up',
    statement: { type: 'decision', strength: 1, short: 'Approved plan: Round prices in one place' },
  })
})

test('plans: the same plan as the prompt of a new context is the same memory', () => {
  const approved = exampleSession('first').asks('Plan it.').calls('ExitPlanMode', { plan: PLAN })
  const [plan] = plansOf(approved.ends())
  const [again] = plansOf(exampleSession('second').asks(`Implement the following plan:\n\n${PLAN}`).ends())
  expect(again?.id).toBe(plan?.id)
})

test('plans: a plan without a title is none', () => {
  expect(plansOf(exampleSession().asks('Plan.').calls('ExitPlanMode', { plan: 'do it' }).ends())).toEqual([])
})
