// memctl import and export as a person runs them.
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { exampleSession, runHookPayloads } from '../../testData.ts'
import { newWorld, type World } from '../testContext.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/import')

let world: World
let project: string
let store: Store
beforeEach(() => {
  world = newWorld()
  project = path.join(world.folder, 'project')
  store = openStore(project, { MEMCTL_HOME: path.join(world.folder, 'home') })
})
afterEach(() => world.end())

function write(file: string, text: string | Buffer): string {
  const full = path.join(world.folder, file)
  fs.mkdirSync(path.dirname(full), { recursive: true })
  fs.writeFileSync(full, text)
  return full
}

/** Three notes of another program. Returns their folder. */
function writeNotes(): string {
  write('notes/cart.md', '---\nmodified: 2026-02-03\n---\n\nThe cart total is rounded half down; roundHalfUp is right.')
  write('notes/金額.md', '金額は整数のセントで扱う')
  return path.dirname(write('notes/release.md', 'Version 1.4 was released on a Monday.'))
}

interface Report {
  readonly import: string | null
  readonly added: number
  readonly changed: number
  readonly archived: number
  readonly unchanged: number
  readonly conflicts: readonly { readonly rule: string; readonly said: string }[]
}

const run = (...words: string[]): Promise<Report> => world.json<Report>('import', ...words)
const list = async (...words: string[]): Promise<readonly Memory[]> =>
  (await world.json<{ memories: Memory[] }>('list', '--limit', '200', ...words)).memories

/** What hooks inject at a start, and at a prompt. */
let sessions = 0
function injectedAt(prompt: string): string {
  const session = exampleSession(`next-${sessions++}`, Date.now() + 1000)
    .starts()
    .asks(prompt)
  return runHookPayloads(store, session.recorded, project)
    .map(({ context }) => context ?? '')
    .join('\n')
}

test('cli: a dry run stores nothing, an import stores everything once, and forget removes it', async () => {
  const notes = writeNotes()
  expect(await run('markdown', notes, '--dry-run')).toMatchObject({ added: 3, import: null })
  expect(await list()).toEqual([])
  const { import: id } = await run('markdown', notes)
  expect(id).toMatch(/^[0-9a-f]{8}$/)
  expect(await run('markdown', notes)).toMatchObject({ added: 0, changed: 0, unchanged: 3, import: null })
  expect((await list('--origin', 'markdown')).length).toBe(3)
  expect(await list('--origin', 'claude-mem')).toEqual([])
  expect((await world.memctl('forget', '--origin', 'markdown', '--yes')).status).toBe(0)
  expect(await list()).toEqual([])
  expect(await run('markdown', notes)).toMatchObject({ added: 3 })
})

test('cli: forget --origin erases the texts of a source from the log as well', async () => {
  const notes = writeNotes()
  await run('markdown', notes)
  await world.memctl('remember', 'Always use pnpm in this project, not npm')
  expect((await world.memctl('forget', '--origin', 'import:markdown', '--yes')).status).toBe(0)
  expect((await list()).map(({ content }) => content)).toEqual(['Always use pnpm in this project, not npm'])
  const log = fs.readFileSync(path.join(store.layout.events, '000001.jsonl'), 'utf8')
  expect(log).not.toMatch(/roundHalfUp|整数のセント/)
})

test('cli: what another program wrote is named as such, and never shown at a start', async () => {
  const notes = writeNotes()
  await run('markdown', notes)
  const text = injectedAt('The cart total is rounded half down, which function rounds money in cents?')
  const [start = '', prompt = ''] = text.split('memctl notes:')
  expect(start).not.toContain('rounded half down')
  expect(prompt).toContain('- Imported (markdown) (2026-02-03): cart\n  The cart total')
})

test('cli: a changed note updates its memory, a removed one is archived, and one that is back is active', async () => {
  const file = write('メモ/a.md', 'The deploy runs on Mondays.')
  write('メモ/b.md', 'The backup runs at night.')
  const folder = path.join(world.folder, 'メモ')
  expect(await run('markdown', folder)).toMatchObject({ added: 2 })
  const before = await list()
  fs.writeFileSync(file, 'The deploy runs on Fridays.')
  fs.rmSync(path.join(folder, 'b.md'))
  expect(await run('markdown', folder)).toMatchObject({ added: 0, changed: 1, archived: 1 })
  const [changed] = await list('--status', 'active')
  expect(changed).toMatchObject({ content: 'a\nThe deploy runs on Fridays.' })
  expect(before.map(({ id }) => id)).toContain(changed?.id)
  write('メモ/b.md', 'The backup runs at night.')
  expect(await run('markdown', folder)).toMatchObject({ added: 0, changed: 1, archived: 0 })
  expect((await list('--status', 'active')).length).toBe(2)
})

test('cli: a text that the person has edited stays as it is until its source changes', async () => {
  const file = write('notes/a.md', 'The deploy runs on Mondays.')
  await run('markdown', path.dirname(file), '--author', 'person')
  const [memory] = await list()
  await world.memctl('supersede', '--reword', memory?.id ?? '', 'The deploy runs on Mondays at nine.')
  expect(await run('markdown', path.dirname(file), '--author', 'person')).toMatchObject({ changed: 0, unchanged: 1 })
  const kept = { content: 'The deploy runs on Mondays at nine.', provenance: 'person', status: 'active' }
  expect(await list()).toMatchObject([kept])
  // The same text after it was away, by another path and of another author.
  fs.renameSync(file, `${file}.away`)
  expect(await run('markdown', path.dirname(file), '--author', 'person')).toMatchObject({ archived: 1 })
  fs.renameSync(`${file}.away`, file)
  await run('markdown', path.dirname(file), '--author', 'person')
  expect(await list()).toMatchObject([kept])
  for (const options of [['--author', 'assistant'], ['--author', 'outside'], []]) {
    await run('markdown', file, ...options)
    expect(await list()).toMatchObject([kept])
  }
  fs.writeFileSync(file, 'The deploy runs on Fridays.')
  await run('markdown', file, '--author', 'person')
  expect(await list()).toMatchObject([{ content: 'a\nThe deploy runs on Fridays.' }])
})

