// The command: what it answers to people and programs, over the recorded shop and over nothing at all.
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReplaySummary } from '../../bench/replay/replayCommand.ts'
import { SYSTEM_SESSION } from '../../src/broker/commit/commitEvents.ts'
import type { SessionSummary } from '../../src/broker/queries/browse.ts'
import type { PolicySummary } from '../../src/broker/queries/policySummary.ts'
import type { StoreStatus } from '../../src/broker/queries/storeStatus.ts'
import type { Event } from '../../src/model/event.ts'
import { MEMORY_KINDS, type Memory } from '../../src/model/memory.ts'
import type { RecalledMemory, RecallResult } from '../../src/model/recallQuery.ts'
import { newWorld, RECORDINGS, type World } from './testContext.ts'

const BUILD = 'npm run build:prices'

let shop: World
let store: string
let replayed: ReplaySummary

beforeAll(async () => {
  shop = newWorld()
  store = path.join(shop.folder, 'shop-store')
  replayed = await shop.replay(RECORDINGS, '--store', store)
})
afterAll(() => shop.end())

interface Listed {
  readonly total: number
  readonly memories: readonly Memory[]
}

const listed = (...words: readonly string[]): Promise<Listed> =>
  shop.json<Listed>('list', '--store', store, '--limit', '1000', ...words)

