// What a session learns while it runs, through the real client: its subagent, a second window and the memory tools have
// it within two seconds, and no conversation is shown what it contains.
// Needs a built memctl (`npm run test:client` builds it) and a client; without one the stories are skipped, visibly.

import { appendFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { findInjectedContexts, findSightings } from './findInRequests.ts'
import type { ClientResult } from './runClient.ts'
import type { Turn } from './scriptedApi.ts'
import { step, toolsOf } from './shop/session.ts'
import {
  createEmptyProject,
  createShopProject,
  removeStoryProjects,
  runMemctl,
  runSession,
  type StoryProject,
  waitForProcesses,
  waitUntilOrganized,
} from './storyProject.ts'

const PREFERENCE = 'never add comments to tests'
const FIX = 'npm run build:prices'
const NOTE = 'The receipt printer in the shop needs code page 437'
const SEARCH = 'mcp__memctl__memory_search'
const SAVE = 'mcp__memctl__memory_save'

/** Within this time everybody has what a session has learned. */
const AVAILABLE_MS = 2_000

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: an error that the main thread has fixed is explained to its subagent, and not to itself', async () => {
    const story = installed(createShopProject(claude))
    const { bash, explore } = toolsOf(story.project)
    const main = await runSession(
      story,
      'Please get npm test to run.',
      [
        ...fixes(story),
        { tools: [bash('rm -r dist', 'Clean')], meanwhile: waitUntilAvailable },
        step('', explore('Check the clean folder', 'Run the checks in a clean folder.')),
        'The tests pass once the prices are built.',
      ],
      { routes: [{ name: 'agent', firstSays: 'Run the checks in a clean folder.', turns: failsOnce(story) }] },
    )
    expect(namingFix(main, 'agent')).toHaveLength(1)
    expect(namingFix(main, 'main')).toEqual([])
    expect(await endsCleanly(story)).toEqual([])
  })

  test('story: a second window has the fix while the first still works, by hooks, search and command', async () => {
    const story = withServer(installed(createShopProject(claude), '--mcp'))
    const { bash } = toolsOf(story.project)
    const windows: ClientResult[] = []
    let recalled = ''
    const opensWindow = async (): Promise<void> => {
      await waitUntilAvailable()
      rmSync(path.join(story.project, 'dist'), { recursive: true })
      windows.push(
        await runSession(story, 'A second window: what is known here?', [
          step('', { name: SEARCH, input: { query: 'npm test Cannot find module prices.json' } }),
          ...failsOnce(story),
        ]),
      )
      recalled = runMemctl(story, 'recall', 'npm test fails: Cannot find module prices.json')
    }
    await runSession(story, 'Please get npm test to run.', [
      ...fixes(story),
      { tools: [bash('ls', 'Look')], meanwhile: opensWindow },
      'Done.',
    ])
    const [second] = windows
    expect(namingFix(second, 'main')).toHaveLength(1)
    const found = findSightings(second?.requests ?? [], FIX).filter(({ kind }) => kind === 'tool_result')
    expect(found.some(({ line }) => line.includes('"results"'))).toBe(true)
    expect(recalled).toContain(FIX)
    expect(await endsCleanly(story)).toEqual([])
  })

  test('story: what the person says in one window is shown at the start of another, both open', async () => {
    const story = installed(createShopProject(claude))
    const windows: ClientResult[] = []
    const opensWindow = async (): Promise<void> => {
      await waitUntilAvailable()
      windows.push(await runSession(story, 'A second window: what is open?', ['Nothing.']))
    }
    const first = await runSession(story, `Please look at the cart. From now on, ${PREFERENCE}.`, [
      { text: 'I have looked at it.', meanwhile: opensWindow },
    ])
    const shown = findInjectedContexts(windows[0]?.requests ?? [], 'SessionStart').map(({ text }) => text)
    expect(shown.join('\n').toLowerCase()).toContain(PREFERENCE)
    // The first window contains the prompt itself.
    expect(findSightings(first.requests, PREFERENCE).every(({ line }) => line.includes('From now on'))).toBe(true)
    expect(await endsCleanly(story)).toEqual([])
  })

  test('story: what the main thread has fixed is explained to it once it was compacted', async () => {
    const story = installed(createShopProject(claude))
    const { bash } = toolsOf(story.project)
    // So many tokens make the client compact the conversation before its next request.
    const env = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' }
    const fullTurn = { text: 'It was not built.', tools: [bash('ls', 'Look')], usage: { input_tokens: 199_000 } }
    const turns = [
      ...fixes(story),
      fullTurn,
      { tools: [bash('rm -r dist', 'Clean')], meanwhile: waitUntilAvailable },
      ...failsOnce(story),
    ]
    const main = await runSession(story, 'Please get npm test to run.', turns, { env })
    expect(main.requests.some(({ route }) => route === 'compact')).toBe(true)
    expect(namingFix(main, 'main')).toHaveLength(1)
    expect(await endsCleanly(story)).toEqual([])
  })

  test('story: what the main thread was shown is shown to the subagent that it sends to do exactly that', async () => {
    const story = installed(createShopProject(claude))
    appendFileSync(path.join(story.memory, 'all.yaml'), 'knowledge: { startTokens: 0 }\n')
    await runSession(story, 'Please get npm test to run.', [...fixes(story), 'The tests pass.'])
    await waitUntilOrganized(story)
    rmSync(path.join(story.project, 'dist'), { recursive: true })
    const { bash, explore } = toolsOf(story.project)
    const second = await runSession(
      story,
      'A new morning in the shop: do the tests still run?',
      [
        step('', bash('npm test', 'Run the tests')),
        step('', explore('Run the tests', 'Please run npm test and report.')),
        'They fail.',
      ],
      { routes: [{ name: 'agent', firstSays: 'Please run npm test and report.', turns: failsOnce(story) }] },
    )
    expect(namingFix(second, 'main')).toHaveLength(1)
    expect(namingFix(second, 'agent')).toHaveLength(1)
    expect(await endsCleanly(story)).toEqual([])
  })

  test('story: what a tool stored is seen by the next hook of another window, both open', async () => {
    const story = withServer(installed(createEmptyProject(claude), '--mcp'))
    const windows: ClientResult[] = []
    const opensWindow = async (): Promise<void> => {
      await waitUntilAvailable()
      windows.push(await runSession(story, 'Which code page does the receipt printer in the shop need?', ['437.']))
    }
    await runSession(story, 'Remember what the printer needs.', [
      step('', { name: SAVE, input: { content: NOTE } }),
      { text: 'Done.', meanwhile: opensWindow },
    ])
    const shown = ['SessionStart', 'UserPromptSubmit'].flatMap((event) =>
      findInjectedContexts(windows[0]?.requests ?? [], event).map(({ text }) => text),
    )
    expect(shown.join('\n')).toContain(NOTE)
    expect(await endsCleanly(story)).toEqual([])
  })
})

