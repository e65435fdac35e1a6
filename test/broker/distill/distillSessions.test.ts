// The optional model in a store: what it proposes becomes memories once, within the budget, and never instead of what a
// person said. Whatever fails, the store stays as it was and the status says why.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Environment } from '../../../src/broker/distill/askModel.ts'
import { readDistillConfig } from '../../../src/broker/distill/distillConfig.ts'
import { type DistillReport, distillSessions } from '../../../src/broker/distill/distillSessions.ts'
import { type DistillStatus, readDistillStatus } from '../../../src/broker/distill/distillStatus.ts'
import { listDueSessions } from '../../../src/broker/distill/dueSessions.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import type { SessionId } from '../../../src/model/id.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { acquireLock } from '../../../src/store/disk/lock.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { startModelService } from '../../distill/modelService.ts'
import { createTestProject } from '../../tempFolders.ts'
import { type ExampleSession, exampleSession, HOUR, loadMemories, runHookPayloads } from '../../testData.ts'

const service = startModelService()
const ENV = { ANTHROPIC_API_KEY: 'sk-test' }
// No rule keeps the question, so the proposals are the only statements.
const PROMPT = 'Get the tests to run. Are prices in cents not safer than floats?'

const STATEMENT = {
  type: 'rule',
  scope: 'project',
  strength: 3,
  statement: 'Prices are kept in cents, never as floats.',
  short: 'Keep prices in cents.',
  quote: 'Are prices in cents not safer',
  cites: [1],
}
const ANSWER = {
  summary: 'The tests pass once the prices are built.',
  statements: [STATEMENT],
  decided: [{ text: 'The build runs before the tests.', reason: 'they read its output', cites: [3] }],
  learned: [
    { kind: 'lesson', text: 'npm test needs dist/prices.json.', remedy: 'Run npm run build:prices.', cites: [2, 3] },
    { kind: 'fact', text: 'dist/ is not in git.', cites: [2] },
  ],
  leftOpen: [{ text: 'Add the build to the docs.', cites: [5] }],
}

/** A store with a configured model, and one organized session. */
function createStore(distill = `{ by: anthropic, endpoint: '${service.base}' }`, prompt = PROMPT) {
  const { project, home } = createTestProject('distill')
  fs.mkdirSync(home)
  fs.writeFileSync(path.join(home, 'config.yaml'), `distill: ${distill}\n`)
  const store = openStore(project, { MEMCTL_HOME: home })
  const session = exampleSession()
    .starts()
    .asks(prompt)
    .fails('npm test', "Exit code 1\nError: Cannot find module '../dist/prices.json'")
    .runs('npm run build:prices')
    .runs('npm test')
    .answers('The tests pass.')
  addSession(store, session.ends(), project)
  return { store, session, now: () => session.now() + HOUR, home }
}

function addSession(store: Store, session: ExampleSession, project: string): void {
  runHookPayloads(store, session.recorded, project)
  runMaintenance(store, { now: session.now() })
}

type World = ReturnType<typeof createStore>

function distill({ store, now }: Pick<World, 'store' | 'now'>, env: Environment = ENV): Promise<DistillReport> {
  return distillSessions(store, listDueSessions(store, now()), { config: readDistillConfig(store)!, env, now })
}

const statusOf = ({ store, now }: World, env: Environment = ENV): DistillStatus =>
  readDistillStatus(store, { ...env }, now())!
const proposedIn = (store: Store): Memory[] =>
  Object.values(loadMemories(store)).filter((memory) => memory.tags.includes('model'))
const kindsInLog = (store: Store) => readLog(store.files, store.layout.events).events.map(({ kind }) => kind)

test('distill: proposals become memories with the words of the person, their events and lower trust', async () => {
  const world = createStore()
  service.replies = [JSON.stringify(ANSWER)]
  expect(await distill(world)).toMatchObject({ distilled: [{ stored: 4, dropped: [] }] })

  const proposed = proposedIn(world.store)
  expect(proposed.every(({ trust, session }) => trust === 'tools' && session === 'session-one')).toBe(true)
  const content = '"Are prices in cents not safer"'
  expect(proposed.find(({ kind }) => kind === 'preference')).toMatchObject({
    content: `Prices are kept in cents, never as floats. (${content})`,
    statement: { type: 'rule', scope: 'project', strength: 3, origin: 'model', short: 'Keep prices in cents.' },
    branch: 'main',
    events: [expect.any(String)],
  })
  expect(proposed.find(({ kind }) => kind === 'decision')).toMatchObject({
    statement: { origin: 'assistant', reason: 'they read its output', strength: 1 },
  })
  expect(proposed.find(({ kind }) => kind === 'lesson')).toMatchObject({
    lessons: ['Run npm run build:prices.'],
    commandShape: 'npm test',
  })
  expect(proposed.find(({ kind }) => kind === 'fact')).toMatchObject({ fact: { state: 'proposed', triggers: [] } })
  const summary = Object.values(loadMemories(world.store)).find(({ kind }) => kind === 'summary')
  expect(summary?.content.split('\n')[0]).toBe('The tests pass once the prices are built.')
  expect(summary?.leftOpen?.[0]).toBe('Add the build to the docs.')
  expect(statusOf(world)).toMatchObject({ today: { calls: 1, tokens: 1_000 }, error: null, lastRun: { stored: 4 } })
})