describe('cli over the recorded shop', () => {
  test('cli: replay reports its result', () => {
    expect(replayed).toMatchObject({ recordings: 13, sessions: 12, payloads: 248, store })
    expect(replayed.faults).toEqual({ count: 0, incomplete: 0, latest: null })
    expect(replayed.injected).toBeGreaterThan(0)
  })

  test('cli: the shop recordings give the fix and the preferences', async () => {
    const of = async (kind: string) =>
      (await listed('--kind', kind)).memories.map((memory) => memory.content).join('\n')
    expect(await of('lesson')).toContain(BUILD)
    expect(await of('preference')).toContain('never add comments to tests')
    expect(await of('preference')).toContain('コミットメッセージを日本語で')
    expect(await of('preference')).toContain('integer cents')
  })

  test('cli: the token in the recordings is in no output', async () => {
    const token = 'FAKEFAKE'
    expect(fs.readFileSync(path.join(RECORDINGS, '2026-03-11-16-release-check.jsonl'), 'utf8')).toContain(token)
    const answers = await Promise.all([
      shop.memctl('list', '--events', '--store', store, '--limit', '10000', '--json'),
      shop.memctl('list', '--store', store, '--limit', '1000', '--json'),
      shop.memctl('recall', 'release check token', '--store', store),
    ])
    for (const { out } of answers) expect(out).not.toContain(token)
  })

  test('cli: every command prints one line of JSON, or text without color to a pipe', async () => {
    const [memory] = (await listed()).memories
    const commands = [
      ...[['status'], ['recall', 'npm test fails'], ['recall', 'npm test fails', '--explain'], ['search', 'tax']],
      ...[
        ['list'],
        ['show', memory!.id],
        ['list', '--events'],
        ['list', '--sessions'],
        ['policy', 'show', '--all'],
        ['policy', 'history'],
      ],
      ...[['organize'], ['rebuild']],
    ]
    for (const words of commands) {
      const plain = await shop.memctl(...words, '--store', store)
      expect(plain, words.join(' ')).toMatchObject({ status: 0, err: '' })
      expect(plain.out, words.join(' ')).toMatch(/^[^\u001b]+\n$/)
      expect(typeof (await shop.json(...words, '--store', store)), words.join(' ')).toBe('object')
    }
  })

  test('cli: status, list, sessions and events agree', async () => {
    const status = await shop.json<StoreStatus>('status', '--store', store)
    const all = await listed()
    const { events } = await shop.json<{ events: Event[] }>('list', '--events', '--store', store, '--limit', '100000')
    const { sessions, total } = await shop.json<{ sessions: SessionSummary[]; total: number }>(
      'list',
      '--sessions',
      '--store',
      store,
    )
    expect(status).toMatchObject({ unorganized: 0, policyVersion: expect.any(Number), faults: { count: 0 } })
    expect(all.memories).toHaveLength(all.total)
    expect(status.memories.total).toBe(all.total)
    for (const kind of MEMORY_KINDS) {
      const own = all.memories.filter((memory) => memory.kind === kind)
      expect([kind, (await listed('--kind', kind)).total]).toEqual([kind, own.length])
      expect([kind, status.memories.byKind[kind]]).toEqual([kind, own.length])
    }
    const archived = (await listed('--status', 'archived')).total
    expect(status.memories.archived).toBe(archived)
    expect((await listed('--status', 'active')).total).toBe(all.total - archived)

    expect(status.events.lines).toBe(events.length)
    expect(events.map((event) => event.at)).toEqual(events.map((event) => event.at).sort())
    expect(total).toBe(sessions.length)
    // Searches count what they found in a session of memctl's own.
    const named = events.map((event) => event.session).filter((session) => session !== SYSTEM_SESSION)
    expect(new Set(named)).toEqual(new Set(sessions.map((session) => session.id)))
    for (const session of sessions) {
      const own = (
        await shop.json<{ events: Event[] }>(
          'list',
          '--events',
          '--store',
          store,
          '--session',
          session.id,
          '--limit',
          '10000',
        )
      ).events
      expect(own).toEqual(events.filter((event) => event.session === session.id))
      expect(session.prompts).toBe(own.filter((event) => event.kind === 'prompt').length)
      expect(session.calls).toBe(own.filter((event) => /^call\.(succeeded|failed)$/.test(event.kind)).length)
      expect(session.organized).toBe(true)
      expect((await listed('--session', session.id)).memories.every((memory) => memory.session === session.id)).toBe(
        true,
      )
    }
  })

  test('cli: a page of a list is a slice of the complete list', async () => {
    const order = ['updated', 'created', 'importance', 'strength', 'help']
    await fc.assert(
      fc.asyncProperty(
        fc.nat(60),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(...order),
        async (offset, limit, by) => {
          const all = (await listed('--sort', by)).memories
          const page = await shop.json<Listed>(
            'list',
            '--store',
            store,
            '--sort',
            by,
            '--offset',
            `${offset}`,
            '--limit',
            `${limit}`,
          )
          expect(page.memories).toEqual(all.slice(offset, offset + limit))
        },
      ),
      { numRuns: 12 },
    )
    const importance = (await listed('--sort', 'importance')).memories.map((memory) => memory.importance)
    expect(importance).toEqual([...importance].sort((a, b) => b - a))
  })

  test('cli: show finds a memory by its id or a unique prefix, with its source events', async () => {
    const { memories } = await listed()
    const { events } = await shop.json<{ events: Event[] }>('list', '--events', '--store', store, '--limit', '100000')
    const known = new Set(events.map((event) => event.id))
    for (const memory of memories) {
      const whole = await shop.json<{ memory: Memory; events: Event[] }>(
        'show',
        memory.id.slice(0, 12).toUpperCase(),
        '--store',
        store,
      )
      expect(whole.memory).toEqual(memory)
      expect(whole.events.map((event) => event.id).sort()).toEqual(memory.events.filter((id) => known.has(id)).sort())
      const text = (await shop.memctl('show', memory.id, '--all', '--store', store)).out
      for (const word of [memory.id, memory.knowledge?.type ?? memory.kind, 'strength', 'privacy', 'outcome'])
        expect(text).toContain(word)
    }
    const digits = memories.map(({ id }) => id.slice(0, 1))
    const shared = digits.find((digit, i) => digits.indexOf(digit) < i) ?? ''
    const many = await shop.memctl('show', shared, '--store', store)
    expect(many.status).toBe(2)
    expect(many.err).toContain(`${digits.filter((digit) => digit === shared).length} ids begin with "${shared}"`)
    const none = await shop.memctl('show', '', '--store', store)
    expect([none.status, none.err]).toEqual([2, expect.stringContaining('No memory')])
  })

  test('cli: a known error recalls its fix, with score parts that add up to the score', async () => {
    const words = [
      'recall',
      '--command',
      'npm test',
      '--error',
      "Error: Cannot find module '../dist/prices.json'",
      '--store',
      store,
    ]
    const recall = await shop.json<RecallResult>(...words)
    const [first] = recall.shown
    expect(first?.memory).toMatchObject({ kind: 'lesson' })
    expect(first?.memory.content).toContain(BUILD)
    for (const { score, breakdown } of recall.shown) {
      expect(Object.values(breakdown).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 9)
    }
    const { out } = await shop.memctl(...words, '--explain')
    expect(out).toMatch(/feature +value +weight +part/)
    expect(out).toMatch(/\n +error +1 +× +[\d.]+ += +\+/)
    expect((await shop.memctl(...words, '--moment', 'failure')).out).toContain(BUILD)
  })

  test('cli: search finds terms of both languages, filters kinds and tiers, and sorts by score', async () => {
    const found = async (...words: readonly string[]) =>
      (await shop.json<{ memories: readonly RecalledMemory[] }>('search', '--store', store, ...words)).memories
    expect((await found('コミットメッセージ', '--limit', '3'))[0]?.memory.content).toContain('コミットメッセージ')
    const lessons = await found('npm test fails', '--kind', 'lesson', '--limit', '50')
    expect(lessons.length).toBeGreaterThan(1)
    expect(lessons.every(({ memory }) => memory.kind === 'lesson')).toBe(true)
    expect(lessons.map(({ score }) => score)).toEqual(lessons.map(({ score }) => score).sort((a, b) => b - a))
    const tiers = await found('npm test fails', '--tier', 'hot', '--tier', 'warm', '--limit', '50')
    expect(tiers.every(({ memory }) => memory.tier !== 'cold')).toBe(true)
    expect(await found('npm test fails', '--limit', '2')).toHaveLength(2)
  })

  test('cli: read commands change no byte of the store', async () => {
    const before = bytesUnder(store)
    const [memory] = (await listed()).memories
    for (const words of [
      ['status'],
      ['recall', 'npm test'],
      ['search', 'tax'],
      ['list'],
      ['show', memory!.id],
      ['list', '--events'],
      ['list', '--sessions'],
    ]) {
      await shop.memctl(...words, '--store', store)
    }
    await shop.memctl('policy', 'show', '--store', store)
    expect(bytesUnder(store)).toEqual(before)
  })

  test('cli: after a rebuild the output is the same', async () => {
    const before = await listed()
    const words = ['recall', 'npm test fails', '--store', store]
    const result = (await shop.memctl(...words)).out
    const { memories } = await shop.json<{ memories: number }>('rebuild', '--store', store)
    expect(memories).toBe(before.total)
    expect(await listed()).toEqual(before)
    expect((await shop.memctl(...words)).out).toBe(result)
  })

  test('cli: policy show prints the active policy, and its history explains it', async () => {
    const { version, numbers } = await shop.json<PolicySummary>('policy', 'show', '--all', '--store', store)
    const { history } = await shop.json<PolicySummary>('policy', 'history', '--store', store)
    const learned = (await shop.json<PolicySummary>('policy', 'show', '--store', store)).numbers
    expect(learned).toEqual(numbers.filter((item) => item.difference !== 0))
    expect(history.map((change) => change.version)).toEqual(history.map((_, i) => i + 1))
    expect(version).toBe(history.at(-1)?.version ?? 0)
    expect(Object.fromEntries(learned.map(({ path: name, activeValue }) => [name, activeValue]))).toEqual(
      history.at(-1)?.values ?? {},
    )
    expect(numbers.length).toBeGreaterThan(60)
  })
})

