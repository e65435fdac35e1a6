// Blocked calls through the real client: with `warnings` set to block, a call that is known to fail is denied once, with the fix.
// The same call again goes through.

import { appendFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { findSightings } from './findInRequests.ts'
import { step, toolsOf } from './shop/session.ts'
import { createShopProject, removeStoryProjects, runMemctl, runSession, waitUntilOrganized } from './storyProject.ts'

const FIX = 'npm run build:prices'
const BLOCKED = 'memctl blocked this call once'
const ERROR = 'Cannot find module'

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: a call that is known to fail is blocked once with its fix, and goes through when it is made again', async () => {
    const story = createShopProject(claude)
    appendFileSync(path.join(story.memory, 'config.yaml'), 'warnings: block\n')
    runMemctl(story, 'init')
    const { bash } = toolsOf(story.project)
    const runsTests = bash('npm test', 'Run the tests')
    const first = await runSession(story, 'Please get npm test to run.', [
      step('', runsTests),
      step('dist/prices.json has to be built.', bash(FIX, 'Build it')),
      step('', runsTests),
      'The tests pass.',
    ])
    expect(findSightings(first.requests, BLOCKED)).toEqual([])
    await waitUntilOrganized(story)

    // The next day in a clean folder: the command would fail as it did.
    rmSync(path.join(story.project, 'dist'), { recursive: true })
    const second = await runSession(story, 'Do the tests still run?', [
      step('', runsTests),
      step('I want to see it.', runsTests),
      step('', bash(FIX, 'Build it')),
      step('', runsTests),
      'They do, once the prices are built.',
    ])
    // Blocked: the model gets the reason and the fix in place of a result, and nothing ran.
    const [blocked, ...more] = findSightings(second.requests, BLOCKED)
    expect(blocked).toMatchObject({ kind: 'tool_result', request: 1 })
    expect(more).toEqual([])
    const fix = findSightings(second.requests, `\`${FIX}\` made \`npm test\` pass`)
    expect(fix.map(({ request }) => request)).toEqual([1])
    const failed = findSightings(second.requests, ERROR).filter(({ kind }) => kind === 'tool_result')
    // The second try went through, and failed as the note said; after the fix the tests passed.
    expect(failed.some(({ request }) => request === 2)).toBe(true)
    expect(findSightings(second.requests, /^# pass [1-9]|ℹ pass [1-9]/).map(({ request }) => request)).toContain(4)
    await waitUntilOrganized(story)
  })
})
