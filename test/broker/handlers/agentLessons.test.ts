// What agents report as lessons reaches later agents of their role at the start, and others only after its release.
import { expect, test } from 'vitest'
import type { HookOutput } from '../../../src/broker/handlers/hookContext.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { recallMemories } from '../../../src/broker/search/recallMemories.ts'
import {
  BEGIN,
  createTestStore,
  DAY,
  type ExampleSession,
  exampleSession,
  loadMemories,
  runHookPayloads,
} from '../../testData.ts'

const LESSON = 'Run `npm run build:prices` before `npm test`.'

/** A session in which an agent reports, organized. */
function reports(store: Store, name: string, { role = 'reviewer', words = `Lessons: ${LESSON}`, at = BEGIN } = {}) {
  const session = exampleSession(name, at).starts().asks('Check the pricing of the cart, please.')
  session.sends(role, `agent-of-${name}`, () => {}, words)
  runHookPayloads(store, session.answers('Checked.').ends().recorded)
  runMaintenance(store, { now: session.now() })
}

/** What an agent of a role gets at its start. */
function startOf(store: Store, role: string, { name = 'next', at = BEGIN + DAY, task = 'List all callers.' } = {}) {
  const session: ExampleSession = exampleSession(name, at).asks('Please go on with the other module now.')
  session.tells('PreToolUse', {
    tool_name: 'Agent',
    tool_use_id: `call-${name}`,
    tool_input: { description: 'A task', prompt: task, subagent_type: role },
  })
  session.tells('SubagentStart', { agent_id: `agent-${name}`, agent_type: role })
  return (runHookPayloads(store, session.recorded).at(-1) as HookOutput).context ?? ''
}

test('broker: an agent gets the lessons that an earlier agent of its role reported, whatever its task', () => {
  const store = createTestStore()
  reports(store, 'first')
  const text = startOf(store, 'reviewer')
  expect(text).toContain(`- Learned by an earlier reviewer (2026-03-02): ${LESSON}`)
  expect(text).not.toContain('Lessons:')
  expect(startOf(store, 'planner', { name: 'other' })).toBe('')
  expect(startOf(store, 'planner', { name: 'another', task: 'When does npm run build:prices run?' })).toBe('')
})

test('broker: the same lesson of two agents is one note, and the latest come first', () => {
  const store = createTestStore()
  const others = ['Prices are always in cents.', '日付は常に UTC で保存する。']
  reports(store, 'one')
  reports(store, 'two', { at: BEGIN + DAY, words: `Lessons: ${LESSON}` })
  reports(store, 'three', { at: BEGIN + 2 * DAY, words: `教訓：${others[1]}` })
  const text = startOf(store, 'reviewer', { at: BEGIN + 3 * DAY })
  expect(text.split(LESSON)).toHaveLength(2)
  expect(text).toContain(others[1])
})

test('broker: a report without lessons is not shown to a later agent', () => {
  const store = createTestStore()
  reports(store, 'first', { words: 'All callers of total are listed in src/cart.js and nothing else calls it.' })
  expect(startOf(store, 'reviewer', { task: 'List all callers of total in src/cart.js.' })).toBe('')
  expect(Object.values(loadMemories(store)).some(({ tags }) => tags.includes('subagent'))).toBe(true)
})

test('broker: a lesson is visible to the main conversation only once it is released', () => {
  const store = createTestStore()
  reports(store, 'first')
  const isFound = (now: number) =>
    recallMemories(store, { text: 'what runs before npm test?', now }).shown.some(({ memory }) =>
      memory.lessons.includes(LESSON),
    )
  expect(isFound(BEGIN + DAY)).toBe(false)
  reports(store, 'later', { role: 'planner', words: 'Nothing new to say.', at: BEGIN + 15 * DAY })
  expect(isFound(BEGIN + 16 * DAY)).toBe(true)
})
