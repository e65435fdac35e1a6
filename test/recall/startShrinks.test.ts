// A start list that has not helped shrinks step by step, and recovers when something of it was used.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { Statement } from '../../src/model/statement.ts'
import { buildSessionBriefing } from '../../src/recall/sessionBriefing.ts'
import { buildMemory, buildQuery } from '../testData.ts'

const said = (strength: 2 | 3): Statement => ({
  type: 'rule',
  scope: 'project',
  strength,
  origin: 'prompt',
  short: `a rule of strength ${strength}`,
  subject: [],
})

const { startPatience } = DEFAULT_POLICY.silence
const entries = [1, 2, 3, 4].map((n) =>
  buildMemory(n, { kind: 'entry', content: `Entry ${n}`, importance: 1 - n / 10 }),
)
const rules = [5, 6].map((n) => buildMemory(n, { kind: 'preference', content: `Rule ${n}`, statement: said(3) }))

const countNotes = (unusedStarts: number): number =>
  buildSessionBriefing({
    query: buildQuery('start'),
    memories: [...entries, ...rules],
    policy: DEFAULT_POLICY,
    alreadyShown: new Set(),
    unusedStarts,
  }).shown.length

test('start: after some sessions without use one general note less is shown, and at last one', () => {
  expect(countNotes(0)).toBe(6)
  expect(countNotes(startPatience - 1)).toBe(6)
  const { topK } = DEFAULT_POLICY.recall.moments.start
  expect(countNotes(startPatience * (topK - 2))).toBe(4)
  expect(countNotes(startPatience * 100)).toBe(3)
})