describe('cli without a store', () => {
  test('cli: a question finds what has its words in the other language, beside what has them as they are', async () => {
    const world = newWorld()
    for (const text of ['Run `npm run gen` before `npm run build`.', 'ビルドの結果は dist に置く', 'Use tabs.'])
      await world.memctl('memory', 'store', text)
    const { out } = await world.memctl('recall', 'ビルドが失敗する')
    expect(out).toContain('npm run gen')
    expect(out).toContain('ビルドの結果')
    expect(out).not.toContain('tabs')
    world.end()
  })

  test('cli: without a store every command reports that there is nothing', async () => {
    const world = newWorld()
    try {
      expect(await world.json<StoreStatus>('status')).toMatchObject({
        unorganized: 0,
        lastOrganized: null,
        memories: { total: 0 },
      })
      expect(await world.json('list')).toEqual({ total: 0, offset: 0, memories: [] })
      expect(await world.json('list', '--sessions')).toEqual({ total: 0, sessions: [] })
      expect(await world.json('list', '--events')).toEqual({ events: [] })
      expect((await world.memctl('recall', 'anything')).out).toBe('Nothing would be injected.\n')
      expect((await world.memctl('search', 'anything')).out).toContain('No memories yet.')
      expect((await world.memctl('policy', 'show')).out).toContain('default values')
      expect(fs.existsSync(path.join(world.folder, 'home'))).toBe(false)
      expect((await world.memctl('organize')).out).toContain('Nothing to organize')
      expect(await world.json('rebuild')).toMatchObject({ memories: 0 })
    } finally {
      world.end()
    }
  })

  test('cli: init and then uninstall leave the settings unchanged', async () => {
    const world = newWorld()
    try {
      expect(await world.json('init', '--local', '--dry-run')).toMatchObject({ changed: true, dryRun: true })
      expect(await world.json('uninstall', '--local')).toMatchObject({ changed: false })
      expect(fs.readdirSync(path.join(world.folder, 'project'))).toEqual([])
      expect((await world.memctl('init', '--local', '--user')).status).toBe(2)
    } finally {
      world.end()
    }
  })
})

