// An entry of knowledge in words.
import { expect, test } from 'vitest'
import { dayOfNumbers, describeRecord, describeWhen } from '../../src/report/knowledgeText.ts'
import { buildKnowledge } from '../knowledge/knowledgeData.ts'
import { buildMemory } from '../testData.ts'

test('report: a record is one sentence of what the log has seen', () => {
  const when = [{ at: 'call', tool: 'Bash', has: ['make test'] }] as const
  const record = {
    ...{ calls: 1204, fired: 3, failed: 3, shown: 5, obeyed: 4, broken: 1, met: 2 },
    lastMet: '2026-11-20T09:00:00.000Z',
  }
  expect(describeRecord(buildKnowledge({ when, record }))).toBe(
    'fires at 3 of 1,204 calls, 3 failed; shown in 5 sessions, obeyed in 4, broken in 1; ' +
      'met in 2 sessions, last 2026-11-20',
  )
  const broken = { calls: 40, fired: 1, failed: 1, shown: 2, obeyed: 1, broken: 1 }
  const breakable = [{ ...when[0], unless: ['make lint'] }]
  expect(describeRecord(buildKnowledge({ type: 'rule', when: breakable, record: broken }))).toBe(
    'fires at 1 of 40 calls, 1 broke it; shown in 2 sessions, obeyed in 1, broken in 1',
  )
  // No call could break it: what it says is when it comes up.
  expect(describeRecord(buildKnowledge({ type: 'rule', when, record: broken }))).toBe(
    'fires at 1 of 40 calls; shown in 2 sessions',
  )
})

test('report: what has not happened is not in a record', () => {
  expect(describeRecord(buildKnowledge())).toBe('not met or shown yet')
  const before = { keptBefore: 1, brokenBefore: 3 }
  const when = [{ at: 'call', has: ['npm'], unless: ['pnpm'] }] as const
  expect(describeRecord(buildKnowledge({ type: 'rule', when, record: before }))).toBe(
    'before it was shown: kept 1 of 4 times',
  )
})

test('report: triggers are said in words, each once', () => {
  expect(
    describeWhen([
      { at: 'call', tool: 'Bash', has: ['npm install'], unless: ['pnpm'] },
      { at: 'call', tool: 'Edit|Write', has: ['prices.json', 'float'] },
      { at: 'failure', has: ['ENOENT'] },
      { at: 'failure', tool: 'Bash', signature: 'E1' },
      { at: 'prompt', has: ['deploy'] },
      { at: 'start' },
    ]),
  ).toBe(
    'before Bash with `npm install`, unless `pnpm`; before Edit or Write with `prices.json` and `float`; ' +
      'when a call fails with `ENOENT`; when Bash fails with the error `E1`; at a prompt with `deploy`; at every start',
  )
  expect(describeWhen([])).toBe('')
})

test('report: the numbers of a fact are of the day on which it was last confirmed, those of a wish hold', () => {
  const lastMet = '2026-11-20T09:00:00.000Z'
  const dayOf = (line: string, type: 'fact' | 'rule' = 'fact') =>
    dayOfNumbers(buildMemory(1, { knowledge: buildKnowledge({ type, line, record: { lastMet } }) }))
  for (const line of ['1,204 tests pass', 'It needs Node v20.1', 'テストは 12 件', 'About 80 % are known'])
    expect(dayOf(line)).toBe(lastMet)
  for (const line of ['Fix #7340 on port :80', 'Run `sleep 5`', 'MD013 and utf-8 fail', 'Push release/2 first'])
    expect(dayOf(line)).toBeUndefined()
  expect(dayOf('Keep lines below 120 characters', 'rule')).toBeUndefined()
  const summary = buildMemory(2, { kind: 'summary', content: 'All 1187 tests pass', updated: '2026-11-21' })
  expect(dayOfNumbers(summary)).toBe('2026-11-21')
})
