// memctl organize --distill: what would be sent, an imported answer, a model over HTTP, and what the status says of it.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { startModelService } from '../../distill/modelService.ts'
import { exampleSession, HOUR, runHookPayloads } from '../../testData.ts'
import { newWorld, type World } from '../testContext.ts'

const KEY = 'sk-test-0123456789'
const service = startModelService()
let world: World
let config: string

const ANSWER = {
  summary: 'Prices are in cents now.',
  entries: [
    {
      type: 'decision',
      scope: 'project',
      line: 'Prices are in cents.',
      quote: 'Are prices in cents not safer',
      cites: [1],
    },
  ],
}

beforeEach(async () => {
  world = newWorld({ MY_KEY: KEY })
  config = path.join(world.folder, 'home/config.yaml')
  const project = path.join(world.folder, 'project')
  const session = exampleSession('session-one', Date.now() - HOUR)
    .starts()
    .asks('Are prices in cents not safer than floats?')
    .answers('Prices are in cents.')
    .ends()
  runHookPayloads(openStore(project, { MEMCTL_HOME: path.join(world.folder, 'home') }), session.recorded, project)
  expect((await world.memctl('organize', '--all')).status).toBe(0)
})
afterEach(() => world.end())

const configure = (text: string) => fs.writeFileSync(config, `distill: ${text}\n`)

test('cli: distill --print-digest prints the request, --dry-run its size, and nothing is sent', async () => {
  const { out } = await world.memctl('organize', '--distill', '--print-digest')
  expect(out).toContain('You read the digest of a finished session')
  expect(out).toContain('[1] PERSON: Are prices in cents not safer than floats?\n[2] ASSISTANT: Prices are in cents.')
  const { sessions } = await world.json<{ sessions: { session: string; items: number; tokens: number }[] }>(
    'organize',
    '--distill',
    '--dry-run',
  )
  const [plan] = sessions
  expect(plan).toMatchObject({ session: 'session-one', items: 2 })
  expect(service.calls).toEqual([])
})

test('cli: distill --answer stores an answer once', async () => {
  const file = path.join(world.folder, 'answer.json')
  fs.writeFileSync(file, JSON.stringify(ANSWER))
  const { out } = await world.memctl('organize', '--distill', '--session', 'session-one', '--answer', file)
  expect(out).toContain('Prices are in cents now.')
  expect(out).toContain('decision: Prices are in cents. ("Are prices in cents not safer")')
  const again = await world.json<{ skipped: string[] }>(
    'organize',
    '--distill',
    '--session',
    'session-one',
    '--answer',
    file,
  )
  expect(again.skipped).toEqual(['session-one'])
})

test('cli: distill asks the configured model, and status says what it cost', async () => {
  configure(`{ by: openai, endpoint: '${service.base}/v1', keyEnv: MY_KEY, model: small }`)
  service.replies = [JSON.stringify(ANSWER)]
  const { distilled } = await world.json<{ distilled: object[] }>('organize', '--distill')
  expect(distilled).toMatchObject([{ session: 'session-one', model: 'gpt-test', stored: 1 }])
  expect(service.calls[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  const { out } = await world.memctl('status')
  expect(out).toMatch(/distill +openai small, today 1 of 20 calls, 850 of 300000 tokens/)
  expect(out).toContain('read 1 session for 850 tokens: 1 entry, 0 confirmed or changed')
  expect(out).toContain(': 1 stored, 0 dropped')
})

test('cli: without a model distill says what to configure, and status has no line about it', async () => {
  expect(await world.memctl('organize', '--distill')).toMatchObject({
    status: 2,
    err: expect.stringContaining('distill: claude'),
  })
  expect((await world.memctl('status')).out).not.toContain('distill')
})

test('cli: what goes wrong is one line with a hint, and stays in the status', async () => {
  configure(`{ by: anthropic, endpoint: '${service.base}', keyEnv: NO_KEY }`)
  const { status, err } = await world.memctl('organize', '--distill')
  expect(status).not.toBe(0)
  expect(err).toContain('there is no key for anthropic: NO_KEY is not set')
  expect((await world.memctl('status')).out).toContain('NO_KEY is not set')
})

test('cli: doctor reports a mistake in distill with its line', async () => {
  configure('gemini')
  expect((await world.memctl('doctor')).out).toMatch(/distill\.by is "gemini" in .*config\.yaml, line 1/)
})