function installed(story: StoryProject, ...options: readonly string[]): StoryProject {
  runMemctl(story, 'init', ...options)
  return story
}

/** In print mode nobody can be asked whether the project's server may be used; given as an argument it may. */
const withServer = (story: StoryProject): StoryProject => ({
  ...story,
  args: ['--mcp-config', path.join(story.project, '.mcp.json'), '--allowedTools', `${SAVE},${SEARCH}`],
})

const waitUntilAvailable = (): Promise<void> => new Promise((done) => setTimeout(done, AVAILABLE_MS))

/** Meets the error and fixes it. */
function fixes(story: StoryProject): readonly Turn[] {
  const { bash } = toolsOf(story.project)
  return [
    step('', bash('npm test', 'Run the tests')),
    step('dist/prices.json has to be built.', bash(FIX, 'Build it')),
    step('', bash('npm test', 'Run the tests')),
  ]
}

const failsOnce = (story: StoryProject): readonly Turn[] => [
  step('', toolsOf(story.project).bash('npm test', 'Run the tests')),
  'They fail.',
]

/** What hooks told a conversation (`main` or the name of a route) that names the fix. */
const namingFix = (result: ClientResult | undefined, route: string): readonly string[] =>
  ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'SubagentStart'].flatMap(
    (event) =>
      findInjectedContexts(result?.requests ?? [], event)
        .filter((context) => context.route === route && context.text.includes(FIX))
        .map(({ text }) => `${event}: ${text}`),
  )

/** The processes that are left once all sessions of the story are organized. */
async function endsCleanly(story: StoryProject): Promise<readonly string[]> {
  await waitUntilOrganized(story)
  return waitForProcesses(story)
}
