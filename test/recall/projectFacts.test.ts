// Project facts: which are shown when, and how they read.
import { describe, expect, test } from 'vitest'
import type { FactNote } from '../../src/model/factNote.ts'
import {
  findNearFact,
  listStartFacts,
  matchFacts,
  renderFact,
  selectEditRules,
  selectFactBlock,
} from '../../src/recall/projectFacts.ts'
import type { FactSituation } from '../../src/text/factTrigger.ts'
import { testMemoryId } from '../testData.ts'

const fact = (id: number, given: Partial<FactNote> = {}): FactNote => ({
  id: testMemoryId(id),
  topic: 'path',
  state: 'standing',
  line: `Use \`src/${id}.ts\`: \`lib/${id}.ts\` does not exist`,
  hasRemedy: true,
  sessions: 2,
  lastMet: '2026-03-02T10:00:00.000Z',
  worth: 10 - id,
  rate: 0.5,
  triggers: [{ paths: [`lib/${id}.ts`] }],
  ...given,
})

const situation = (given: Partial<FactSituation>): FactSituation => ({ files: [], input: '', ...given })
const ids = (facts: readonly FactNote[]) => facts.map(({ id }) => id)

describe('at a start', () => {
  test('facts: the block has the worthiest facts that fit its tokens', () => {
    const facts = [fact(1), fact(2), fact(3)]
    expect(ids(selectFactBlock(facts, 50))).toEqual([facts[0]!.id, facts[1]!.id])
    expect(selectFactBlock(facts, 0)).toEqual([])
  })

  test('facts: an outdated one is left out of the block', () => {
    const facts = [fact(1), fact(2)]
    expect(ids(selectFactBlock(facts, 150, ({ id }) => id === facts[0]!.id))).toEqual([facts[1]!.id])
  })

  test('facts: two facts with the same remedy are one piece of advice', () => {
    const facts = [fact(1, { line: 'Use `cat -v`: no `-A`' }), fact(2, { line: 'Use `cat -v`: no `-E`' }), fact(3)]
    expect(ids(selectFactBlock(facts, 150))).toEqual([facts[0]!.id, facts[2]!.id])
  })

  test('facts: a start has what no call comes near to, with a remedy, standing facts first', () => {
    const command = { topic: 'command', triggers: [{ command: 'wrap bun' }] } as const
    const facts = [
      fact(1, { ...command, state: 'proposed' }),
      fact(2, command),
      fact(3, { ...command, hasRemedy: false }),
      fact(4, { topic: 'rule', extensions: ['.ts'], triggers: [{ errors: ['(no-x)'] }] }),
      fact(5, { ...command, rate: 0.01 }),
      fact(6, { triggers: [{ command: 'gh pr diff', parts: ['--stat'] }] }),
      fact(7),
    ]
    expect(ids(listStartFacts(facts, { editTokens: 100, startRate: 0.05, startNearRate: 0.6 }))).toEqual([
      facts[1]!.id,
      facts[0]!.id,
    ])
    // Many sessions meet it.
    const frequent = [fact(8, { rate: 0.7 }), fact(9, { rate: 0.7, state: 'proposed' })]
    const numbers = { editTokens: 100, startRate: 0.05, startNearRate: 0.6 }
    expect(ids(listStartFacts(frequent, numbers))).toEqual([frequent[0]!.id])
    expect(ids(listStartFacts(facts, { editTokens: 0, startRate: 0.05, startNearRate: 0.6 }))).toContain(facts[3]!.id)
  })
})