describe('cli with invalid arguments', () => {
  const wrong: readonly (readonly string[])[] = [
    ['nonsense'],
    ['list', '--nonsense'],
    ['list', '--kind', 'nonsense'],
    ['list', '--limit', '0'],
    ['list', '--limit', '1.5'],
    ['list', '--offset', '-1'],
    ['list', '--sort', 'beauty'],
    ['list', 'too', 'many'],
    ['recall', 'x', '--moment', 'never'],
    ['search'],
    ['show'],
    ['show', 'ffffffff-ffff'],
    ['status', '--project', '/there/is/no/such/folder'],
    ['status', '--store', '/there/is/no/such/store'],
    ['organize', '--session', 'nobody'],
    ['policy', 'nonsense'],
  ]

  test.each(wrong.map((words) => [words.join(' '), words] as const))(
    'cli: `%s` prints one error line with its hint, status 2',
    async (_name, words) => {
      const result = await shop.memctl(...words)
      expect(result).toMatchObject({ status: 2, out: '' })
      expect(result.err).toMatch(/^memctl: [^\n]+[.!?)] [^\n]+\.\n$/)
      const asJson = await shop.memctl(...words, '--json')
      expect(asJson).toMatchObject({ status: 2, err: '' })
      const { error, ...rest } = JSON.parse(asJson.out)
      expect(rest).toEqual({})
      expect(error).toEqual({
        code: expect.stringMatching(/^[A-Z_]+$/),
        message: expect.any(String),
        hint: expect.any(String),
      })
      expect(error.hint).not.toBe('')
    },
  )

  test('cli: an invalid line of a recording is reported, and nothing is replayed', async () => {
    const file = path.join(shop.folder, 'broken.jsonl')
    const whole = fs.readFileSync(path.join(RECORDINGS, '2026-03-05-11-red-again.jsonl'), 'utf8')
    const into = path.join(shop.folder, 'broken-store')
    for (const broken of [
      '{"at":"2026',
      '{"at":"never","payload":{}}',
      '{"at":"2026-03-05T11:20:00Z","payload":{"x":1}}',
      '[]',
    ]) {
      fs.writeFileSync(file, `${whole}${broken}\n`)
      const result = await shop.dev('replay', file, '--store', into)
      expect(result.status).toBe(2)
      expect(result.err).toMatch(/line 11 .*npm run -s dev -- record/)
      expect(result.err.trim().split('\n')).toHaveLength(1)
      expect(fs.existsSync(into)).toBe(false)
    }
  })

  test('cli: without arguments it prints help, and --version prints the version', async () => {
    const alone = await shop.memctl()
    expect(alone.status).toBe(0)
    for (const word of ['init', 'status', 'recall', 'hub']) expect(alone.out).toContain(`  ${word}`)
    expect(await shop.memctl('--version')).toEqual({ status: 0, out: '0.1.0\n', err: '' })
    expect((await shop.memctl('list', '--help')).status).toBe(0)
  })

  test('cli: a hook never exits with 2, which would block the call', async () => {
    expect((await shop.dev('record')).status).toBe(1)
    expect((await shop.memctl('hook', 'Stop')).status).toBe(1)
    expect((await shop.memctl('record')).status).toBe(1)
    expect(await shop.fedDev('not JSON', 'record', '--out', path.join(shop.folder, 'none.jsonl'))).toEqual({
      status: 0,
      out: '',
      err: '',
    })
    // A file is at the path of the folder: nothing can be written, and the session must not notice.
    const result = await shop.fedDev(
      PAYLOAD,
      'record',
      '--out',
      path.join(RECORDINGS, 'README.md', 'x.jsonl'),
      '--of-a-later-version',
    )
    expect(result).toEqual({ status: 0, out: '', err: '' })
  })
})

