// The hub after a session, through the real worker: it ends first, and a process of its own exchanges the changes.
// Needs dist/ (`npm test` builds it).
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../../src/broker/open/openStore.ts'
import { readHubStatus } from '../../src/broker/team/hubStatus.ts'
import { joinTeam } from '../../src/broker/team/membership.ts'
import { newMachineId, openHub } from '../../src/broker/team/syncProjects.ts'
import { openDatabase } from '../../src/database/database.ts'
import { MIGRATIONS, migrate } from '../../src/database/migrate.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { readLockOwner } from '../../src/store/disk/lock.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { copyCodeCaches } from '../codeCaches.ts'
import { startTestDatabase, type TestDatabase } from '../database/server.ts'
import { createTestProject } from '../tempFolders.ts'
import { exampleSession, loadMemories, MINUTE, runHookPayloads } from '../testData.ts'

const WORKER = path.resolve(import.meta.dirname, '../../dist/worker.cjs')
const isBuilt = fs.existsSync(WORKER)
/** Longer than the worker and one exchange may take on a busy machine. */
const WAIT = { timeout: 60_000, interval: 50 }
const FAILED = "Error: Cannot find module '../dist/prices.json'"

let server: TestDatabase
beforeAll(async () => {
  if (!isBuilt) return
  server = await startTestDatabase()
  const database = await openDatabase({ url: server.url })
  await migrate(database, { migrations: MIGRATIONS, dimension: 256 })
  await database.close()
}, 60_000)
afterAll(() => server?.stop())

/** A person's home with a finished session; `work` runs the worker and returns its exit status. */
function createFinishedSession(name: string, url: string | undefined) {
  const { project, home } = createTestProject(`sync-${name}`)
  copyCodeCaches(home)
  const hub = url === undefined ? '' : `hub: { url: '${url}', name: ${name} }\n`
  fs.writeFileSync(path.join(home, 'config.yaml'), hub)
  const env = { MEMCTL_HOME: home, HOME: home, PATH: process.env['PATH'] }
  const store = openStore(project, env)
  const session = exampleSession(`session-${name}`, Date.now() - MINUTE)
    .starts()
    .asks('Make the tests pass.')
  session.fails('npm test', FAILED).runs('npm run build:prices', 'ok').runs('npm test', 'ok').answers('They pass.')
  runHookPayloads(store, session.ends().recorded, project)
  const work = () =>
    new Promise<number | null>((done) => {
      spawn(process.execPath, [WORKER, project], { env, stdio: 'ignore' }).once('exit', done)
    })
  const join = async () => {
    const { hub: opened } = await openHub({ url: url ?? '' }, env)
    await joinTeam(store, { hub: opened, project: 'example.com/shop', name, now: Date.now(), newId: newMachineId })
    await opened.close()
  }
  const hasLock = () => readLockOwner(realDisk, path.join(home, 'hub.lock')) !== undefined
  const kinds = () => readLog(store.files, store.layout.events).events.map(({ kind }) => kind)
  return { store, env, work, join, hasLock, kinds }
}

test.skipIf(!isBuilt)(
  'hook: what a session has learned is sent after it ended, and what others learned comes',
  {
    timeout: 180_000,
  },
  async () => {
    const [aki, ben] = ['Aki', 'Ben'].map((name) => createFinishedSession(name, server.url)) as [
      ReturnType<typeof createFinishedSession>,
      ReturnType<typeof createFinishedSession>,
    ]
    for (const person of [aki, ben, aki]) {
      if (!person.kinds().includes('team.joined')) await person.join()
      const before = readHubStatus(person.store, person.env)?.lastSync
      expect(await person.work()).toBe(0)
      await expect.poll(() => readHubStatus(person.store, person.env)?.lastSync !== before, WAIT).toBe(true)
      await expect.poll(person.hasLock, WAIT).toBe(false)
      expect(readHubStatus(person.store, person.env)?.fault).toBeNull()
    }
    for (const { store } of [aki, ben]) {
      const lesson = Object.values(loadMemories(store)).find(({ kind }) => kind === 'lesson')
      expect(lesson?.team).toMatchObject({ people: 2, replicas: 2, own: true })
    }
  },
)

test.skipIf(!isBuilt)(
  'hook: without a hub, and before a project has joined it, nothing is started',
  {
    timeout: 120_000,
  },
  async () => {
    for (const url of [undefined, server.url]) {
      const { work, kinds, env, hasLock } = createFinishedSession('Cy', url)
      expect(await work()).toBe(0)
      expect(kinds()).toContain('session.organized')
      expect([hasLock(), fs.existsSync(path.join(env.MEMCTL_HOME, 'hub.json'))]).toEqual([false, false])
      expect(kinds().filter((kind) => kind.startsWith('team.'))).toEqual([])
    }
  },
)

test.skipIf(!isBuilt)(
  'hook: a hub that is down costs the session nothing, and one line says so',
  {
    timeout: 120_000,
  },
  async () => {
    const person = createFinishedSession('Dan', server.url)
    await person.join()
    fs.writeFileSync(path.join(person.env.MEMCTL_HOME, 'config.yaml'), "hub: { url: 'postgresql://a@127.0.0.1:9/x' }\n")
    expect(await person.work()).toBe(0)
    expect(person.kinds()).toContain('session.organized')
    await expect.poll(() => readHubStatus(person.store, person.env)?.fault?.code, WAIT).toBe('DATABASE_UNREACHABLE')
  },
)
