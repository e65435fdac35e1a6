// The optional model through the real client: the worker of one session lets `claude -p` read it, the next session gets
// what was proposed. The model is scripted; the client that reads has its own scripted API.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { REPOSITORY } from './binary.ts'
import { describeEachClient } from './eachClient.ts'
import { findInjectedContexts } from './findInRequests.ts'
import { environment } from './runClient.ts'
import { type Api, plainText, startApi, type Turn } from './scriptedApi.ts'
import { step, toolsOf } from './shop/session.ts'
import {
  buildPlugin,
  createShopProject,
  removeStoryProjects,
  runMemctl,
  runSession,
  type StoryProject,
  waitUntilOrganized,
} from './storyProject.ts'

const DIGEST = 'DIGEST OF THE SESSION'
const PROMPT = 'Please get npm test to run. Are prices in cents not safer than floats?'
const WAIT_MAX_MS = 60_000

const RULE = 'Prices are stored in cents everywhere, never as floats.'
const LESSON = 'Build the prices before npm test in a fresh clone.'
const ANSWER = JSON.stringify({
  summary: 'The tests pass once the prices are built.',
  entries: [
    {
      type: 'rule',
      scope: 'project',
      line: RULE,
      quote: 'Are prices in cents not safer',
      when: [{ at: 'start' }, { at: 'call', tool: 'Edit|Write', has: ['parseFloat'] }],
      cites: [1],
    },
    { type: 'rule', scope: 'project', line: 'Use tabs.', quote: 'I like tabs very much', cites: [1] },
    {
      type: 'lesson',
      line: LESSON,
      when: [{ at: 'call', tool: 'Bash', has: ['npm test'], unless: ['build:prices'] }],
      cites: [2],
    },
  ],
})

const apis: Api[] = []
afterEach(async () => {
  for (const api of apis.splice(0)) await api.close()
  await removeStoryProjects()
})

describeEachClient((claude) => {
  test('story: the client reads a finished session without tools and hooks, and what holds is stored', async () => {
    const { story, api } = await createDistillingShop(claude, [ANSWER])
    await firstSession(story)
    const status = await waitForStatus(story, ({ lastRun }) => lastRun !== null)

    expect(status).toMatchObject({ by: 'claude', error: null, today: { calls: 1 }, lastRun: { stored: 2, dropped: 1 } })
    const [request, ...more] = api.requests.filter(({ route }) => route === 'digest')
    expect(more).toEqual([])
    expect(request?.body.tools ?? []).toEqual([])
    expect(plainText(request?.body.system)).toContain('You read the digest of a finished session')
    expect(plainText(request?.body.messages[0]?.content)).toContain('[1] PERSON: Please get npm test to run.')
    // No hook of that client has recorded anything: the log has one session, which has ended once.
    const log = readFileSync(logFile(story), 'utf8')
    expect(log.match(/"kind":"session\.started"/g)).toHaveLength(1)
    expect(log).not.toContain('You read the digest')
    const found = JSON.parse(runMemctl(story, 'search', 'prices cents', '--json')).memories[0].memory
    expect(found.content).toContain('Prices are stored in cents everywhere')
    expect(found.tags).toContain('model')
    // A rebuild gives the same memories and asks nobody.
    runMemctl(story, 'rebuild')
    expect(JSON.parse(runMemctl(story, 'search', 'prices cents', '--json')).memories[0].memory.id).toBe(found.id)
    expect(api.requests.filter(({ route }) => route === 'digest')).toHaveLength(1)
  })

  test('story: the next session has the rule of the answer at its start, and the lesson at its failure', async () => {
    const { story } = await createDistillingShop(claude, [ANSWER])
    // No lesson at the start: only its occasion shows it.
    appendFileSync(path.join(story.memory, 'all.yaml'), 'knowledge: { startTokens: 0 }\n')
    await firstSession(story)
    await waitForStatus(story, ({ lastRun }) => lastRun !== null)
    await waitUntilOrganized(story)
    rmSync(path.join(story.project, 'dist'), { recursive: true })
    const { bash, write } = toolsOf(story.project)
    const { requests } = await runSession(story, 'A new morning in the shop.', [
      step('', bash('npm run build:prices && npm test && rm -r dist', 'All')),
      step('', bash('npm test', 'Run the tests')),
      step('', bash('npm test', 'Again')),
      step('', write('src/parse.js', 'exports.parse = (text) => parseFloat(text)\n')),
      'Done.',
    ])
    const start = findInjectedContexts(requests, 'SessionStart').map(({ text }) => text)
    expect(start.join('\n')).toContain(`The person wants, as understood:\n- ${RULE}`)
    expect(start.join('\n')).not.toContain(LESSON)
    // Not at the call that builds them; once at the first that does not.
    const notes = findInjectedContexts(requests, 'PostToolUseFailure')
    expect(notes).toEqual([expect.objectContaining({ request: 2, text: expect.stringContaining(`- ${LESSON}`) })])
    await waitUntilOrganized(story)
  })

  test('story: the setting of the plugin lets the client read sessions, with nothing in config.yaml', async () => {
    const story = createShopProject(claude)
    const { bin } = await createReader(story, [ANSWER])
    installPlugin(story, '--config', 'read_sessions=true')
    await firstSession(story, { PATH: `${bin}:${process.env['PATH']}` })
    const status = await waitForStatus(story, ({ lastRun }) => lastRun !== null)
    expect(status).toMatchObject({ by: 'claude', error: null, lastRun: { stored: 2, dropped: 1 } })
    expect(readFileSync(path.join(story.memory, 'config.yaml'), 'utf8')).not.toContain('distill')
  })

  test('story: an answer that is no JSON stores nothing, and the status says why', async () => {
    const { story } = await createDistillingShop(claude, ['I would rather not.'])
    await firstSession(story)
    const status = await waitForStatus(story, ({ error }) => error !== null)
    expect(status.error?.what).toBe('the answer has no JSON object')
    expect(status.lastRun).toBe(null)
    expect(readFileSync(logFile(story), 'utf8')).not.toContain('session.distilled')
  })
})