test('distill: a session is read once, and a rebuild gives the same memories without a call', async () => {
  const world = createStore()
  service.replies = [JSON.stringify(ANSWER)]
  await distill(world)
  const before = loadMemories(world.store)
  expect(listDueSessions(world.store, world.now())).toEqual([])
  const again = { config: readDistillConfig(world.store)!, env: ENV, now: world.now }
  expect(await distillSessions(world.store, ['session-one' as SessionId], again)).toEqual({ distilled: [] })
  rebuildStore(world.store, world.now())
  expect(loadMemories(world.store)).toEqual(before)
  expect(service.calls).toHaveLength(1)
})

test('distill: of a session that went on only the new part is read', async () => {
  const world = createStore()
  service.replies = [JSON.stringify(ANSWER), JSON.stringify({ summary: 'The docs name the build.' })]
  await distill(world)
  const later = exampleSession('session-one', world.now()).asks('Thanks.').asks('Write it into the docs.')
  runHookPayloads(world.store, later.ends().recorded)
  runMaintenance(world.store, { now: later.now() })
  await distill({ store: world.store, now: () => later.now() })
  const request = JSON.stringify(service.calls[1]?.body)
  expect(request).toContain('[2] PERSON: Write it into the docs.')
  expect(request).not.toContain('than floats')
})

test('distill: a crash between the answer and the log costs one more call, and nothing is stored twice', async () => {
  const world = createStore()
  service.replies = [JSON.stringify(ANSWER), JSON.stringify(ANSWER)]
  const append = realDisk.append
  const broken: Store = {
    ...world.store,
    files: {
      ...realDisk,
      append: (file, bytes, sync) => {
        if (bytes.includes('session.distilled')) throw new Error('killed')
        append(file, bytes, sync)
      },
    },
  }
  await expect(distill({ ...world, store: broken })).rejects.toThrow('killed')
  expect(kindsInLog(world.store)).not.toContain('memory.batch')
  await distill(world)
  expect(kindsInLog(world.store).filter((kind) => kind === 'session.distilled')).toHaveLength(1)
  expect(statusOf(world).today.calls).toBe(2)
})

test('distill: while the model thinks, no lock of the store is held, and a second process does not ask', async () => {
  const world = createStore()
  service.replies = [null]
  const config = { ...readDistillConfig(world.store)!, timeoutSeconds: 1 }
  const options = { config, env: ENV, now: world.now }
  const asking = distillSessions(world.store, ['session-one' as SessionId], options)
  await expect.poll(() => service.calls.length).toBe(1)
  const lock = acquireLock(world.store.files, world.store.layout.lock)
  expect(lock).toBeDefined()
  lock?.release()
  const second = await distillSessions(world.store, ['session-one' as SessionId], options)
  expect(second.error).toMatchObject({ code: 'STORE_BUSY' })
  await asking
  expect(fs.existsSync(path.join(world.home, 'distill.lock'))).toBe(false)
})

test('distill: what the person said in these words already is not stored again', async () => {
  const world = createStore(undefined, 'Always keep all prices in cents.')
  const own = Object.values(loadMemories(world.store)).filter(({ kind }) => kind === 'preference')
  service.replies = [JSON.stringify({ statements: [{ ...STATEMENT, quote: 'Always keep all prices in cents' }] })]
  const { distilled } = await distill(world)
  expect(own).toHaveLength(1)
  expect(distilled[0]?.stored).toBe(0)
  const after = loadMemories(world.store)
  for (const memory of own) expect(after[memory.id]).toEqual(memory)
})

