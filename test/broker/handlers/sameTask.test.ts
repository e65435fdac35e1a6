// The same-task boost: what belongs to the task of a prompt ranks before what does not, also on the main branch.
import { expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { listLatestEvents } from '../../../src/broker/queries/browse.ts'
import { recallMemories } from '../../../src/broker/search/recallMemories.ts'
import { BEGIN, createTestStore, DAY, exampleSession, HOUR, runHookPayloads } from '../../testData.ts'

/** Two sessions on main about the same subject, only the earlier one about issue 42. */
function storeOfTwoTasks(): Store {
  const store = createTestStore()
  const prompts = ['Change the rounding of the cart total for #42.', 'Change the rounding of the cart total again.']
  prompts.forEach((prompt, i) => {
    const session = exampleSession(`session-${i}`, BEGIN + i * HOUR)
      .starts()
      .asks(prompt)
      .edits('src/cart.js', `const total = round(${i})`)
      .answers('Changed the rounding of the cart total.')
      .ends()
    runHookPayloads(store, session.recorded)
    runMaintenance(store, { now: session.now() })
  })
  return store
}

const boosts = (store: Store, session: ReturnType<typeof exampleSession>): number[] => {
  runHookPayloads(store, session.recorded)
  const [event] = listLatestEvents(store, { session: 'today', kind: 'recalled', limit: 1 })
  return event?.kind === 'recalled' ? event.shown.map(({ features }) => features['sameTask'] ?? 0) : []
}

test('broker: at a prompt that names an issue, the memories of that issue get the boost, also on main', () => {
  const later = () => exampleSession('today', BEGIN + DAY)
  const prompt = 'Change the rounding of the cart total'
  expect(boosts(storeOfTwoTasks(), later().asks(`${prompt} #42`))).toContain(1)
  expect(boosts(storeOfTwoTasks(), later().asks(`${prompt} #43`))).not.toContain(1)
})

test('broker: the entry of the task list that is in progress is the task of a prompt that names none', () => {
  const session = exampleSession('today', BEGIN + DAY).asks('Please work on the list, one after the other.')
  session.calls('TodoWrite', { todos: [{ content: 'Rounding, see #42', status: 'in_progress' }] })
  expect(boosts(storeOfTwoTasks(), session.asks('Change the rounding of the cart total again.'))).toContain(1)
})

test('broker: a recall by hand names its task in its text, by its branch or by an option', () => {
  const store = storeOfTwoTasks()
  const shares = (request: object) =>
    recallMemories(store, { text: 'rounding of the cart total', now: BEGIN + DAY, ...request }).shown.filter(
      ({ features }) => features['sameTask'] === 1,
    ).length
  expect(shares({})).toBe(0)
  for (const request of [{ text: 'rounding of #42' }, { branch: '42-rounding' }, { taskId: 'GH-42' }])
    expect(shares(request)).toBeGreaterThan(0)
})
