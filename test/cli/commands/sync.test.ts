// memctl hub sync: a line for each project, what would be sent, and what is wrong with the hub.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { joinTeam } from '../../../src/broker/team/membership.ts'
import { openHub } from '../../../src/broker/team/syncProjects.ts'
import { runCli } from '../../../src/cli/runCli.ts'
import { openDatabase } from '../../../src/database/database.ts'
import { migrate } from '../../../src/database/migrate.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { startTestDatabase, type TestDatabase } from '../../database/server.ts'
import { newFolder } from '../../tempFolders.ts'

let server: TestDatabase
beforeAll(async () => {
  server = await startTestDatabase()
  const database = await openDatabase({ url: server.url })
  await migrate(database, { dimension: 256 })
  await database.close()
}, 60_000)
afterAll(() => server?.stop())

let uuids = 0
const newId = (): string => `00000000-0000-4000-9000-${String(++uuids).padStart(12, '0')}`

/** A person at a terminal, with a project. `memctl` returns what a command printed. */
function newPerson(name: string, url?: string) {
  const folder = newFolder()
  const [root, home] = [path.join(folder, 'shop'), path.join(folder, 'home')]
  fs.mkdirSync(root)
  fs.mkdirSync(home)
  if (url !== undefined) fs.writeFileSync(path.join(home, 'config.yaml'), `hub: { url: '${url}', name: ${name} }\n`)
  const env = { HOME: folder, MEMCTL_HOME: home }
  const store = openStore(root, env)
  const memctl = async (...words: readonly string[]) => {
    const said = { out: '', err: '' }
    const screen = (name: 'out' | 'err') => ({
      ...{ isTTY: name === 'err', columns: 80 },
      write: (text: string) => {
        said[name] += text
      },
    })
    const status = await runCli(words, { out: screen('out'), err: screen('err'), cwd: root, stdin: () => '', env })
    return { status, ...said }
  }
  const join = (hub: Parameters<typeof joinTeam>[1]['hub']) =>
    joinTeam(store, { hub, project: 'example.com/shop', name, now: Date.now(), newId })
  return { store, memctl, join }
}

async function joinServer({ store, join }: { store: Store; join: ReturnType<typeof newPerson>['join'] }) {
  expect(store.home).toBeDefined()
  const { hub } = await openHub({ url: server.url }, {})
  await join(hub)
  await hub.close()
}

test('cli: sync says what is missing: a hub, or that the project has joined it', async () => {
  const without = await newPerson('Aki').memctl('hub', 'sync', '--json')
  expect(without).toMatchObject({ status: 2, out: expect.stringContaining('memctl hub join') })
  const connected = newPerson('Aki', 'postgresql://a@127.0.0.1:9/x')
  expect((await connected.memctl('hub', 'sync', '--json')).out).toContain('memctl hub join')
  expect((await connected.memctl('hub', 'sync', '--all')).out).toContain('No project shares its memories')
})

test('cli: sync --dry-run shows what would be sent, and asks no hub', async () => {
  const { memctl, join } = newPerson('Aki', 'postgresql://a@127.0.0.1:9/x')
  await join({ describe: async () => ({ hub: newId(), version: 8, canWrite: true }) })
  await memctl('remember', 'Use pnpm in this repository')
  await memctl('remember', '税込の価格を表示する')
  const { out, status } = await memctl('hub', 'sync', '--dry-run')
  expect(status).toBe(0)
  expect(out).toContain('pnpm')
  expect(out).toContain('税込の価格')
  const { out: json } = await memctl('hub', 'sync', '--dry-run', '--json')
  expect(JSON.parse(json)).toMatchObject({ dryRun: true, projects: [{ project: 'shop' }] })
})

test('cli: a hub that is down is one line with code and hint, and status 2', async () => {
  const { memctl, join } = newPerson('Aki', 'postgresql://a@127.0.0.1:9/x')
  await join({ describe: async () => ({ hub: newId(), version: 8, canWrite: true }) })
  const { status, out } = await memctl('hub', 'sync')
  expect(status).toBe(2)
  expect(out.trim().split('\n')).toHaveLength(1)
  expect(out).toContain('DATABASE_UNREACHABLE')
})

