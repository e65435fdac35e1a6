// The log decides which triggers an entry keeps, and what its record says.
import { expect, test } from 'vitest'
import { type ProvenCall, proveKnowledge, provenCall } from '../../src/knowledge/proof.ts'
import { type CallResult, isCallResult } from '../../src/model/event.ts'
import { type Knowledge, newKnowledgeRecord, type Trigger } from '../../src/model/knowledge.ts'
import { BEGIN, DAY, type ExampleSession, exampleSession, recordEvents } from '../testData.ts'

const NUMBERS = { firingShareMax: 0.04, firingFailMin: 0.2 }
const ERROR = 'Error: the generated price catalogue is stale'
const CALL: Trigger = { at: 'call', tool: 'Bash', has: ['npm test'], unless: ['build:prices'] }

const LESSON: Knowledge = {
  type: 'lesson',
  scope: 'project',
  author: 'model',
  state: 'proposed',
  line: 'Run `npm run build:prices` before `npm test`.',
  when: [CALL],
  record: newKnowledgeRecord('2026-03-02T09:00:00.000Z', 'session-now'),
}

const callsOf = (session: ExampleSession): CallResult[] => recordEvents(session.recorded).filter(isCallResult)
const others = (count: number, command = 'ls src'): ProvenCall[] =>
  callsOf(
    Array.from({ length: count }).reduce<ExampleSession>((told) => told.runs(command), exampleSession('others')),
  ).map(provenCall)

/** A session in which the call failed and then passed. */
const failing = (name: string, day = 0): CallResult[] =>
  callsOf(
    exampleSession(name, BEGIN + day * DAY)
      .fails('npm test', ERROR)
      .runs('npm run build:prices && npm test'),
  )

const prove = (given: Partial<Knowledge>, calls: readonly CallResult[], more: readonly ProvenCall[] = []) =>
  proveKnowledge(
    { ...LESSON, ...given },
    [...more, ...calls.map(provenCall)],
    new Set(calls.slice(0, 1).map(({ id }) => id)),
    NUMBERS,
  )

test('knowledge: a trigger that fires at the cited failure is kept, with the signature of the failure', () => {
  const { knowledge, failed } = prove({}, failing('session-now'), others(20))
  expect(failed).toEqual([])
  expect(knowledge.when).toEqual([CALL, { at: 'failure', signature: expect.stringContaining('price catalogue') }])
  expect(knowledge.record).toMatchObject({ calls: 22, fired: 1, failed: 1, met: 1, sessions: ['session-now'] })
  expect(knowledge.state).toBe('proposed')
})

test('knowledge: what failed in earlier sessions too is standing from the beginning', () => {
  const { knowledge } = prove({}, [
    ...failing('session-now', 9),
    ...failing('session-one'),
    ...failing('session-two', 1),
  ])
  expect(knowledge).toMatchObject({ state: 'standing', record: { met: 3, failed: 3 } })
  expect(knowledge.record.sessions).toHaveLength(3)
})

test('knowledge: a trigger that misses the cited failure is dropped, also by a spelling alone', () => {
  for (const has of [['npm run test'], ['npm-test'], ['npm tests']])
    expect(prove({ when: [{ at: 'call', has }] }, failing('a')).failed).toMatchObject([
      { why: 'misses the calls that it cites' },
    ])
  expect(prove({ when: [{ at: 'failure', has: ['no such error'] }] }, failing('a')).failed).toHaveLength(1)
})

test('knowledge: a trigger that fires at more than its share of calls is dropped, from four firings on', () => {
  const wide: Trigger = { at: 'call', has: ['npm'] }
  expect(prove({ when: [wide] }, failing('a'), others(6, 'npm ci')).failed).toMatchObject([
    { why: 'fires at too many calls' },
  ])
  expect(prove({ when: [wide] }, failing('a')).failed).toEqual([])
})

