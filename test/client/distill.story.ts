// The optional model through the real client: the worker of one session lets `claude -p` read it, the next session gets
// what was proposed. The model is scripted; the client that reads has its own scripted API.
import { appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { type Api, plainText, startApi, type Turn } from './scriptedApi.ts'
import { step, toolsOf } from './shop/session.ts'
import {
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

const ANSWER = JSON.stringify({
  summary: 'The tests pass once the prices are built.',
  statements: [
    {
      type: 'rule',
      scope: 'project',
      strength: 3,
      statement: 'Prices are stored in cents everywhere, never as floats.',
      short: 'Store prices in cents.',
      quote: 'Are prices in cents not safer',
      cites: [1],
    },
    {
      type: 'rule',
      scope: 'project',
      strength: 3,
      statement: 'Use tabs.',
      short: 'Use tabs.',
      quote: 'I like tabs very much',
      cites: [1],
    },
  ],
  learned: [{ kind: 'lesson', text: 'npm test fails in a fresh clone.', remedy: 'Build the prices.', cites: [2] }],
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

/** A shop in which the client that reads sessions talks to an API of its own. */
async function createDistillingShop(claude: string, turns: readonly Turn[]) {
  const story = createShopProject(claude)
  const api = await startApi({ turns: [], routes: [{ name: 'digest', firstSays: DIGEST, turns }], seed: 'distill' })
  apis.push(api)
  const command = path.join(story.memory, 'reader')
  writeFileSync(command, `#!/bin/sh\nANTHROPIC_BASE_URL=http://127.0.0.1:${api.port} exec '${claude}' "$@"\n`)
  chmodSync(command, 0o755)
  appendFileSync(path.join(story.memory, 'config.yaml'), `distill: { by: claude, command: '${command}' }\n`)
  runMemctl(story, 'init')
  return { story, api }
}

async function firstSession(story: StoryProject): Promise<void> {
  const { bash } = toolsOf(story.project)
  await runSession(story, PROMPT, [
    step('', bash('npm test', 'Run the tests')),
    step('dist/prices.json has to be built.', bash('npm run build:prices', 'Build it')),
    step('', bash('npm test', 'Run the tests')),
    'The tests pass.',
  ])
  await waitUntilOrganized(story)
}

async function waitForStatus(story: StoryProject, isDone: (status: Status) => boolean): Promise<Status> {
  for (const until = Date.now() + WAIT_MAX_MS; ; ) {
    const status: Status = JSON.parse(runMemctl(story, 'status', '--json')).distill
    const isBusy = existsSync(path.join(story.memory, 'distill.lock'))
    if (isDone(status) && !isBusy) return status
    if (Date.now() > until) throw new Error(`Nothing was read: ${JSON.stringify(status)}`)
    await new Promise((done) => setTimeout(done, 250))
  }
}

function logFile(story: StoryProject): string {
  const projects = path.join(story.memory, 'projects')
  const [project] = readdirSync(projects)
  return path.join(projects, project ?? '', 'events', '000001.jsonl')
}
