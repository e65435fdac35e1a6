// What a subagent did under privacy-strict, asked for through every output that others get: only agents of its role
// see it, until it is released.
import fs from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../src/broker/maintenance/rebuild.ts'
import { refreshRecent } from '../../src/broker/maintenance/refreshRecent.ts'
import { openStore, type Store } from '../../src/broker/open/openStore.ts'
import { type CallingAgent, openMemory } from '../../src/index.ts'
import { BEGIN, DAY, type ExampleSession, exampleSession, HOUR, loadMemories, runHookPayloads } from '../testData.ts'
import { newWorld, type World } from './testContext.ts'

/** Words that only the subagent's calls, answers and report have. */
const SECRET = /quagga|クアッガ/i
const ERROR = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const QUERY = 'Which quagga step builds the prices, and what fails in src/prices.js?'

let world: World
let store: Store
const root = () => `${world.folder}/project`

/** What an agent of the role stores with a tool. */
const OWN = { content: 'The quagga gate', privacy: 'agent-only', role: 'reviewer' }

/** A subagent meets an error, fixes it, edits, fails at a command, and reports. The main thread says none of it. */
const works = (session: ExampleSession, role = 'reviewer', agent = 'a1') =>
  session.sends(
    role,
    agent,
    (sub) => {
      sub.calls('Read', { file_path: `${root()}/src/quagga.js` }, 'const quagga = 1 // クアッガ')
      sub.fails('npm test', ERROR).runs('make quagga-prices', 'quagga built').runs('npm test', 'ok')
      sub
        .fails('gh quagga --stat', 'unknown flag: --stat\nUsage: gh quagga [flags]')
        .runs('gh quagga --name-only', 'ok')
      sub.fails('cat docs/quagga.md', 'cat: docs/quagga.md: No such file or directory')
      sub.calls('Edit', { file_path: `${root()}/src/quagga.js`, old_string: 'a', new_string: 'return quagga()' }, {})
      sub.runs('git commit -m "Add the quagga stripes"', '[main 1a2b3c4] Add the quagga stripes')
      sub.fails('npm run quagga', 'Error: the quagga herd is missing in the yard')
    },
    'The quagga herd was missing. クアッガを追加した。\n\nLessons:\n- Run `make quagga-prices` before `npm test`.',
  )

const homeEnv = () => ({ HOME: world.folder, MEMCTL_HOME: `${world.folder}/home` })

const learns = (name: string, start: number, tell: (session: ExampleSession) => unknown, isOpen = false) => {
  const session = exampleSession(name, start).starts().asks('Get the tests to run, please.')
  tell(session)
  runHookPayloads(store, isOpen ? session.recorded : session.answers('Done.').ends().recorded, root())
  if (isOpen) refreshRecent(store, session.now())
  else runMaintenance(store, { now: session.now() + HOUR })
}

function openWorld(): void {
  world = newWorld()
  fs.mkdirSync(`${world.folder}/home`)
  fs.writeFileSync(`${world.folder}/home/config.yaml`, 'policy: privacy-strict\n')
  store = openStore(root(), homeEnv())
}

/** What the hooks of a conversation return, from its start on. */
const injected = (name: string, tell: (session: ExampleSession) => unknown, start = BEGIN + 9 * DAY): string => {
  const session = exampleSession(name, start)
  tell(session)
  return JSON.stringify(runHookPayloads(store, session.recorded, root()))
}

const asksEverything = (session: ExampleSession) =>
  session
    .starts()
    .asks(`${QUERY}\n${ERROR}`)
    .fails('npm test', ERROR)
    .fails('npm test', ERROR)
    .fails('cat docs/other.md', 'cat: docs/other.md: No such file or directory')
    .calls('Read', { file_path: `${root()}/src/prices.js` }, 'x')

