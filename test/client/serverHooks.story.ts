// Hooks that the MCP server runs (`memctl init --hooks server`), through the real client: the rule of one session
// comes in the next one; a call is blocked; nothing is lost when the server is killed; nothing is alive afterwards.
// Needs a built memctl and a client; without a client the stories are skipped, visibly.
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { HOOK_TOOL } from '../../src/model/hookEvents.ts'
import { describeEachClient } from './eachClient.ts'
import { findInjectedContexts, findSightings } from './findInRequests.ts'
import { step, toolsOf } from './shop/session.ts'
import {
  createShopProject,
  removeStoryProjects,
  runMemctl,
  runSession,
  type StoryProject,
  waitForProcesses,
  waitUntilOrganized,
} from './storyProject.ts'

const RULE = 'From now on, always print the receipts in green.'
const WRONG = 'npm run build-prices'
const FIX = 'npm run build:prices'

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: the server does what scripts would, its tool is hidden, and it ends with the session', async () => {
    const story = createServerProject(claude)
    const { bash } = toolsOf(story.project)
    const builds = step('', bash(WRONG, 'Build the prices'))
    const first = await runSession(story, `${RULE} Please build the prices.`, [
      builds,
      step('The script has another name.', bash(FIX, 'Build the prices')),
      'They are built.',
    ])
    // The model learns nothing of the tool, or of hooks that have run.
    const conversation = JSON.stringify(first.requests.map(({ body }) => body))
    expect(conversation).not.toContain(HOOK_TOOL)
    expect(conversation).not.toContain('hook success')
    await waitUntilOrganized(story)
    expect(await waitForProcesses(story)).toEqual([])
    const recorded = countEvents(story)
    expect(recorded).toMatchObject({ prompt: 1, 'call.started': 2, 'call.failed': 1, 'call.succeeded': 1, answer: 1 })

    const second = await runSession(story, 'Are the prices built?', [
      builds,
      step('', bash(FIX, 'Build the prices')),
      'They are.',
    ])
    const start = findInjectedContexts(second.requests, 'SessionStart').map(({ text }) => text)
    expect(start.join('\n')).toContain('receipts in green')
    // What blocks a call is an answer of the server.
    const blocked = findSightings(second.requests, 'memctl blocked this call once')
    expect(blocked).toMatchObject([{ kind: 'tool_result', request: 1 }])
    await waitUntilOrganized(story)
    expect(await waitForProcesses(story)).toEqual([])
  })

  test('story: what happened while the server was dead is in the log at the end, once', async () => {
    const story = createServerProject(claude)
    const { bash } = toolsOf(story.project)
    const turns = [
      step('', bash('echo before', 'Before')),
      step('', bash(`node ${writeKiller(story)}`, 'Kill the server')),
      step('', bash('echo after', 'After')),
      step('', bash('exit 3', 'Fail')),
      'Understood.',
      'Understood, too.',
    ]
    await runSession(story, [RULE, 'From now on, never use tabs.'], turns)
    await waitUntilOrganized(story)
    const recorded = countEvents(story)
    const all = { prompt: 2, 'call.started': 4, 'call.succeeded': 3, 'call.failed': 1, answer: 2 }
    expect(recorded).toMatchObject(all)
    const next = await runSession(story, 'Go on.', ['Done.'])
    const start = findInjectedContexts(next.requests, 'SessionStart').map(({ text }) => text)
    expect(start.join('\n')).toContain('use tabs')
    await waitUntilOrganized(story)
    expect(await waitForProcesses(story)).toEqual([])
  })
})

function createServerProject(claude: string): StoryProject {
  const story = createShopProject(claude)
  appendFileSync(path.join(story.memory, 'config.yaml'), 'warnings: block\n')
  runMemctl(story, 'init', '--hooks', 'server')
  // In print mode nobody can be asked whether the project's server may be used; given as an argument it may.
  return { ...story, args: ['--mcp-config', path.join(story.project, '.mcp.json')] }
}

/** A program that kills the server of this story, and no other process: the one with exactly this script. */
function writeKiller({ project, memory }: StoryProject): string {
  const file = path.join(project, 'kill-server.mjs')
  const [version] = readdirSync(path.join(memory, 'runtime'))
  const script = path.join(memory, 'runtime', version ?? '', 'mcp.mjs')
  writeFileSync(
    file,
    `import { readdirSync, readFileSync } from 'node:fs'
    const pids = readdirSync('/proc').filter((name) => /^\\d+$/.test(name))
    const isServer = (pid) => {
      try {
        return readFileSync('/proc/' + pid + '/cmdline', 'utf8').split('\\0')[1] === ${JSON.stringify(script)}
      } catch {
        return false
      }
    }
    const servers = pids.filter(isServer)
    for (const pid of servers) process.kill(Number(pid), 'SIGKILL')
    console.log(servers.length === 1 ? 'killed' : 'not found')`,
  )
  return file
}

/** How many different events of each kind the log has. */
function countEvents({ memory }: StoryProject): Record<string, number> {
  const projects = path.join(memory, 'projects')
  const [project = ''] = readdirSync(projects)
  const lines = readFileSync(path.join(projects, project, 'events/000001.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
  const events = lines.map((line) => JSON.parse(line) as { readonly kind?: string })
  return Object.fromEntries(
    [...new Set(events.map(({ kind }) => kind ?? ''))].map((kind) => [
      kind,
      events.filter((event) => event.kind === kind).length,
    ]),
  )
}