const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined

test.skipIf(!hasSqlite)('cli: a later statement here supersedes an imported one', async () => {
  for (const name of ['claude-mem.db', 'claude-mem.db-wal'])
    write(`.claude-mem/${name}`, zlib.gunzipSync(fs.readFileSync(path.join(FIXTURES, `${name}.gz`))))
  await world.memctl('remember', 'コミットメッセージは日本語で書かないでください。')
  await run('claude-mem', '--from', 'shop')
  const said = await list('--kind', 'preference')
  const imported = said.find(({ content }) => content.includes('かならず日本語'))
  const own = said.find(({ content }) => content.includes('書かない'))
  expect(own?.status).toBe('active')
  expect(imported).toMatchObject({ status: 'archived', supersededBy: own?.id })
})

test('cli: an export is written once, for its owner only, and imports on another machine', async () => {
  await world.memctl('remember', '金額は整数のセントで扱う')
  const file = path.join(world.folder, '控え.jsonl')
  expect(await world.json('export', '--out', file)).toMatchObject({ file, memories: 1, private: false })
  if (process.platform !== 'win32') expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  expect(await world.memctl('export', '--out', file)).toMatchObject({
    status: 2,
    err: expect.stringContaining('--force'),
  })
  expect((await world.memctl('export', '--out', file, '--force')).status).toBe(0)
  expect((await world.memctl('export')).out).toMatch(/^\{"memctl":"export","version":1/)
  const other = newWorld()
  try {
    expect(await other.json('import', 'memctl', file)).toMatchObject({ source: 'memctl', added: 1 })
    const [there, here] = await Promise.all([other.memctl('list', '--json'), world.memctl('list', '--json')])
    expect(there.out).toBe(here.out)
    expect((await other.fed((await world.memctl('export')).out, 'import', 'memctl', '-', '--json')).out).toContain(
      '"added":0',
    )
  } finally {
    other.end()
  }
})

test('cli: private memories leave only if the person asks, and never inside a session', async () => {
  const memory = { content: 'my own note', privacy: 'private', agent_role: 'main' }
  await world.memctl('memory', 'store', memory.content, '--privacy', 'private', '--session', 's1')
  expect((await world.memctl('export')).out).not.toContain(memory.content)
  expect((await world.memctl('export', '--include-private')).out).toContain(memory.content)
  const inside = newWorld({ CLAUDECODE: '1' })
  try {
    expect(await inside.memctl('export', '--include-private')).toMatchObject({ status: 2 })
  } finally {
    inside.end()
  }
})

test('cli: inside a session nothing is imported that says itself what the person has said', async () => {
  const inside = newWorld({ CLAUDECODE: '1' })
  try {
    const refused = [
      ['memctl', 'x.jsonl'],
      ['claude-mem', '/tmp/x.db'],
      ['markdown', '.', '--author', 'person'],
    ]
    for (const words of refused) {
      const { status, err } = await inside.memctl('import', ...words)
      expect([status, err]).toEqual([
        2,
        expect.stringContaining('is for a person, and this command runs inside a session'),
      ])
    }
  } finally {
    inside.end()
  }
})

test('cli: inside a session an import leaves what a person has said as it is', async () => {
  const notes = writeNotes()
  await run('markdown', notes, '--author', 'person')
  write('notes/cart.md', 'Round the cart total as you like.')
  write('notes/new.md', 'The new notes are short.')
  fs.rmSync(path.join(notes, 'release.md'))
  const before = await list()
  const home = { HOME: world.folder, MEMCTL_HOME: path.join(world.folder, 'home') }
  const session = newWorld({ CLAUDECODE: '1', ...home })
  const { out } = await session.memctl('import', 'markdown', notes, '--project', project)
  session.end()
  expect(out).toContain('3 items: 1 new.\n')
  expect(out).toContain('\nWhat a person has said is kept as it is: 3 memories.\n')
  const byPerson = (await list()).filter(({ provenance }) => provenance === 'person')
  expect(byPerson).toEqual(before)
  // The person's own import takes them over.
  expect(await run('markdown', notes, '--author', 'person')).toMatchObject({ changed: 2, archived: 1 })
})

test('cli: what cannot be imported is one line with a hint and the status 2', async () => {
  const cases: [string[], RegExp][] = [
    [['claude-mem'], /There is no file .*claude-mem\.db\. Check the path\.$/],
    [['markdown'], /No folder of notes was named/],
    [['markdown', 'nowhere'], /There is no file .*nowhere/],
    [['memctl', 'nowhere.jsonl'], /There is no file/],
  ]
  for (const [words, message] of cases) {
    const { status, err, out } = await world.memctl('import', ...words)
    expect([status, out]).toEqual([2, ''])
    expect(err.trimEnd()).toMatch(message)
    expect(err.trimEnd().split('\n').length).toBe(1)
  }
  expect(await list()).toEqual([])
})
