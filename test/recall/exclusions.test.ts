// What is learned silences a memory at its moment only, and never what a person said.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { MemoryId } from '../../src/model/id.ts'
import { applyLearnedPolicy, type LearnedPolicy, type Policy } from '../../src/model/policy.ts'
import { type ExclusionRule, isExclusionRule } from '../../src/model/recallQuery.ts'
import { recall } from '../../src/recall/recall.ts'
import { buildSessionBriefing } from '../../src/recall/sessionBriefing.ts'
import { buildNote } from '../knowledge/knowledgeData.ts'
import { BEGIN, buildMatch, buildMemory, buildQuery, DAY, iso, testMemoryId } from '../testData.ts'

const excluded = (moment: ExclusionRule['moment'], memory: MemoryId): ExclusionRule => ({
  ...{ moment, memory, since: iso(BEGIN - DAY), until: iso(BEGIN + 400 * DAY), renewed: 0 },
  evidence: { sessions: 40, used: 0, usual: 0.3 },
})

const withRules = (...exclusions: readonly ExclusionRule[]): Policy => ({
  ...DEFAULT_POLICY,
  recall: { ...DEFAULT_POLICY.recall, exclusions },
})

test('exclude: a start leaves out an excluded entry and summary, and says what a person said or wrote', () => {
  const summary = buildMemory(3, {
    ...{ kind: 'summary', content: 'Worked on the list', branch: 'list', leftOpen: ['tests'] },
    updated: buildMemory(3).updated,
  })
  const entry = buildMemory(4, { kind: 'entry', content: 'Always use the list of the shop' })
  const policy = withRules(...[1, 2, 3, 4].map((n) => excluded('start', testMemoryId(n))))
  const briefing = buildSessionBriefing({
    ...{
      query: buildQuery('start', { branch: 'list' }),
      memories: [summary, entry],
      knowledge: [buildNote(1, { voice: 'said' }), buildNote(2), buildNote(5)],
    },
    ...{ policy, alreadyShown: new Set() },
  })
  expect(briefing.shown.map(({ memory }) => memory.id)).toEqual([testMemoryId(1), testMemoryId(5), testMemoryId(4)])
})

test('exclude: what is excluded at starts and calls is still shown at a failure', () => {
  const lesson = buildMemory(5, {
    ...{ kind: 'lesson', content: 'Run npm ci first', outcome: 'success', commandShape: 'npm test' },
    errorSignature: 'missing module',
  })
  const policy = withRules(excluded('start', lesson.id), excluded('call', lesson.id))
  const result = recall({
    ...{ query: buildQuery('failure', { commandShape: 'npm test', errorSignature: 'missing module' }), policy },
    ...{ candidates: [{ memory: lesson, match: buildMatch({ error: 1, command: 1 }) }], alreadyShown: () => new Set() },
  })
  expect(result.shown.map(({ memory }) => memory.id)).toEqual([lesson.id])
  expect(result.rules).toBeUndefined()
})

test('exclude: an excluded kind is not shown at its moment, and other kinds and what a person wrote are', () => {
  const shop = { content: 'Worked on the receipt of the shop' }
  const memories = [buildMemory(6, { kind: 'summary', ...shop }), buildMemory(7, { kind: 'experience', ...shop })]
  const rule = { ...excluded('prompt', testMemoryId(1)), memory: undefined, kind: 'summary' } as ExclusionRule
  const shownWith = (...rules: readonly ExclusionRule[]): readonly string[] =>
    recall({
      ...{ query: buildQuery('prompt'), policy: withRules(...rules) },
      candidates: memories.map((memory) => ({ memory, match: buildMatch({ words: 1, coverage: 1, files: 1 }) })),
      alreadyShown: () => new Set(),
    }).shown.map(({ memory }) => memory.kind)
  expect(shownWith()).toEqual(['summary'])
  expect(shownWith(rule)).toEqual(['experience'])
  expect(isExclusionRule(JSON.parse(JSON.stringify(rule)))).toBe(true)
  expect(isExclusionRule({ ...rule, kind: 'preference' })).toBe(false)
})

test('recall: a learned limit silences what memctl noted, and never what a person said', () => {
  const noted = buildMemory(6, { kind: 'summary', content: 'Worked on the receipt of the shop' })
  const said = buildMemory(7, { kind: 'decision', content: 'Receipts of the shop are rounded to cents' })
  const prompt = { ...DEFAULT_POLICY.recall.moments.prompt, topK: 2 }
  const moments = { ...DEFAULT_POLICY.recall.moments, prompt }
  const forTwo = { ...DEFAULT_POLICY, recall: { ...DEFAULT_POLICY.recall, moments } }
  const shownUnder = (values: LearnedPolicy['values'], memories = [noted, said]): string[] =>
    recall({
      ...{ query: buildQuery('prompt'), policy: applyLearnedPolicy(forTwo, { version: 1, values }) },
      candidates: memories.map((memory) => ({ memory, match: buildMatch({ words: 1, coverage: 1, files: 1 }) })),
      alreadyShown: () => new Set(),
    })
      .shown.map(({ memory }) => memory.kind)
      .sort()
  expect(shownUnder({})).toEqual(['decision', 'summary'])
  expect(shownUnder({ 'recall.moments.prompt.scoreMin': 4 })).toEqual(['decision'])
  expect(shownUnder({ 'recall.moments.prompt.topK': 1 })).toEqual(['decision', 'summary'])
  const other = buildMemory(8, { kind: 'summary', content: 'Worked on the bill of the shop' })
  expect(shownUnder({}, [noted, other])).toEqual(['summary', 'summary'])
  expect(shownUnder({ 'recall.moments.prompt.topK': 1 }, [noted, other])).toEqual(['summary'])
})
