// Agents teach each other, through the real client: an agent reports a lesson, and a later agent of its role starts
// with it, in the same session and in another one. An agent of another role does not.
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { findInjectedContexts } from './findInRequests.ts'
import type { ClientResult } from './runClient.ts'
import { step, toolsOf } from './shop/session.ts'
import { createShopProject, removeStoryProjects, runMemctl, runSession, waitUntilOrganized } from './storyProject.ts'

const LESSON = 'Prices are integers in cents, never euros.'
const NOTE = `Learned by an earlier Explore (`

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: a later agent of the same role starts with the lesson of an earlier one', async () => {
    const story = createShopProject(claude)
    runMemctl(story, 'init')
    const { explore } = toolsOf(story.project)
    const plan = (prompt: string) => ({
      ...explore('A plan', prompt),
      input: { description: 'A plan', prompt, subagent_type: 'Plan', run_in_background: false },
    })
    const first = [step('', explore('Prices', 'Where are the prices?')), 'They are in src/prices.js.']
    await runSession(story, 'Look for the prices, please.', first, {
      routes: [
        { name: 'first', firstSays: 'Where are the prices?', turns: [`In src/prices.js.\n\nLessons: ${LESSON}`] },
      ],
    })
    await waitUntilOrganized(story)

    const turns = [
      step('', explore('Callers', 'List the callers of total.')),
      step('', plan('Plan a discount for the cart.')),
      'Done.',
    ]
    const routes = [
      { name: 'same role', firstSays: 'List the callers of total.', turns: ['Only the test.'] },
      { name: 'other role', firstSays: 'Plan a discount for the cart.', turns: ['One step.'] },
    ]
    const second = await runSession(story, 'Prepare a discount for the cart.', turns, { routes })
    expect(startOf(second, 'same role')).toContain(NOTE)
    expect(startOf(second, 'same role')).toContain(LESSON)
    expect(startOf(second, 'other role')).not.toContain(LESSON)
    expect(JSON.stringify(findInjectedContexts(second.requests, 'SessionStart'))).not.toContain(LESSON)
  })
})

/** What the hook of an agent's start added to its conversation. */
const startOf = ({ requests }: ClientResult, name: string): string =>
  findInjectedContexts(requests, 'SubagentStart')
    .filter(({ route }) => route === name)
    .map(({ text }) => text)
    .join('\n')