describe('during work', () => {
  const noStat = fact(1, { topic: 'command', triggers: [{ command: 'gh pr diff', parts: ['--stat'] }] })

  test.each([
    ['gh pr diff 5 --stat', true],
    ['cd app && gh pr diff --stat | head', true],
    ['GH_PAGER= gh pr diff --stat', true],
    ['gh pr diff --status', false],
    ['gh pr view --stat', false],
    ['echo gh pr diff --stat', false],
  ])('facts: a flag that does not exist is matched in %s: %s', (command, expected) => {
    expect(matchFacts([noStat], situation({ tool: 'Bash', command, input: command }), { noteMax: 2 }).length > 0).toBe(
      expected,
    )
  })

  test('facts: a missing path is matched in the files of a call and in the words of a prompt', () => {
    const missing = fact(1)
    const matches = (given: Partial<FactSituation>) => matchFacts([missing], situation(given), { noteMax: 2 }).length
    expect(matches({ tool: 'Read', files: ['lib/1.ts'] })).toBe(1)
    expect(matches({ input: 'Please look at lib/1.ts first.' })).toBe(1)
    expect(matches({ input: '最初に lib/1.ts を見てください。' })).toBe(1)
    expect(matches({ input: 'Please look at lib/1.tsx first.' })).toBe(0)
    expect(matches({ tool: 'Read', files: ['src/lib/2.ts'] })).toBe(0)
  })

  test('facts: a trigger with an error matches only a failure with this error', () => {
    const rule = fact(1, { topic: 'rule', triggers: [{ errors: ['(no-unused-vars)'] }] })
    const matches = (given: Partial<FactSituation>) => matchFacts([rule], situation(given), { noteMax: 2 }).length
    expect(matches({ tool: 'Bash', command: 'npm run lint', input: 'npm run lint' })).toBe(0)
    expect(matches({ error: "a.ts:1:7 'x' is never used (no-unused-vars)" })).toBe(1)
  })

  test('facts: no more than `noteMax` are shown beside one event', () => {
    const facts = [1, 2, 3].map((id) => fact(id, { triggers: [{ paths: ['lib'] }] }))
    expect(matchFacts(facts, situation({ files: ['lib/x.ts'] }), { noteMax: 2 })).toHaveLength(2)
  })
})

describe('near a failure', () => {
  const near = (facts: readonly FactNote[], given: Partial<FactSituation>) =>
    findNearFact(facts, situation(given), () => false)?.id

  test('facts: another file in the folder of a missing path comes near, a file elsewhere does not', () => {
    const missing = fact(1)
    expect(near([missing], { tool: 'Read', files: ['lib/cart.ts'] })).toBe(missing.id)
    expect(near([missing], { tool: 'Read', files: ['src/cart.ts'] })).toBeUndefined()
  })

  test('facts: a path that was missing once comes near only at a file of the same name', () => {
    const once = fact(1, { state: 'proposed', triggers: [{ paths: ['src/cart_test.ts'] }] })
    expect(near([once], { tool: 'Read', files: ['src/cart.ts'] })).toBe(once.id)
    expect(near([once], { tool: 'Read', files: ['src/total.ts'] })).toBeUndefined()
  })

  test('facts: the command without the wrong option, and another tool of the same server, come near', () => {
    const flag = fact(1, { triggers: [{ command: 'gh pr diff', parts: ['--stat'] }] })
    expect(near([flag], { tool: 'Bash', command: 'gh pr diff 5' })).toBe(flag.id)
    expect(near([flag], { tool: 'Bash', command: 'gh pr view 5' })).toBeUndefined()
    const team = fact(2, { triggers: [{ tools: ['mcp__linear__create_issue'] }] })
    expect(near([team], { tool: 'mcp__linear__list_teams' })).toBe(team.id)
  })
})

describe('at an edit', () => {
  const rules = [
    fact(1, { topic: 'rule', extensions: ['.ts'], short: 'no-x: use y' }),
    fact(2, { extensions: ['.py'] }),
  ]
  const select = (tool: string, file: string, isFirst: boolean) =>
    selectEditRules(rules, situation({ tool, files: [file] }), { editTokens: 100 }, () => isFirst)

  test('facts: the first edit of a kind of file has its rules in short form', () => {
    expect(select('Edit', 'src/a.ts', true).map(({ line }) => line)).toEqual(['no-x: use y'])
    expect(select('Write', 'src/a.py', true)).toHaveLength(1)
  })

  test('facts: a later edit, another kind of file and a read have none', () => {
    expect(select('Edit', 'src/a.ts', false)).toEqual([])
    expect(select('Edit', 'README.md', true)).toEqual([])
    expect(select('Read', 'src/a.ts', true)).toEqual([])
  })
})

test('facts: a line says how often it was met, and when last', () => {
  expect(renderFact(fact(1))).toBe('- Use `src/1.ts`: `lib/1.ts` does not exist (2 sessions, last 2026-03-02)')
  expect(renderFact(fact(1, { sessions: 1 }))).toMatch(/\(once, 2026-03-02\)$/)
})