test('knowledge: in a project with few calls a trigger at which each of them fails is kept', () => {
  const failures = [0, 1, 2, 3].flatMap((day) => failing(`session-${day}`, day))
  expect(prove({}, failures, others(10)).failed).toEqual([])
  expect(prove({ when: [{ at: 'failure', has: ['price catalogue'] }] }, failures).failed).toEqual([])
})

test('knowledge: a trigger whose calls seldom fail is dropped, unless a person wants it', () => {
  const wide: Trigger = { at: 'call', has: ['npm'] }
  const calls = [...others(400), ...others(9, 'npm ci')]
  expect(prove({ when: [wide] }, failing('a'), calls).failed).toMatchObject([{ why: 'fires where nothing fails' }])
  const rule = { type: 'rule', quote: 'use pnpm, please', when: [{ ...wide, unless: ['ci'] }] } as const
  const { knowledge, failed } = prove(rule, failing('a'), calls)
  expect(failed).toEqual([])
  expect(knowledge.record).toMatchObject({ fired: 2, failed: 2, keptBefore: 1, brokenBefore: 1 })
})

test('knowledge: a session that did first what a rule wants first has kept it', () => {
  const rule = { type: 'rule', line: 'Run `npm run lint` before each commit', quote: 'lint first' } as const
  const when: Trigger[] = [{ at: 'call', tool: 'Bash', has: ['git commit'], unless: ['npm run lint'] }]
  const one = callsOf(exampleSession('one').runs('npm run lint').runs('git commit -m a').runs('git commit -m b'))
  const two = callsOf(exampleSession('two', BEGIN + DAY).runs('git commit -m c'))
  const { knowledge } = proveKnowledge(
    { ...LESSON, ...rule, when },
    [...one, ...two].map(provenCall),
    new Set(),
    NUMBERS,
  )
  expect(knowledge.record).toMatchObject({ fired: 1, failed: 1, keptBefore: 1, brokenBefore: 1 })
})

test('knowledge: a trigger for edits is kept if the check that refuses them came later in the session', () => {
  const refusal = 'src/run.go:12:3: os/exec.Command must not be called (noctx)'
  const edit: Trigger = { at: 'call', tool: 'Edit', has: ['exec.Command('] }
  const writes = (session: ExampleSession): ExampleSession => session.edits('src/run.go', 'exec.Command("git")')
  const cites = (session: ExampleSession) => {
    const calls = callsOf(session)
    const cited = calls.filter(({ kind }) => kind === 'call.failed').map(({ id }) => id)
    return proveKnowledge({ ...LESSON, when: [edit] }, calls.map(provenCall), new Set(cited), NUMBERS)
  }
  const { knowledge, failed } = cites(writes(exampleSession('a')).fails('make lint', refusal))
  expect(failed).toEqual([])
  expect(knowledge.when).toEqual([edit, { at: 'failure', signature: expect.stringContaining('noctx') }])
  expect(knowledge.record).toMatchObject({ fired: 2, failed: 2, met: 1 })
  expect(cites(writes(exampleSession('a').fails('make lint', refusal))).failed).toMatchObject([
    { why: 'misses the calls that it cites' },
  ])
})

test('knowledge: what all findings of a check have in common is no trigger', () => {
  const given = (finding: string) => `[lint] $ golangci-lint run\nsrc/run.go:12:3: ${finding}\n1 issues:`
  const lint: Trigger = { at: 'failure', has: ['noctx'] }
  const calls = callsOf(
    exampleSession('a').fails('make lint', given('call it with a context (noctx)')).fails('make lint', given('dupl')),
  )
  const { knowledge } = prove({ when: [lint] }, calls)
  expect(knowledge).toMatchObject({ when: [lint], record: { met: 1, failed: 1 } })
})

test('knowledge: a general signature is no trigger, and starts and prompts need no proof', () => {
  const general = callsOf(exampleSession('a').fails('cat x.json', 'Error: file not found'))
  const when: Trigger[] = [{ at: 'start' }, { at: 'prompt', has: ['deploy'] }]
  expect(prove({ when }, general).knowledge.when).toEqual(when)
})
