// Knowledge through the real client: the person says a rule, and a failure is overcome. The next session has both at
// its start, and the rule again at the call that breaks it, once, and after a compaction. Another project has neither.
// Needs a built memctl and a client; without a client the stories are skipped, visibly.
import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { findInjectedContexts, findSightings } from './findInRequests.ts'
import type { ClientResult } from './runClient.ts'
import type { Turn } from './scriptedApi.ts'
import { step, toolsOf } from './shop/session.ts'
import {
  createShopProject,
  removeStoryProjects,
  runMemctl,
  runSession,
  type StoryProject,
  waitUntilOrganized,
} from './storyProject.ts'

/** Without its first letter, which the note writes large. */
const RULE = 'e use pnpm here, not npm'
const TESTS = 'pnpm test'
const FIX = 'pnpm run build:prices'
const LESSON = `- Run \`${FIX}\` before \`${TESTS}\``
const ERROR = 'Cannot find module'
/** What breaks the rule; it needs no network. */
const INSTALL = 'npm install --dry-run'
/** The shop's commands run with npm. */
const PNPM = '#!/bin/sh\nexec npm "$@"\n'
const BLOCKED = 'memctl blocked this call once'

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: a rule and a lesson come before they are needed, and the rule again after a compaction', async () => {
    const story = await createTaughtShop(claude)
    const { bash } = toolsOf(story.project)
    // So many tokens make the client compact the conversation before its next request.
    const env = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' }
    const fullTurn = { tools: [bash('ls', 'Look')], usage: { input_tokens: 199_000 } }
    const turns = [
      step('', bash(TESTS, 'Run the tests')),
      step('', bash(INSTALL, 'Install')),
      fullTurn,
      step('', bash(INSTALL, 'Install again')),
      'It is installed.',
    ]
    const second = await runWithPnpm(story, 'A new morning: do the tests still run?', turns, env)
    expect(startOf(second)).toMatch(new RegExp(`The person said:\\n- .*${RULE} \\(`))
    expect(startOf(second)).toContain(LESSON)
    // The failure was announced: it is not said twice.
    expect(failuresIn(second)).toEqual([1])
    const compaction = second.requests.findIndex(({ route }) => route === 'compact')
    expect(compaction).toBeGreaterThan(2)
    const repeated = findInjectedContexts(second.requests, 'SessionStart').filter(({ text }) =>
      text.includes(`${RULE} (`),
    )
    expect(repeated.some(({ request }) => request > compaction)).toBe(true)
    // The first call that breaks the rule repeats it, the second does not.
    expect(notesIn(second)).toMatchObject([{ request: 2 }])
    await waitUntilOrganized(story)
  })

  test('story: if calls may be blocked, a rule blocks the call that breaks it once, also after a start', async () => {
    const story = await createTaughtShop(claude, 'warnings: block\n')
    const { bash } = toolsOf(story.project)
    const installs = step('', bash(INSTALL, 'Install'))
    const turns = [installs, installs, installs, 'Installed.']
    const second = await runWithPnpm(story, 'A new morning in the shop.', turns)
    expect(startOf(second)).toContain(RULE)
    const blocked = findSightings(second.requests, BLOCKED)
    expect(blocked).toMatchObject([{ kind: 'tool_result', request: 1 }])
    const reason = findSightings(second.requests, `${RULE} (`).filter(({ kind }) => kind === 'tool_result')
    expect(reason.map(({ request }) => request)).toEqual([1])
    // The second and the third try ran.
    expect(findSightings(second.requests, /up to date|added \d|npm error/i).length).toBeGreaterThanOrEqual(1)
    await waitUntilOrganized(story)
  })

  test('story: another project is shown no rule and no lesson of this one', async () => {
    const story = await createTaughtShop(claude, 'warnings: block\n')
    const other = { ...story, project: path.join(path.dirname(story.project), 'bakery') }
    cpSync(story.project, other.project, { recursive: true })
    // A project of its own, with the same code and the same failure.
    for (const folder of ['.git', '.claude']) rmSync(path.join(other.project, folder), { recursive: true })
    mkdirSync(path.join(other.project, '.git'))
    runMemctl(other, 'init')
    const { bash } = toolsOf(other.project)
    const turns = [step('', bash(TESTS, 'Run the tests')), step('', bash(INSTALL, 'Install')), 'They fail.']
    const session = await runWithPnpm(other, 'A morning in the bakery: do the tests run?', turns)
    expect(failuresIn(session)).toEqual([1])
    for (const text of ['pnpm', FIX, BLOCKED]) expect(findSightings(session.requests, text)).toEqual([])
    expect(notesIn(session)).toEqual([])
    await waitUntilOrganized(other)
  })
})

/** A shop in which one session had the rule from its person, and has overcome the failure. Its folder is clean. */
async function createTaughtShop(claude: string, config = ''): Promise<StoryProject> {
  const story = createShopProject(claude)
  appendFileSync(path.join(story.memory, 'config.yaml'), config)
  runMemctl(story, 'init')
  const { bash } = toolsOf(story.project)
  const turns = [
    step('', bash(TESTS, 'Run the tests')),
    step('dist/prices.json has to be built.', bash(FIX, 'Build it')),
    step('', bash(TESTS, 'Run the tests')),
    'The tests pass.',
  ]
  const first = await runWithPnpm(story, `Please get the tests to run. By the way, w${RULE}.`, turns)
  expect(failuresIn(first)).toEqual([1])
  await waitUntilOrganized(story)
  rmSync(path.join(story.project, 'dist'), { recursive: true })
  return story
}

/** One session on a machine that has pnpm. */
function runWithPnpm(
  story: StoryProject,
  prompt: string,
  turns: readonly Turn[],
  env: Readonly<Record<string, string>> = {},
): Promise<ClientResult> {
  const bin = path.join(path.dirname(story.memory), 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(path.join(bin, 'pnpm'), PNPM, { mode: 0o755 })
  return runSession(story, prompt, turns, { env: { PATH: `${bin}:${process.env['PATH']}`, ...env } })
}

/** The requests that brought the error of the tests to the model. */
const failuresIn = ({ requests }: ClientResult): readonly number[] => [
  ...new Set(
    findSightings(requests, ERROR)
      .filter(({ kind, route }) => kind === 'tool_result' && route === 'main')
      .map(({ request }) => request),
  ),
]

/** What the hooks of the session's start added to its first request. */
const startOf = ({ requests }: ClientResult): string =>
  findInjectedContexts(requests, 'SessionStart')
    .filter(({ request }) => request === 0)
    .map(({ text }) => text)
    .join('\n')

/** What hooks have shown beside calls and failures. */
const notesIn = ({ requests }: ClientResult) =>
  ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'].flatMap((event) =>
    findInjectedContexts(requests, event)
      .filter(({ route }) => route === 'main')
      .map(({ request, text }) => ({ request, text })),
  )
