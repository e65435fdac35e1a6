// Project facts and statements through the real client: two sessions open a path that does not exist and then find the
// right one; the third gets it at its start, and so does its subagent. A later statement supersedes an earlier one.
// Needs a built memctl and a client; without a client the stories are skipped, visibly.
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { findInjectedContexts, findSightings } from './findInRequests.ts'
import type { ClientResult } from './runClient.ts'
import { step, toolsOf } from './shop/session.ts'
import {
  createShopProject,
  removeStoryProjects,
  runMemctl,
  runSession,
  type StoryProject,
  waitUntilOrganized,
} from './storyProject.ts'

const WRONG = 'lib/cart.js'
const FACT = `- Use \`src/cart.js\`: there is no \`${WRONG}\``
const TASK = 'List the callers of total.'

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: the third session and its subagent start with the path that two sessions had to find', async () => {
    const story = createShopProject(claude)
    runMemctl(story, 'init')
    await openWrongPath(story, 'How is the total of a cart computed? From now on, use npm for all scripts.')
    const second = await openWrongPath(story, 'Is the total rounded? From now on, use pnpm for all scripts, not npm.')
    expect(startOf(second)).toContain('- Use npm for all scripts')

    const turns = [step('', toolsOf(story.project).explore('Callers', TASK)), 'Only the test calls it.']
    const routes = [{ name: 'subagent', firstSays: TASK, turns: ['test/cart.test.js calls it.'] }]
    const third = await runSession(story, 'Who calls total?', turns, { routes })
    // Before the model has said a word: the fact with its evidence, and of the two statements the later one.
    expect(startOf(third)).toContain(`${FACT} (2, last `)
    expect(startOf(third)).toContain('- Use pnpm for all scripts, not npm (')
    expect(startOf(third)).not.toContain('Use npm')
    // The subagent gets the fact with its task, and no statement: its instructions come with the task.
    const forAgent = contextsOf(third, 'SubagentStart').filter(({ route }) => route === 'subagent')
    expect(forAgent.map(({ text }) => text).join('\n')).toContain(`${FACT} (2 sessions, last `)
    expect(findSightings(third.requests, /Use p?npm/).filter(({ route }) => route === 'subagent')).toEqual([])
    await waitUntilOrganized(story)

    // The earlier statement is history, which names the later one.
    const listed = (status: string) =>
      JSON.parse(runMemctl(story, 'list', '--kind', 'preference', '--status', status, '--json')).memories
    const [earlier, ...others] = listed('archived')
    const [later] = listed('active')
    expect(others).toEqual([])
    expect(earlier.content).toContain('use npm')
    expect(earlier.statement.supersededBy).toBe(later.id)
    expect(later.statement).toMatchObject({ strength: 3, origin: 'prompt', scope: 'project' })
  })
})

/** A session that opens the wrong path, then the right one. */
async function openWrongPath(story: StoryProject, prompt: string): Promise<ClientResult> {
  const { read } = toolsOf(story.project)
  const opens = [step('', read(WRONG)), step('', read('src/cart.js'))]
  const result = await runSession(story, prompt, [...opens, 'It adds up price times count.'])
  const failed = findSightings(result.requests, 'File does not exist').filter(({ kind }) => kind === 'tool_result')
  expect(failed.map(({ request }) => request)).toEqual([1])
  await waitUntilOrganized(story)
  return result
}

const contextsOf = ({ requests }: ClientResult, event: string) => findInjectedContexts(requests, event)

/** What the hooks of the session's start added to its first request. */
const startOf = (result: ClientResult): string =>
  contextsOf(result, 'SessionStart')
    .filter(({ request }) => request === 0)
    .map(({ text }) => text)
    .join('\n')
