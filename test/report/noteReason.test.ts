// Why a note was shown, in words.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { selectRankingModel } from '../../src/model/rankingScore.ts'
import { RECALL_MOMENTS } from '../../src/model/recallQuery.ts'
import { type ExplainedNote, explainNote } from '../../src/report/noteReason.ts'
import { buildEntry } from '../knowledge/knowledgeData.ts'
import { buildMemory } from '../testData.ts'

const explain = (features: ExplainedNote['features'], moment: ExplainedNote['moment'] = 'failure'): string =>
  explainNote({ features, moment }, selectRankingModel(DEFAULT_POLICY.recall, 'failure'))

test('report: the reason of a note names the features that its score owes most to, at most three', () => {
  const features = { error: 1, command: 1, words: 0.2, files: 0.1, importance: 1, role: 1 }
  expect(explain(features)).toBe('after a failure: the same error, the same command, words in common')
})

test('report: what is true of many notes is said only if nothing else is', () => {
  expect(explain({ importance: 1, role: 1 })).toBe('after a failure: it is important')
  expect(explain({ role: 1 }, 'prompt')).toBe('for the prompt')
  expect(explain({ helped: -1, error: 1 })).toBe('after a failure: the same error')
})

test('report: a note that was never used is not said to be used, whatever its strength is', () => {
  for (const moment of RECALL_MOMENTS) expect(explain({ strength: 1, recency: 1 }, moment)).not.toMatch(/used/)
})

const model = selectRankingModel(DEFAULT_POLICY.recall, 'start')
const reason = (note: Omit<ExplainedNote, 'features'>): string =>
  explainNote({ features: { unranked: 1 }, ...note }, model)

test('report: an entry of knowledge has its trigger as the reason, at a start what it is worth', () => {
  const memory = buildEntry(1)
  expect(reason({ moment: 'call', memory, score: 2 })).toBe('before a call: its trigger fired')
  expect(reason({ moment: 'start', memory, score: 1.26 })).toBe(
    "at the session's start: expected to save 1.3 calls a session",
  )
  expect(reason({ moment: 'agent', memory, score: 0.4 })).toBe(
    "at a subagent's start: expected to save 0.4 calls a session",
  )
  expect(reason({ moment: 'start', memory, score: 0.01 })).toBe(
    "at the session's start: expected to save less than 0.1 calls a session",
  )
})

test('report: what the person asked for or wants has that as the reason, and no number', () => {
  const person = { type: 'rule', author: 'person' } as const
  const asked = buildEntry(1, { ...person, asked: true })
  expect(reason({ moment: 'start', memory: asked, score: 100 })).toBe("at the session's start: the person asked for it")
  expect(reason({ moment: 'start', memory: buildEntry(2, person), score: 2 })).toBe(
    "at the session's start: it is what the person wants",
  )
  const pinned = buildMemory(3, { pinned: { reason: 'pinned', at: '' } })
  expect(reason({ moment: 'start', memory: pinned })).toBe("at the session's start: the person asked for it")
})

test('report: a note of a deleted memory has a reason, too', () => {
  for (const moment of RECALL_MOMENTS) expect(reason({ moment })).toMatch(/: (?:its trigger|what)/)
})
