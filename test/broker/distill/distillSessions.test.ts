// The optional model in a store: what it proposes becomes memories once, within the budget, and never instead of what a
// person said. Whatever fails, the store stays as it was and the status says why.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commitAnswer } from '../../../src/broker/distill/answerChanges.ts'
import { readDistillConfig } from '../../../src/broker/distill/distillConfig.ts'
import { type DistillStatus, distillSessions, readDistillStatus } from '../../../src/broker/distill/distillSessions.ts'
import { listDueSessions } from '../../../src/broker/distill/distillUsage.ts'
import { prepareSession } from '../../../src/broker/distill/prepareSession.ts'
import { eraseEverywhere } from '../../../src/broker/forget/eraseEverywhere.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { parseModelAnswer } from '../../../src/distill/modelAnswer.ts'
import type { SessionId } from '../../../src/model/id.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { acquireLock } from '../../../src/store/disk/lock.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { startModelService } from '../../distill/modelService.ts'
import { createTestProject } from '../../tempFolders.ts'
import {
  BEGIN,
  DAY,
  type ExampleSession,
  exampleSession,
  HOUR,
  loadMemories,
  ROOT,
  runHookPayloads,
  sessionId,
} from '../../testData.ts'

const service = startModelService()
const ENV: Record<string, string> = { ANTHROPIC_API_KEY: 'sk-test' }
// No rule keeps the question, so the proposals are the only statements.
const PROMPT = 'Get the tests to run. Are prices in cents not safer than floats?'