interface Status {
  readonly today: { readonly calls: number }
  readonly lastRun: object | null
  readonly error: { readonly what: string } | null
}

/** A shop in which the client that reads sessions is configured, and talks to an API of its own. */
async function createDistillingShop(claude: string, turns: readonly Turn[]) {
  const story = createShopProject(claude)
  const { api, bin } = await createReader(story, turns)
  const command = path.join(bin, 'claude')
  appendFileSync(path.join(story.memory, 'config.yaml'), `distill: { by: claude, command: '${command}' }\n`)
  runMemctl(story, 'init')
  return { story, api }
}

/** A folder with a `claude` that talks to an API of its own. */
async function createReader({ claude, memory }: StoryProject, turns: readonly Turn[]) {
  const api = await startApi({ turns: [], routes: [{ name: 'digest', firstSays: DIGEST, turns }], seed: 'distill' })
  apis.push(api)
  const bin = path.join(path.dirname(memory), 'bin')
  mkdirSync(bin)
  const script = `#!/bin/sh\nANTHROPIC_BASE_URL=http://127.0.0.1:${api.port} exec '${claude}' "$@"\n`
  writeFileSync(path.join(bin, 'claude'), script, { mode: 0o755 })
  return { api, bin }
}

/** Installs the plugin from a marketplace, as a person would. */
function installPlugin({ claude, project, home, memory }: StoryProject, ...options: readonly string[]): void {
  const market = path.join(path.dirname(memory), 'market')
  cpSync(buildPlugin(), path.join(market, 'plugin'), { recursive: true })
  cpSync(path.join(REPOSITORY, '.claude-plugin'), path.join(market, '.claude-plugin'), { recursive: true })
  mkdirSync(home, { recursive: true })
  const run = (...words: readonly string[]): void =>
    void execFileSync(claude, ['plugin', ...words], { cwd: project, env: environment(home, 9), stdio: 'pipe' })
  run('validate', '--strict', path.join(market, 'plugin'))
  run('marketplace', 'add', market)
  run('install', 'memctl@memctl', ...options)
}

async function firstSession(story: StoryProject, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { bash } = toolsOf(story.project)
  const turns = [
    step('', bash('npm test', 'Run the tests')),
    step('dist/prices.json has to be built.', bash('npm run build:prices', 'Build it')),
    step('', bash('npm test', 'Run the tests')),
    'The tests pass.',
  ]
  await runSession(story, PROMPT, turns, { env })
  await waitUntilOrganized(story)
}

async function waitForStatus(story: StoryProject, isDone: (status: Status) => boolean): Promise<Status> {
  for (const until = Date.now() + WAIT_MAX_MS; ; ) {
    const status: Status | undefined = JSON.parse(runMemctl(story, 'status', '--json')).distill
    const isBusy = existsSync(path.join(story.memory, 'distill.lock'))
    if (status && isDone(status) && !isBusy) return status
    if (Date.now() > until) throw new Error(`Nothing was read: ${JSON.stringify(status)}`)
    await new Promise((done) => setTimeout(done, 250))
  }
}

function logFile(story: StoryProject): string {
  const projects = path.join(story.memory, 'projects')
  const [project] = readdirSync(projects)
  return path.join(projects, project ?? '', 'events', '000001.jsonl')
}
