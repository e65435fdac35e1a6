// Blocked calls through the real client: with `warnings` set to block, a call that is known to fail is denied once, with the fix.
// The same call again goes through.

import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { findSightings } from './findInRequests.ts'
import { step, toolsOf } from './shop/session.ts'
import { createShopProject, removeStoryProjects, runMemctl, runSession, waitUntilOrganized } from './storyProject.ts'

const WRONG = 'npm run build-prices'
const FIX = 'npm run build:prices'
const BLOCKED = 'memctl blocked this call once'
const ERROR = 'Missing script'

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: a call that is known to fail is blocked once with its fix, and goes through when it is made again', async () => {
    const story = createShopProject(claude)
    appendFileSync(path.join(story.memory, 'config.yaml'), 'warnings: block\n')
    runMemctl(story, 'init')
    const { bash } = toolsOf(story.project)
    const builds = step('', bash(WRONG, 'Build the prices'))
    const first = await runSession(story, 'Please build the prices.', [
      builds,
      step('The script has another name.', bash(FIX, 'Build the prices')),
      'They are built.',
    ])
    expect(findSightings(first.requests, BLOCKED)).toEqual([])
    await waitUntilOrganized(story)

    const second = await runSession(story, 'Are the prices built?', [
      builds,
      step('I want to see it.', bash(WRONG, 'Build the prices')),
      step('', bash(FIX, 'Build the prices')),
      'They are.',
    ])
    // Blocked: the model gets the reason and the fix in place of a result, and nothing ran.
    expect(findSightings(second.requests, BLOCKED)).toMatchObject([{ kind: 'tool_result', request: 1 }])
    const fix = findSightings(second.requests, `Use \`${FIX}\` instead of`).filter(({ kind }) => kind === 'tool_result')
    expect(fix.map(({ request }) => request)).toEqual([1])
    // The second try went through, and failed as the note said.
    const failed = findSightings(second.requests, ERROR).filter(({ kind }) => kind === 'tool_result')
    expect([...new Set(failed.map(({ request }) => request))]).toEqual([2])
    expect(findSightings(second.requests, 'wrote dist/prices.json').map(({ request }) => request)).toEqual([3])
    await waitUntilOrganized(story)
  })
})
