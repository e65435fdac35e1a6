// An excluded memory is silent at its moment only, and never what a person said.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { ExclusionRule } from '../../src/model/exclusion.ts'
import type { FactNote } from '../../src/model/factNote.ts'
import type { MemoryId } from '../../src/model/id.ts'
import type { Policy } from '../../src/model/policy.ts'
import { recall } from '../../src/recall/recall.ts'
import { buildSessionBriefing } from '../../src/recall/sessionBriefing.ts'
import { BEGIN, buildMatch, buildMemory, buildQuery, DAY, iso, testMemoryId } from '../testData.ts'

const excluded = (moment: ExclusionRule['moment'], memory: MemoryId): ExclusionRule => ({
  ...{ moment, memory, since: iso(BEGIN - DAY), until: iso(BEGIN + 400 * DAY), renewed: 0 },
  evidence: { sessions: 12, used: 0, expected: 0.01, usual: 0.1 },
})

const withRules = (...exclusions: readonly ExclusionRule[]): Policy => ({
  ...DEFAULT_POLICY,
  recall: { ...DEFAULT_POLICY.recall, exclusions },
})

const fact = (n: number): FactNote => ({
  ...{ id: testMemoryId(n), topic: 'path', state: 'standing', line: `Use \`file-${n}.js\``, hasRemedy: true },
  ...{ sessions: 4, lastMet: iso(BEGIN), rate: 0.5, worth: 4 - n, triggers: [] },
})

test('exclude: a start leaves out an excluded fact and an excluded summary, and says what a person wrote', () => {
  const summary = buildMemory(3, {
    ...{ kind: 'summary', content: 'Worked on the list', branch: 'list', leftOpen: ['tests'] },
    updated: buildMemory(3).updated,
  })
  const entry = buildMemory(4, { kind: 'entry', content: 'Always use the list of the shop' })
  const policy = withRules(...[1, 3, 4].map((n) => excluded('start', testMemoryId(n))))
  const briefing = buildSessionBriefing({
    ...{ query: buildQuery('start', { branch: 'list' }), memories: [summary, entry], facts: [fact(1), fact(2)] },
    ...{ policy, alreadyShown: new Set() },
  })
  expect(briefing.shown.map(({ memory }) => memory.id)).toEqual([testMemoryId(2), testMemoryId(4)])
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