describe.each([
  ['an organized session', false],
  ['an open session', true],
])('what a subagent did in %s', (_, isOpen) => {
  let made: World
  beforeAll(async () => {
    openWorld()
    made = world
    await world.memctl('policy', 'use', 'privacy-strict')
    for (const day of [0, 1, 2])
      learns(
        `s${day}`,
        BEGIN + day * DAY,
        (session) => works(session.fails('npm test', ERROR)).runs('npm test', 'ok'),
        isOpen,
      )
    fs.cpSync(`${made.folder}/home`, `${made.folder}/learned`, { recursive: true })
  })
  // Each test gets the home as it was: what it asks for is recorded there too.
  beforeEach(() => {
    world = made
    fs.rmSync(`${made.folder}/home`, { recursive: true })
    fs.cpSync(`${made.folder}/learned`, `${made.folder}/home`, { recursive: true })
    store = openStore(root(), homeEnv())
  })
  afterAll(() => made.end())

  test('subagents: agents of its role get it, and nobody else does, at any moment', () => {
    const others: Record<string, (session: ExampleSession) => unknown> = {
      'the main thread of another session': asksEverything,
      'an agent of another role': (session) => session.starts().asks('Go.').sends('Explore', 'e1', asksEverything),
    }
    for (const [who, tell] of Object.entries(others)) {
      const own = JSON.stringify(exampleSession('x').asks(QUERY).recorded)
      expect(own).toMatch(SECRET)
      expect(injected(`other ${who}`, tell), who).not.toMatch(SECRET)
    }
    const same = injected('same', (session) =>
      session
        .starts()
        .asks('Go.')
        .sends('reviewer', 'r9', (agent) => agent.fails('npm test', ERROR)),
    )
    expect(same).toMatch(SECRET)
  })

  test('subagents: after a compaction its main thread gets no command and no file of it', () => {
    const own = injected('s2', (session) => session.starts('compact'), BEGIN + 2 * DAY + HOUR)
    expect(own).toContain('asked: Get the tests to run')
    expect(own).not.toMatch(SECRET)
  })

  test('subagents: no preview, tool or command of a session has it', async () => {
    const others: readonly (CallingAgent | undefined)[] = [undefined, { agentId: 'e1', role: 'Explore' }]
    for (const agent of others) {
      const memory = openMemory({ project: root(), env: homeEnv(), agent, session: 'another' })
      for (const search_mode of ['semantic', 'keyword', 'hybrid']) {
        const found = await memory.call('memory_search', { query: QUERY, search_mode })
        expect(JSON.stringify(found), search_mode).not.toMatch(SECRET)
      }
      expect(JSON.stringify(await memory.call('memory_list', { limit: 1000 }))).not.toMatch(SECRET)
      const texts = [await memory.search(QUERY), await memory.recall(QUERY)]
      texts.push(await memory.recall({ text: QUERY, moment: 'prompt' }))
      expect(JSON.stringify(texts)).not.toMatch(SECRET)
      await memory.close()
    }
    for (const moment of ['start', 'prompt', 'failure', 'call'] as const) {
      const { out } = await world.memctl(
        'recall',
        'prices',
        '--moment',
        moment,
        '--command',
        'npm test',
        '--error',
        ERROR,
      )
      expect(out, moment).not.toMatch(SECRET)
    }
  })

  test('subagents: no command of a session has it, and a person may list it', async () => {
    const inSession = newWorldIn(world)
    await world.memctl('memory', 'store', '--input', JSON.stringify(OWN))
    await world.memctl('memory', 'batch-store', '--input', JSON.stringify({ items: [OWN] }))
    const commands = [
      ['list', '--limit', '1000'],
      ['search', 'prices'],
      ['status'],
      ['list', '--sessions'],
      ['list', '--events', '--limit', '1000'],
      ['list', '--kind', 'fact', '--kind', 'lesson'],
      ['list', '--claude-md'],
      ['show', '--contribution'],
      ['shown', '--session', 's2'],
      ['shown', '--session', 's2', '--contribution'],
      ['shown', '--session', 's2', '--useful', 'all'],
      ['why', 'src/prices.js'],
      ['report', '--effect'],
      ['policy', 'show'],
      ['doctor'],
      ['memory', 'list'],
      ['memory', 'search', 'prices'],
    ]
    for (const words of commands)
      for (const json of [[], ['--json']]) {
        const { out, err } = await inSession(...words, ...json)
        expect(out + err, words.join(' ')).not.toMatch(SECRET)
      }
    expect((await world.memctl('list', '--limit', '1000')).out).toMatch(SECRET)
    expect((await world.memctl('list', '--events', '--limit', '1000')).out).toMatch(SECRET)
    expect((await world.memctl('shown', '--session', 's2')).out).toMatch(SECRET)
    expect((await world.memctl('list', '--claude-md')).out).not.toMatch(SECRET)
  })

  test('subagents: no command of a session finds it by its id', async () => {
    const inSession = newWorldIn(world)
    const { id } = (await world.json('memory', 'store', '--input', JSON.stringify(OWN))) as { id: string }
    const open = (await world.json('memory', 'store', 'Deploy with make')) as { id: string }
    const attempts = [
      ['show', id],
      ['show', '--contribution', id],
      ['supersede', open.id, '--by', id],
      ['supersede', id, 'x'],
      ['supersede', '--reword', id, 'x'],
      ['supersede', '--outdated', id],
      ['memory', 'pin', id],
      ['memory', 'impact', id, 'user_positive'],
    ]
    for (const words of attempts)
      expect((await inSession(...words)).err, words.join(' ')).toContain('No memory has an id that begins with')
    expect((await world.memctl('supersede', open.id, '--by', id)).out).toContain('Superseded: Deploy with make')
  })

  test('subagents: what everyone sees has no word of it, and a rebuild gives the same memories', () => {
    runMaintenance(store, { now: BEGIN + 5 * DAY, sessions: 'all' })
    const memories = loadMemories(store)
    const open = Object.values(memories).filter(({ privacy }) => privacy === 'public')
    expect(JSON.stringify(open)).not.toMatch(SECRET)
    const own = Object.values(memories).filter(({ privacy, role }) => privacy === 'agent-only' && role === 'reviewer')
    expect(new Set(own.map(({ kind }) => kind))).toEqual(new Set(['lesson', 'experience']))
    rebuildStore(store, BEGIN + 5 * DAY)
    expect(loadMemories(store)).toEqual(memories)
  })
})

test('subagents: released work is for everyone, and what comes later is not released with it', async () => {
  openWorld()
  await world.memctl('policy', 'use', 'default')
  learns('s0', BEGIN, works)
  runMaintenance(store, { now: BEGIN + DAY, sessions: [] })
  const publicTexts = () =>
    JSON.stringify(Object.values(loadMemories(store)).filter(({ privacy }) => privacy === 'public'))
  expect(publicTexts()).not.toMatch(SECRET)
  learns('s1', BEGIN + 20 * DAY, (session) => session.runs('ls', 'a'))
  expect(publicTexts()).toMatch(/make quagga-prices/)
  learns('s2', BEGIN + 21 * DAY, (session) =>
    session.sends('reviewer', 'a2', (sub) =>
      sub.fails('npm test', ERROR).runs('make okapi', 'x').runs('npm test', 'ok'),
    ),
  )
  expect(publicTexts()).not.toMatch(/okapi/)
  world.end()
})

/** Commands as an agent runs them in a session. */
function newWorldIn({ folder }: World) {
  const other = newWorld({ CLAUDECODE: '1', HOME: folder, MEMCTL_HOME: `${folder}/home` })
  return async (...words: readonly string[]) => {
    return other.memctl(...words, '--project', `${folder}/project`)
  }
}