const STATEMENT = {
  type: 'rule',
  scope: 'project',
  line: 'Prices are kept in cents, never as floats.',
  quote: 'Are prices in cents not safer',
  when: [{ at: 'call', tool: 'Edit', has: ['parseFloat', 'price*'] }],
  again: 3,
  cites: [1],
}
const LESSON = {
  type: 'lesson',
  line: 'Run `npm run build:prices` before `npm test`: it needs dist/prices.json.',
  when: [{ at: 'call', tool: 'Bash', has: ['npm test'], unless: ['build:prices'] }],
  again: 2,
  cites: [2, 3],
}
const ANSWER = {
  summary: 'The tests pass once the prices are built.',
  entries: [STATEMENT, LESSON, { type: 'fact', line: 'dist/ is not in git.', cites: [2] }],
  open: ['Add the build to the docs.'],
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

test('distill: a later session closes what an earlier one left open, if the model says so', async () => {
  const world = createStore()
  service.replies = [JSON.stringify(ANSWER)]
  await distill(world)
  const openTasks = () => {
    const memories = Object.values(loadMemories(world.store))
    const named = memories.flatMap(({ content }) => [...content.matchAll(/^Open: (.*)$/gm)].map(([, task]) => task))
    // The text names the same ones.
    expect(named).toEqual(memories.flatMap(({ leftOpen = [] }) => leftOpen))
    return named
  }
  expect(openTasks()).toEqual(['Add the build to the docs.'])
  const later = exampleSession('later', world.now() + HOUR)
    .starts()
    .asks('Describe the build of the prices in the docs')
  addSession(world.store, later.edits('docs/build.md').answers('It is described.').ends(), world.store.project.root)
  const after = { ...world, now: () => later.now() + HOUR }
  service.replies = [JSON.stringify({ summary: 'The build is described.', entries: [], closed: ['o00000'] })]
  await distill(after)
  const key = /(o[0-9a-f]{5}): Add the build to the docs\./.exec(JSON.stringify(service.calls.at(-1)?.body))?.[1] ?? ''
  expect(key).not.toBe('')
  // A key that the request did not show closes nothing.
  expect(openTasks()).toEqual(['Add the build to the docs.'])
  const last = exampleSession('last', later.now() + 2 * HOUR)
    .starts()
    .asks('Is the build described in the docs now?')
  addSession(world.store, last.answers('Yes.').ends(), world.store.project.root)
  service.replies = [JSON.stringify({ summary: 'The docs were checked.', entries: [], closed: [key.toUpperCase()] })]
  await distill({ ...world, now: () => last.now() + HOUR })
  expect(openTasks()).toEqual([])
  rebuildStore(world.store, last.now() + HOUR)
  expect(openTasks()).toEqual([])
})

test('distill: what the model names as open takes the place of what patterns found, except for failing checks', async () => {
  const world = createStore()
  const asking = exampleSession('asking', BEGIN + HOUR)
    .starts()
    .asks('Round the totals of the invoice')
    .edits('src/invoice.ts')
    .fails('npm run lint', 'Exit code 1\nsrc/invoice.ts: 3:1 error Unexpected var no-var')
    .answers('The totals are rounded now. Which of the two tables of the invoice should have them as well?')
  addSession(world.store, asking.ends(), world.store.project.root)
  const open = () =>
    Object.values(loadMemories(world.store)).find(
      ({ kind, session }) => kind === 'summary' && session === sessionId('asking'),
    )?.leftOpen
  expect(open()).toEqual(['lint fails', expect.stringContaining('Which of the two tables')])
  service.replies = [JSON.stringify({ summary: 'Totals are rounded.', entries: [], open: [] }), JSON.stringify(ANSWER)]
  await distill(world)
  expect(open()).toEqual(['lint fails'])
})

function distill({ store, now }: Pick<World, 'store' | 'now'>, env = ENV) {
  return distillSessions(store, listDueSessions(store, now()), { config: readDistillConfig(store)!, env, now })
}

const statusOf = ({ store, now }: World, env = ENV): DistillStatus => readDistillStatus(store, { ...env }, now())!
const proposedIn = (store: Store): Memory[] =>
  Object.values(loadMemories(store)).filter((memory) => memory.tags.includes('model'))
const kindsInLog = (store: Store) => readLog(store.files, store.layout.events).events.map(({ kind }) => kind)

test('distill: entries become memories with the quote of the person, events, a record and lower trust', async () => {
  const world = createStore()
  service.replies = [JSON.stringify(ANSWER)]
  expect(await distill(world)).toMatchObject({ distilled: [{ stored: 3, dropped: [] }] })

  const proposed = proposedIn(world.store)
  expect(proposed.every(({ trust, session }) => trust === 'tools' && session === 'session-one')).toBe(true)
  expect(proposed.find(({ kind }) => kind === 'preference')).toMatchObject({
    content: 'Prices are kept in cents, never as floats. ("Are prices in cents not safer")',
    knowledge: {
      type: 'rule',
      scope: 'project',
      author: 'model',
      state: 'standing',
      expected: 1,
      when: STATEMENT.when,
    },
    events: [expect.any(String)],
  })
  expect(proposed.find(({ kind }) => kind === 'lesson')).toMatchObject({
    content: LESSON.line,
    commandShape: 'npm test',
    knowledge: { type: 'lesson', state: 'proposed', when: LESSON.when, record: { fired: 2, failed: 1, met: 1 } },
  })
  expect(proposed.find(({ kind }) => kind === 'fact')).toMatchObject({ knowledge: { when: [] } })
  const summary = Object.values(loadMemories(world.store)).find(({ kind }) => kind === 'summary')
  expect(summary?.content.split('\n')[0]).toBe('The tests pass once the prices are built.')
  expect(summary?.leftOpen?.[0]).toBe('Add the build to the docs.')
  expect(statusOf(world)).toMatchObject({
    today: { calls: 1, tokens: 1_000 },
    total: { sessions: 1, tokens: 1_000, stored: 3, changed: 0 },
    error: null,
    lastRun: { stored: 3 },
  })
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

test('distill: after the person has said no nothing more is sent, and no answer is stored', async () => {
  const world = createStore()
  const second = exampleSession('session-two', world.now()).starts().asks(PROMPT).runs('npm test').answers('Done.')
  addSession(world.store, second.ends(), world.store.project.root)
  const config = readDistillConfig(world.store)!
  service.replies = [JSON.stringify(ANSWER)]
  const reading = distillSessions(world.store, ['session-one', 'session-two'].map(sessionId), {
    config,
    env: ENV,
    now: world.now,
  })
  fs.writeFileSync(path.join(world.home, 'config.yaml'), 'distill: false\n')
  expect(await reading).toMatchObject({ distilled: [] })
  expect(service.calls).toHaveLength(1)
  expect(kindsInLog(world.store)).not.toContain('session.distilled')
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

test.each([
  ['a text', { text: 'Are prices in cents not safer' }],
  ['its session', { session: sessionId('session-one') }],
])(
  'distill: %s that is forgotten while the model reads it does not come back, and the rest is read again',
  (_, what) => {
    const { store, now } = createStore()
    const prepared = prepareSession(store, sessionId('session-one'), 5_000)!
    eraseEverywhere(store, what, { now: now() })
    const before = readLog(store.files, store.layout.events).events
    const answer = parseModelAnswer(JSON.stringify(ANSWER))
    const origin = { answer, by: 'anthropic', model: 'test', tokens: { input: 1, output: 1 }, now: now() }
    expect(commitAnswer(store, prepared, origin)).toBeUndefined()
    expect(readLog(store.files, store.layout.events).events).toEqual(before)
    expect(listDueSessions(store, now())).toEqual('text' in what ? ['session-one'] : [])
  },
)

test('distill: a Japanese session is read, and a secret of the answer is not stored', async () => {
  const world = createStore(undefined, '価格は必ずセントで保存してください。')
  const japanese = { ...STATEMENT, line: '価格はセントで保存する。', quote: '価格は必ずセントで保存してください' }
  const secret = `The token is ghp_${'a1B2'.repeat(9)}.`
  service.replies = [JSON.stringify({ entries: [japanese, { ...LESSON, line: secret }], open: [secret] })]
  // The same words were typed and found already: nothing is dropped, and nothing is stored twice.
  expect((await distill(world)).distilled[0]).toMatchObject({ dropped: [] })
  const contents = Object.values(loadMemories(world.store)).flatMap(({ kind, content }) =>
    kind === 'preference' ? [content] : [],
  )
  expect(contents).toEqual([expect.stringContaining('価格は')])
  expect(JSON.stringify(readLog(world.store.files, world.store.layout.events).events)).not.toContain('a1B2')
})

test.each([
  ['no JSON', 'I would rather not.', 'the answer has no JSON object'],
  ['another object', '{"error":"overloaded"}', 'the answer has none of summary'],
])('distill: an answer with %s stores nothing, is requested once more, and then no longer', async (_, text, what) => {
  const world = createStore()
  service.replies = [text, text]
  for (let i = 0; i < 3; i++) await distill(world)
  expect(service.calls).toHaveLength(2)
  expect(kindsInLog(world.store)).not.toContain('session.distilled')
  expect(statusOf(world).error?.what).toContain(what)
})

test('distill: entries without support are dropped and counted', async () => {
  const world = createStore()
  const entries = [
    { ...STATEMENT, quote: 'never said' },
    { ...LESSON, cites: [99] },
  ]
  service.replies = [JSON.stringify({ entries })]
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

test('distill: a session that was skipped is read within two weeks, the newest first', () => {
  const world = createStore()
  const later = exampleSession('session-two', world.now()).asks('Go on.').answers('Done.')
  addSession(world.store, later.ends(), ROOT)
  const silent = exampleSession('session-three', later.now() + HOUR)
    .starts()
    .runs('npm test')
  addSession(world.store, silent.ends(), ROOT)
  expect(listDueSessions(world.store, world.now() + 13 * DAY)).toEqual(['session-two', 'session-one'])
  expect(listDueSessions(world.store, world.now() + 15 * DAY)).toEqual([])
})