test('distill: what the person says later supersedes what a model proposed', async () => {
  const world = createStore()
  const proposal = { ...STATEMENT, statement: 'Use npm for packages.', short: 'Use npm for packages.' }
  service.replies = [JSON.stringify({ statements: [proposal] })]
  await distill(world)
  const later = exampleSession('session-two', world.now()).asks('Always use pnpm for packages.').answers('Yes.')
  runHookPayloads(world.store, later.ends().recorded)
  runMaintenance(world.store, { now: later.now() })
  const [memory] = proposedIn(world.store)
  expect(memory?.statement?.supersededBy).toEqual(expect.any(String))
})

test('distill: a Japanese session is read, and a secret of the answer is not stored', async () => {
  const world = createStore(undefined, '価格は必ずセントで保存してください。小数は使わないで。')
  const japanese = { ...STATEMENT, statement: '価格はセントで保存する。', quote: '価格は必ずセントで保存してください' }
  const secret = { text: `The token is ghp_${'a1B2'.repeat(9)}.`, cites: [1] }
  service.replies = [JSON.stringify({ statements: [japanese], leftOpen: [secret] })]
  expect((await distill(world)).distilled[0]).toMatchObject({ dropped: [] })
  // As the person's own words, or as a proposal if those were not recognized.
  const contents = Object.values(loadMemories(world.store)).flatMap(({ kind, content }) =>
    kind === 'preference' ? [content] : [],
  )
  expect(contents).not.toEqual([])
  for (const content of contents) expect(content).toContain('価格は')
  expect(JSON.stringify(readLog(world.store.files, world.store.layout.events).events)).not.toContain('a1B2')
})

test.each([
  ['no JSON', 'I would rather not.', 'the answer has no JSON object'],
  ['a broken schema', '{"statements":[{}]}', 'statements[0].type is none of'],
])('distill: an answer with %s stores nothing, is requested once more, and then no longer', async (_, text, what) => {
  const world = createStore()
  service.replies = [text, text]
  for (let i = 0; i < 3; i++) await distill(world)
  expect(service.calls).toHaveLength(2)
  expect(kindsInLog(world.store)).not.toContain('session.distilled')
  expect(statusOf(world).error?.what).toContain(what)
})

test('distill: uncited proposals are dropped and counted', async () => {
  const world = createStore()
  const uncited = { ...STATEMENT, cites: [99] }
  service.replies = [JSON.stringify({ statements: [uncited], leftOpen: [{ text: 'Nothing.', cites: [] }] })]
  expect((await distill(world)).distilled[0]).toMatchObject({ stored: 0, leftOpen: [] })
  expect(statusOf(world).lastRun).toMatchObject({ stored: 0, dropped: 2 })
})

test('distill: without a key nothing is sent, and the status names the variable', async () => {
  const world = createStore('anthropic')
  expect((await distill(world, {})).error).toMatchObject({ code: 'MODEL_UNAVAILABLE' })
  expect(service.calls).toEqual([])
  expect(statusOf(world, {}).error?.what).toBe('there is no key for anthropic: ANTHROPIC_API_KEY is not set')
})

test.each([
  ['perDay: 1', /today's 1 calls are used up/],
  ['tokensPerDay: 2500', /today's 2500 tokens are used up/],
])('distill: a budget of %s ends the calls of the day, and the next day goes on', async (budget, what) => {
  const world = createStore(`{ by: anthropic, endpoint: '${service.base}', ${budget} }`)
  service.replies = ['{}']
  await distill(world)
  const second = exampleSession('session-two', world.now()).asks('Go on, please.').answers('Done.')
  runHookPayloads(world.store, second.ends().recorded)
  runMaintenance(world.store, { now: second.now() })
  const later = { ...world, now: () => second.now() }
  expect((await distill(later)).error?.message).toMatch(what)
  expect(statusOf(later).error?.what).toMatch(what)
  expect(service.calls).toHaveLength(1)
  const tomorrow = { ...world, now: () => second.now() + 20 * HOUR }
  expect((await distill(tomorrow)).distilled).toHaveLength(1)
})

test('distill: without a network or a client the session stays due, and the status says why', async () => {
  const world = createStore("{ by: anthropic, endpoint: 'http://127.0.0.1:1' }")
  expect((await distill(world)).error?.message).toContain('no connection')
  expect(listDueSessions(world.store, world.now())).toEqual(['session-one'])
  const claude = createStore("{ by: claude, command: '/no/such/claude' }")
  await distill(claude)
  expect(statusOf(claude).error?.what).toBe('/no/such/claude is not installed')
})

test('distill: a session of an earlier day is not due', () => {
  const { store, session } = createStore()
  expect(listDueSessions(store, session.now() + 25 * HOUR)).toEqual([])
})
