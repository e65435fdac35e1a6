// What a person sees in the real client: the line on the notes, and the status line. No request to the API has them.
// Needs a built memctl, a client and tmux; without them the stories are skipped, visibly.
import { appendFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { hasTmux, runOnScreen, type ScreenResult } from './runOnScreen.ts'
import { step, toolsOf } from './shop/session.ts'
import {
  createShopProject,
  removeStoryProjects,
  runMemctl,
  runSession,
  type StoryProject,
  waitUntilOrganized,
} from './storyProject.ts'

const FIX = 'npm run build:prices'
const STATEMENT = 'コミットメッセージを日本語で書いてください'

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  const screenTest = hasTmux ? test : test.skip

  screenTest('story: a person sees how many notes a start was given; the model does not', async () => {
    const { screen, requests } = await workTwice(claude, '')
    expect(screen).toMatch(/SessionStart:startup says: memctl: \d+ notes?, \d+ tokens/)
    expect(screen).not.toMatch(/PreToolUse:Bash says/)
    expect(JSON.stringify(requests)).not.toMatch(/memctl: \d+ notes?,/)
    // The notes themselves reach the model.
    expect(JSON.stringify(requests)).toContain(STATEMENT)
    expect(screen).not.toContain(STATEMENT)
  })

  screenTest('story: with show set to full a person also reads the notes, and with off nothing', async () => {
    const { screen, requests } = await workTwice(claude, 'show: full\n')
    expect(screen).toMatch(/SessionStart:startup says: memctl: \d+ notes?, \d+ tokens/)
    expect(screen).toContain(`- 今後は${STATEMENT}`)
    expect(JSON.stringify(requests)).not.toMatch(/memctl: \d+ notes?,/)
    const off = await workTwice(claude, 'show: off\n')
    expect(off.screen).not.toContain('says: memctl')
    expect(JSON.stringify(off.requests)).toContain(STATEMENT)
  })

  screenTest('story: the status line of the client has the memories and the notes of the session', async () => {
    const { screen, requests } = await workTwice(claude, 'show: off\n', '--statusline')
    expect(screen).toMatch(/memctl \d+ memor(?:y|ies) · \d+ notes? shown · \d+ tokens · last: /)
    expect(JSON.stringify(requests)).not.toMatch(/notes? shown ·/)
  })
})

/** A session that learns, then one on a screen that meets the same failure. */
async function workTwice(claude: string, config: string, ...options: readonly string[]): Promise<ScreenResult> {
  const story: StoryProject = createShopProject(claude)
  appendFileSync(path.join(story.memory, 'config.yaml'), config)
  runMemctl(story, 'init', ...options)
  const { bash } = toolsOf(story.project)
  await runSession(story, `Please get npm test to run. 今後は${STATEMENT}。`, [
    step('', bash('npm test', 'Run the tests')),
    step('dist/prices.json has to be built.', bash(FIX, 'Build it')),
    step('', bash('npm test', 'Run the tests')),
    'The tests pass.',
  ])
  await waitUntilOrganized(story)
  rmSync(path.join(story.project, 'dist'), { recursive: true, force: true })
  const result = await runOnScreen(story, {
    prompt: "npm test fails with Error: Cannot find module '../dist/prices.json'. What is missing?",
    turns: [step('', bash('npm test', 'Run the tests')), 'They fail again today.'],
    until: 'They fail again today.',
  })
  await waitUntilOrganized(story)
  return result
}