test('cli: sync sends and receives through PostgreSQL, with a bar on a terminal', { timeout: 60_000 }, async () => {
  const [aki, ben] = [newPerson('Aki', server.url), newPerson('Ben', server.url)]
  for (const person of [aki, ben]) await joinServer(person)
  await aki.memctl('remember', 'Use pnpm in this repository')
  const sent = await aki.memctl('hub', 'sync')
  expect(sent).toMatchObject({ status: 0, out: expect.stringMatching(/^shop {2}sent \d+ changes?\n$/) })
  expect(sent.err).toContain('━')
  const { out } = await ben.memctl('hub', 'sync', '--all', '--json')
  expect(JSON.parse(out)).toMatchObject({ dryRun: false, projects: [{ sent: 0, refused: 0, error: null }] })
  expect(JSON.parse(out).projects[0].received).toBeGreaterThan(0)
  expect((await ben.memctl('list')).out).toContain('pnpm')
  expect((await ben.memctl('hub', 'sync')).out).toBe('shop  nothing new\n')
  const { memories } = JSON.parse((await ben.memctl('list', '--json')).out) as { memories: { id: string }[] }
  // What the other one forgets is gone here after the next sync, and from the database.
  await aki.memctl('forget', memories[0]!.id, '--yes')
  await aki.memctl('hub', 'sync')
  expect((await ben.memctl('hub', 'sync')).out).toContain('erased 1 memory that others have forgotten')
  expect((await ben.memctl('list')).out).not.toContain('pnpm')
  const database = await openDatabase({ url: server.url })
  for (const table of ['hub_rows', 'hub_counts'])
    expect(JSON.stringify((await database.query(`select * from ${table}`)).rows)).not.toContain('pnpm')
  await database.close()
})

test('cli: sync and status tell who lost a race; the command that sync prints takes the text over', async () => {
  const [aki, ben] = [newPerson('Aki', server.url), newPerson('Ben', server.url)]
  for (const person of [aki, ben]) await joinServer(person)
  await aki.memctl('remember', 'Name branches by their ticket')
  for (const { memctl } of [aki, ben]) await memctl('hub', 'sync')
  const { memories } = JSON.parse((await aki.memctl('list', '--json')).out) as { memories: Memory[] }
  const id = memories.find(({ content }) => content === 'Name branches by their ticket')?.id ?? ''
  const mine = "Name branches by their ticket, it's what CI reads"
  await aki.memctl('supersede', id, mine, '--reword')
  await ben.memctl('supersede', id, 'Name branches by ticket and person', '--reword')
  await ben.memctl('hub', 'sync')
  const { out } = await aki.memctl('hub', 'sync')
  expect(out).toContain(`Ben has changed your text of `)
  expect((await aki.memctl('status')).out).toContain('1 text of yours replaced')
  const command = /memctl (supersede .*)/.exec(out)?.[1] ?? ''
  const words = [...command.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(([, quoted, word]) =>
    quoted === undefined ? (word ?? '') : quoted.replaceAll("'\\''", "'"),
  )
  expect(words).toContain(mine)
  expect(await aki.memctl(...words)).toMatchObject({ status: 0 })
  for (const { memctl } of [aki, ben]) await memctl('hub', 'sync')
  expect((await ben.memctl('list', '--json')).out).toContain(mine)
  expect((await aki.memctl('hub', 'sync')).out).not.toContain('To take yours back')
  // The other one replaces it by a rule of their own.
  await ben.memctl('hub', 'sync')
  await ben.memctl('supersede', id, 'Name branches by person')
  await ben.memctl('hub', 'sync')
  const undo = /memctl (supersede --outdated --undo \S+)/.exec((await aki.memctl('hub', 'sync')).out)?.[1] ?? ''
  expect((await aki.memctl('status')).out).toContain('1 text of yours replaced')
  expect((await aki.memctl('status')).out).not.toContain('of the person')
  expect(await aki.memctl(...undo.split(' '))).toMatchObject({ status: 0 })
  expect((await aki.memctl('status')).out).toContain('1 of the person')
}, 120_000)
