// The whole cycle through the real client: one session meets an error, fixes it and is given a preference; the next one
// gets both at its start, or the fix with the failure if the start did not show it.
// Needs a built memctl (`npm run test:client` builds it) and a client; without a client they are skipped, visibly.

import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { findInjectedContexts, findSightings } from './findInRequests.ts'
import type { ClientResult } from './runClient.ts'
import { step, toolsOf } from './shop/session.ts'
import { FIX, firstSession, PREFERENCE, SECOND_PROMPT, secondSession } from './shop/twoSessions.ts'
import {
  buildPlugin,
  createShopProject,
  removeStoryProjects,
  runMemctl,
  runSession,
  type StoryProject,
  waitUntilOrganized,
} from './storyProject.ts'

const TOKEN = 'FAKEFAKE'

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: what one session learned is injected into the next, hooks installed by init', async () => {
    const story = createShopProject(claude)
    runMemctl(story, 'init')
    await expectNextSessionInformed(story)
  })

  test('story: what one session learned is injected into the next, hooks installed as a plugin', async () => {
    await expectNextSessionInformed(createShopProject(claude, ['--plugin-dir', buildPlugin()]))
  })

  test('story: a fix that the start did not show comes once, at the latest with the failure', async () => {
    const story = createShopProject(claude)
    appendFileSync(path.join(story.memory, 'all.yaml'), 'knowledge: { startTokens: 0 }\n')
    runMemctl(story, 'init')
    await firstSession(story)
    await waitUntilOrganized(story)
    const { requests } = await secondSession(story)
    expect(contextOf(requests, 'SessionStart')).not.toContain(FIX)
    const failed = findSightings(requests, 'Cannot find module').find(({ kind }) => kind === 'tool_result')
    // At the prompt, because the session before did the same work; else with the call's result.
    const notes = ['UserPromptSubmit', 'PreToolUse', 'PostToolUseFailure']
      .flatMap((event) => findInjectedContexts(requests, event))
      .filter(({ text }) => text.includes(FIX))
    expect(notes).toHaveLength(1)
    expect(notes[0]?.request).toBeLessThanOrEqual(failed?.request ?? -1)
    await waitUntilOrganized(story)
  })

  test('story: a token in the output of a command reaches neither the memory nor the next session', async () => {
    const story = createShopProject(claude)
    runMemctl(story, 'init')
    const { bash } = toolsOf(story.project)
    const first = await runSession(story, 'Is the release ready?', [
      step('', bash('npm run release:check', 'Ask')),
      'No.',
    ])
    await waitUntilOrganized(story)
    // The model saw the token, so the hooks did too.
    expect(findSightings(first.requests, TOKEN)).not.toEqual([])
    const stored = filesUnder(story.memory).map((file) => readFileSync(file, 'latin1'))
    expect(stored.some((text) => text.includes('npm run release:check'))).toBe(true)
    expect(stored.filter((text) => text.includes(TOKEN))).toEqual([])

    const second = await runSession(story, 'What did the release check say?', ['It failed.'])
    expect(findSightings(second.requests, TOKEN)).toEqual([])
    await waitUntilOrganized(story) // The worker must not write while the folder is removed.
  })

  test('story: with MEMCTL_OFF=1 nothing is injected and nothing is recorded', async () => {
    const story = createShopProject(claude)
    runMemctl(story, 'init')
    await firstSession(story)
    await waitUntilOrganized(story)

    const off = await secondSession(story, { MEMCTL_OFF: '1' })
    expect(off.requests.length).toBeGreaterThan(1)
    for (const event of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure']) {
      expect(findInjectedContexts(off.requests, event), event).toEqual([])
    }
    expect(findSightings(off.requests, PREFERENCE)).toEqual([])
    const stored = filesUnder(story.memory).map((file) => readFileSync(file, 'utf8'))
    expect(stored.some((text) => text.includes(PREFERENCE))).toBe(true)
    expect(stored.filter((text) => text.includes(SECOND_PROMPT))).toEqual([])
  })
})

async function expectNextSessionInformed(story: StoryProject): Promise<void> {
  await firstSession(story)
  await waitUntilOrganized(story)
  const { requests } = await secondSession(story)

  // Both at the start: before the model has said a word.
  const atStart = findInjectedContexts(requests, 'SessionStart')
  expect(atStart.map(({ request }) => request)).toContain(0)
  expect(contextOf(requests, 'SessionStart')).toContain(PREFERENCE)
  expect(contextOf(requests, 'SessionStart')).toContain(`- Run \`${FIX}\` before \`npm test\``)

  // The command fails as it did, and nothing is said twice in one conversation.
  expect(findSightings(requests, 'Cannot find module').some(({ kind }) => kind === 'tool_result')).toBe(true)
  expect(findInjectedContexts(requests, 'PostToolUseFailure')).toEqual([])
  await waitUntilOrganized(story)
}

/** All that the hooks of this event added. */
const contextOf = (requests: ClientResult['requests'], event: string): string =>
  findInjectedContexts(requests, event)
    .map(({ text }) => text)
    .join('\n')

function filesUnder(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}