const PAYLOAD = JSON.stringify({
  ...{ session_id: 's1', hook_event_name: 'UserPromptSubmit', cwd: '/home/dev/shop' },
  prompt: `Use the key ${'ghp_'}${'A1b2C3d4'.repeat(5)} <private>and my name</private> please`,
})

describe('cli record', () => {
  test('cli: a recording has each payload with its time, redacted unless raw, and can be replayed', async () => {
    const file = path.join(shop.folder, 'taped.jsonl')
    const raw = path.join(shop.folder, 'raw.jsonl')
    for (let i = 0; i < 3; i++)
      expect(await shop.fedDev(PAYLOAD, 'record', '--out', file)).toEqual({ status: 0, out: '', err: '' })
    await shop.fedDev(PAYLOAD, 'record', '--out', raw, '--raw')
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n')
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      const { at, payload } = JSON.parse(line)
      expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000)
      expect(payload).toMatchObject({ session_id: 's1', hook_event_name: 'UserPromptSubmit' })
      expect(payload.prompt).not.toContain('A1b2C3d4')
      expect(payload.prompt).not.toContain('my name')
    }
    expect(JSON.parse(fs.readFileSync(raw, 'utf8')).payload).toEqual(JSON.parse(PAYLOAD))
    expect(await shop.replay(file, '--store', path.join(shop.folder, 'taped'))).toMatchObject({
      payloads: 3,
      sessions: 1,
    })
  })

  test('cli: a replay records an event of any name, also that of an Object property', async () => {
    const file = path.join(shop.folder, 'odd.jsonl')
    const names = ['NextYear', 'constructor', 'toString', '__proto__']
    const line = (name: string) => ({
      at: '2026-03-02T10:00:00Z',
      payload: { session_id: 's1', hook_event_name: name, cwd: '/home/dev/shop', more: name },
    })
    fs.writeFileSync(file, names.map((name) => `${JSON.stringify(line(name))}\n`).join(''))
    const odd = path.join(shop.folder, 'odd')
    await shop.replay(file, '--store', odd)
    const { events } = await shop.json<{ events: Event[] }>('list', '--events', 'other', '--store', odd)
    expect(events.map((event) => event.kind === 'other' && event.name)).toEqual(names)
  })

  test('cli: the settings of a recording have every event and every tool', async () => {
    const { out, status } = await shop.dev('record', '--hooks', '--out', 'tape.jsonl')
    const { hooks } = JSON.parse(out)
    expect(status).toBe(0)
    expect(Object.keys(hooks)).toEqual(
      expect.arrayContaining(['SessionStart', 'PreToolUse', 'PostCompact', 'SessionEnd']),
    )
    const file = path.join(shop.folder, 'project', 'tape.jsonl')
    expect(hooks.PreToolUse).toEqual([
      {
        hooks: [
          { type: 'command', command: 'node', args: expect.arrayContaining(['record', '--out', file]), timeout: 10 },
        ],
      },
    ])
  })
})

function bytesUnder(folder: string): Readonly<Record<string, string>> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile())
  return Object.fromEntries(files.map((name) => [name, fs.readFileSync(path.join(folder, name), 'latin1')]))
}
