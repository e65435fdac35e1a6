// memctl report: where the file goes, what it says, and what it never overwrites or tells.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { openingCommand } from '../../../src/cli/commands/report.ts'
import { openMemory } from '../../../src/index.ts'
import { REPORT_MARK } from '../../../src/report/html/page.ts'
import { exampleSession, runHookPayloads } from '../../testData.ts'
import { newWorld, type World } from '../testContext.ts'

let world: World
let project: string
beforeEach(() => {
  world = newWorld()
  project = path.join(world.folder, 'project')
})
afterEach(() => world.end())

function runSession(): void {
  const store = openStore(project, { MEMCTL_HOME: path.join(world.folder, 'home') })
  const session = exampleSession('session-one')
    .starts()
    .asks('Always run `npm run lint` before a commit. コミットメッセージは必ず日本語で書いてください。')
    .fails('npm test', "Error: Cannot find module 'left-pad'")
    .runs('npm install left-pad')
    .runs('npm test', 'passed')
    .ends()
  runHookPayloads(store, session.recorded, project)
  runMaintenance(store, { now: session.now() })
}

interface Written {
  readonly file: string
  readonly bytes: number
  readonly sessions: number
  readonly memories: number
  readonly pages: number
}

test("cli: the report is written into the project's store, which no repository has, for its owner alone", async () => {
  runSession()
  const { status, out } = await world.memctl('report')
  const [, file = ''] = /^(.*report\.html) \(/.exec(out) ?? []
  expect(status).toBe(0)
  expect(file.startsWith(path.join(world.folder, 'home', 'projects'))).toBe(true)
  expect(out).toContain('1 session')
  expect(fs.readFileSync(file, 'utf8').startsWith(REPORT_MARK)).toBe(true)
  if (process.platform !== 'win32') expect(fs.statSync(file).mode & 0o077).toBe(0)
  // A later report replaces it.
  expect((await world.memctl('report')).status).toBe(0)
})

test('cli: --out takes a path with spaces and Japanese letters, and --json says what was written', async () => {
  runSession()
  const written = await world.json<Written>('report', '--out', 'レポート 1.html', '--pages', '1')
  expect(written.file).toBe(path.join(project, 'レポート 1.html'))
  expect(written.bytes).toBe(fs.statSync(written.file).size)
  expect(written).toMatchObject({ sessions: 1, pages: 1 })
  expect(written.memories).toBeGreaterThan(1)
})

test('cli: a file that is no report is not overwritten', async () => {
  fs.writeFileSync(path.join(project, 'mine.html'), '<!doctype html><p>mine</p>')
  const { status, err } = await world.memctl('report', '--out', 'mine.html')
  expect(status).toBe(2)
  expect(err).toContain('is no report of memctl')
  expect(err).toContain('--out')
  expect(fs.readFileSync(path.join(project, 'mine.html'), 'utf8')).toBe('<!doctype html><p>mine</p>')
})

test('cli: a private memory is in no text and no count of the report, unless the person asks for it', async () => {
  runSession()
  const before = await world.json<Written>('report', '--out', 'a.html')
  const env = { MEMCTL_HOME: path.join(world.folder, 'home') }
  const memory = openMemory({ project, env, agent: { agentId: 'a', role: 'reviewer' } })
  await memory.call('memory_store', { content: 'The zebra ledger has a walrus key.', privacy: 'private' })
  await memory.close()
  const read = (name: string): string => fs.readFileSync(path.join(project, name), 'utf8')
  const hidden = await world.json<Written>('report', '--out', 'a.html')
  expect(hidden).toMatchObject({ memories: before.memories, includesPrivate: false })
  expect(/zebra|walrus/.test(read('a.html'))).toBe(false)
  expect(read('a.html')).toContain('Private memories are left out.')
  const all = await world.json<Written>('report', '--out', 'b.html', '--include-private')
  expect(all).toMatchObject({ memories: before.memories + 1, includesPrivate: true })
  expect(/zebra/.test(read('b.html'))).toBe(true)
  const agents = newWorld({ CLAUDECODE: '1' })
  expect((await agents.memctl('report', '--include-private')).err).toContain('is for a person')
  agents.end()
})

test('cli: a project without sessions gets a report that says what will appear', async () => {
  const written = await world.json<Written>('report', '--out', 'empty.html')
  expect(written).toMatchObject({ sessions: 0, memories: 0 })
  expect(fs.readFileSync(written.file, 'utf8')).toContain('Nothing is recorded yet.')
})

test('cli: --since takes a day, and nothing else', async () => {
  runSession()
  expect(await world.json('report', '--out', 'a.html', '--since', '2026-03-03')).toMatchObject({ sessions: 0 })
  expect((await world.memctl('report', '--since', 'yesterday')).status).toBe(2)
})

test('cli: a browser is opened without a shell, whatever signs the path has', () => {
  const file = '/tmp/a "b" & $(c) 日本.html'
  for (const platform of ['linux', 'darwin', 'win32'] as const) expect(openingCommand(file, platform).at(-1)).toBe(file)
})
