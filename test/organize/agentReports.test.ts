// The report of a subagent: a memory of its role with task, outcome and lessons.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { Memory, MemoryMap } from '../../src/model/memory.ts'
import { applyAging, applyRelease, listDueReleases } from '../../src/organize/lifecycle.ts'
import { organizeSession } from '../../src/organize/organizeSession.ts'
import {
  BEGIN,
  buildMemory,
  buildMemoryMap,
  DAY,
  type ExampleSession,
  exampleSession,
  recordEvents,
  sessionId,
} from '../testData.ts'

const ERROR = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const LESSON = 'Run `npm run build:prices` before `npm test`.'

const organize = ({ session, recorded }: ExampleSession, known: MemoryMap = new Map()): Memory[] =>
  organizeSession({ session: sessionId(session), events: recordEvents(recorded) }, known, DEFAULT_POLICY)

const reportsOf = (memories: readonly Memory[]): Memory[] => memories.filter(({ tags }) => tags.includes('subagent'))

/** The payloads of an Agent call before its agent starts. */
const callsAgent = (session: ExampleSession, role: string, prompt: string, description = 'A task'): ExampleSession =>
  session.tells('PreToolUse', {
    tool_name: 'Agent',
    tool_use_id: `${session.session}-${prompt}`,
    tool_input: { description, prompt, subagent_type: role },
  })

test('organize: a report has the role, task, outcome and lessons of its agent, and is for its role at first', () => {
  const session = exampleSession().asks('Check the pricing of the cart.')
  callsAgent(session, 'reviewer', 'Review the rounding of the cart.').sends(
    'reviewer',
    'a1',
    (agent) => agent.fails('npm test', ERROR).runs('npm run build:prices').runs('npm test'),
    `The rounding is right.\n\nLessons: ${LESSON}`,
  )
  const [report, ...others] = reportsOf(organize(session.ends()))
  expect(others).toEqual([])
  expect(report).toMatchObject({
    kind: 'experience',
    role: 'reviewer',
    agentId: 'a1',
    privacy: 'agent-only',
    outcome: 'success',
    lessons: [LESSON],
    taskId: 'session-one-prompt-1',
  })
  expect(report?.content).toMatch(/^Review the rounding of the cart → The rounding is right\./)
  expect(report?.searchOnly).toBeUndefined()
})

test('organize: an agent of the type main has a report for its own role, with its task', () => {
  const session = exampleSession().asks('Check the cart, please.')
  callsAgent(session, 'main', 'Review the cart module.').sends('main', 'a1', () => {}, 'The cart is right.')
  const [report] = reportsOf(organize(session.ends()))
  expect(report).toMatchObject({ role: 'main subagent', privacy: 'agent-only' })
  expect(report?.content).toMatch(/^Review the cart module/)
})

test('organize: two agents of a type get their tasks in the order in which they were called', () => {
  const session = exampleSession().asks('Check both, please.')
  callsAgent(session, 'reviewer', 'Review the cart module.')
  callsAgent(session, 'reviewer', 'Review the tax module.')
  session.sends('reviewer', 'a1', () => {}, 'Nothing to say about it.')
  session.sends('reviewer', 'a2', () => {}, 'It has two defects.')
  expect(reportsOf(organize(session.ends())).map(({ content }) => content)).toEqual([
    'Review the cart module → Nothing to say about it.',
    'Review the tax module → It has two defects.',
  ])
})

test('organize: a check that fails at the end is a failure, whatever the report says', () => {
  const outcomeOf = (then: (agent: ExampleSession) => void, words: string) =>
    reportsOf(organize(exampleSession().asks('Fix the tests.').sends('fixer', 'a1', then, words).ends()))[0]?.outcome
  expect(outcomeOf((agent) => agent.fails('npm test', ERROR), 'All done.')).toBe('failure')
  expect(outcomeOf((agent) => agent.runs('npm test'), 'Look at src/cart.js.')).toBe('success')
  expect(outcomeOf((agent) => agent.runs('npm test'), 'Status: not fixed, the second one fails.')).toBe('failure')
  expect(outcomeOf(() => {}, '結果：修正済み')).toBe('success')
  expect(outcomeOf(() => {}, 'The prices are in src/prices.js.')).toBe('unknown')
})

test('organize: a report without lessons is only found by searches; a blank one or a compaction is no memory', () => {
  const session = exampleSession().asks('Where are the prices read?')
  session.sends('Explore', 'a1', () => {}, 'They are read in src/prices.js.')
  session.sends('Explore', 'a2', () => {}, '  \n')
  session.tells('SubagentStop', { agent_id: 'a3', agent_type: '', last_assistant_message: 'A summary. Lessons: x y z' })
  const reports = reportsOf(organize(session.ends()))
  expect(reports.map(({ agentId, lessons, searchOnly }) => ({ agentId, lessons, searchOnly }))).toEqual([
    { agentId: 'a1', lessons: [], searchOnly: true },
  ])
})

test('organize: an agent that reports again keeps what it has learned, in one part of the session or in two', () => {
  const report = (session: ExampleSession, lesson: string) =>
    session.sends('fixer', 'a1', () => {}, `Lessons: ${lesson}`)
  const [first, second] = ['Prices are always in cents.', '日付は常に UTC で保存する。'] as const
  const session = exampleSession().asks('Fix the prices.')
  report(session, first)
  const known = buildMemoryMap(...organize(session))
  report(session, second)
  expect(reportsOf(organize(session)).map(({ lessons }) => lessons)).toEqual([[second, first]])
  const later = exampleSession(session.session, BEGIN + DAY).asks('And the dates.')
  report(later, second)
  expect(reportsOf(organize(later, known)).map(({ lessons }) => lessons)).toEqual([[second, first]])
})

test('organize: what is still to be released is not archived, and then stays as long as what is new', () => {
  const { tiers, privacy } = DEFAULT_POLICY
  const [own, open] = [buildMemory(1, { privacy: 'agent-only' }), buildMemory(2)].map((memory) => ({
    ...memory,
    kind: 'experience' as const,
    importance: 0.1,
  }))
  if (!own || !open) throw new Error('no memories')
  const releaseDays = privacy.releaseDays.agentOnlyToPublic ?? 0
  const age = (memory: Memory, days: number): string => {
    const [changed] = applyAging(buildMemoryMap(memory), DEFAULT_POLICY, BEGIN + days * DAY)
    return (changed ?? memory).status
  }
  expect([age(open, tiers.hotDays + 1), age(own, tiers.hotDays + 1)]).toEqual(['archived', 'active'])
  expect(age({ ...own, strength: 0.05 }, releaseDays - 1)).toBe('active')
  const known = buildMemoryMap(own)
  const [due] = listDueReleases(known, privacy.releaseDays, BEGIN + (releaseDays + 1) * DAY)
  if (!due) throw new Error('no release is due')
  const [released] = applyRelease(known, due, BEGIN + (releaseDays + 1) * DAY)
  expect(released?.privacy).toBe('public')
  if (!released) return
  expect([age(released, releaseDays + 2), age(released, releaseDays + tiers.hotDays + 1)]).toEqual([
    'active',
    'archived',
  ])
})
