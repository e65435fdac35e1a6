// memctl import and export as a person runs them.
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import type { ReadSource } from '../../../src/broker/transfer/importItem.ts'
import { commitImport, planImport } from '../../../src/broker/transfer/planImport.ts'
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

/** Imports three notes of another program. */
function importNotes(): void {
  const texts = {
    'cart.md': 'cart\nThe cart total is rounded half down; roundHalfUp is right.',
    '金額.md': '金額は整数のセントで扱う',
    'release.md': 'Version 1.4 was released on a Monday.',
  }
  const items = Object.entries(texts).map(([item, content]) => ({
    ...{ key: item, item, content, created: '2026-02-03T00:00:00.000Z', provenance: 'assistant' as const },
  }))
  const source: ReadSource = { name: 'markdown', location: '~/notes', items, notes: [] }
  commitImport(store, planImport(store, source), Date.now())
  runMaintenance(store, { now: Date.now() })
}

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

test('cli: an undo lists what was imported from a source, and deletes it', async () => {
  importNotes()
  expect((await list('--origin', 'markdown')).length).toBe(3)
  expect(await list('--origin', 'claude-mem')).toEqual([])
  const refused = await world.memctl('import', 'undo', 'markdown')
  expect(refused).toMatchObject({ status: 2, out: expect.stringContaining('3 memories came from there') })
  expect((await list()).length).toBe(3)
  expect((await world.memctl('import', 'undo', 'markdown', '--yes')).out).toMatch(/^Deleted 3\./)
  expect(await list()).toEqual([])
})

test('cli: forget --origin erases the texts of a source from the log as well', async () => {
  importNotes()
  await world.memctl('remember', 'Always use pnpm in this project, not npm')
  expect((await world.memctl('forget', '--origin', 'import:markdown', '--yes')).status).toBe(0)
  expect((await list()).map(({ content }) => content)).toEqual(['Always use pnpm in this project, not npm'])
  const log = fs.readFileSync(path.join(store.layout.events, '000001.jsonl'), 'utf8')
  expect(log).not.toMatch(/roundHalfUp|整数のセント/)
})

test('cli: what another program wrote is named as such, and never shown at a start', async () => {
  importNotes()
  const text = injectedAt('The cart total is rounded half down, which function rounds money in cents?')
  const [start = '', prompt = ''] = text.split('memctl notes, not')
  expect(start).not.toContain('rounded half down')
  expect(prompt).toContain('- Imported (markdown) (2026-02-03): cart\n  The cart total')
})

const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined

test.skipIf(!hasSqlite)('cli: a later statement here supersedes an imported one', async () => {
  for (const name of ['claude-mem.db', 'claude-mem.db-wal'])
    write(`.claude-mem/${name}`, zlib.gunzipSync(fs.readFileSync(path.join(FIXTURES, `${name}.gz`))))
  await world.memctl('remember', 'コミットメッセージは日本語で書かないでください。')
  await world.json('import', 'claude-mem', '--from', 'shop')
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

test('cli: what cannot be imported is one line with a hint and the status 2', async () => {
  const cases: [string[], RegExp][] = [
    [['claude-mem'], /There is no file .*claude-mem\.db\. Check the path\.$/],
    [['memctl', 'nowhere.jsonl'], /There is no file/],
    [['undo', 'nothing'], /no memories of the source "nothing"/],
  ]
  for (const [words, message] of cases) {
    const { status, err, out } = await world.memctl('import', ...words)
    expect([status, out]).toEqual([2, ''])
    expect(err.trimEnd()).toMatch(message)
    expect(err.trimEnd().split('\n').length).toBe(1)
  }
  expect(await list()).toEqual([])
})
