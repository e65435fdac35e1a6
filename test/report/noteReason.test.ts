// Why a note was shown, in words.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { selectRankingModel } from '../../src/model/policy.ts'
import { RECALL_MOMENTS } from '../../src/model/recallQuery.ts'
import { explainNote } from '../../src/report/noteReason.ts'

const model = selectRankingModel(DEFAULT_POLICY.recall, 'failure')

test('report: the reason of a note names the features that its score owes most to, at most three', () => {
  const features = { error: 1, command: 1, words: 0.2, files: 0.1, importance: 1, role: 1 }
  expect(explainNote(features, 'failure', model)).toBe(
    'after a failure: the same error, the same command, words in common',
  )
})

test('report: what is true of many notes is said only if nothing else is', () => {
  expect(explainNote({ importance: 1, role: 1 }, 'failure', model)).toBe('after a failure: it is important')
  expect(explainNote({ role: 1 }, 'prompt', model)).toBe('for the prompt')
  expect(explainNote({ helped: -1, error: 1 }, 'failure', model)).toBe('after a failure: the same error')
})

test('report: a note that was not ranked has the reason of its moment', () => {
  for (const moment of RECALL_MOMENTS) expect(explainNote({ unranked: 1 }, moment, model)).toMatch(/: (?:a fact|what)/)
})
