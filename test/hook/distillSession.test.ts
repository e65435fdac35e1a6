// The optional model after a session, through the real worker: it ends first, and a process of its own asks the model.
// Needs dist/ (`npm test` builds it).
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readDistillStatus } from '../../src/broker/distill/distillSessions.ts'
import { openStore } from '../../src/broker/open/openStore.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { acquireLock, readLockOwner } from '../../src/store/disk/lock.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { copyCodeCaches } from '../codeCaches.ts'
import { startModelService } from '../distill/modelService.ts'
import { isWindows } from '../platforms/platform.ts'
import { createTestProject } from '../tempFolders.ts'
import { exampleSession, MINUTE, runHookPayloads } from '../testData.ts'

const WORKER = path.resolve(import.meta.dirname, '../../dist/worker.cjs')
const isBuilt = fs.existsSync(WORKER)
/** Longer than the worker and one call may take on a busy machine. */
const WAIT = { timeout: 60_000, interval: 50 }
const service = startModelService()

/** A finished session in a store with a model; `work` runs the worker and returns its exit status. */
function createFinishedSession(config: string) {
  const { project, home } = createTestProject('distill')
  copyCodeCaches(home)
  fs.writeFileSync(path.join(home, 'config.yaml'), `distill: ${config}\n`)
  const env = { MEMCTL_HOME: home, HOME: home, PATH: process.env['PATH'], MY_KEY: 'sk-test' }
  const store = openStore(project, env)
  const session = exampleSession('session-one', Date.now() - MINUTE)
    .starts()
    .asks('Are cents safer?')
    .answers('Yes.')
  runHookPayloads(store, session.ends().recorded, project)
  const work = () =>
    new Promise<number | null>((done) => {
      spawn(process.execPath, [WORKER, project], { env, stdio: 'ignore' }).once('exit', done)
    })
  const status = () => readDistillStatus(store, env, Date.now())
  const hasLock = () => readLockOwner(realDisk, path.join(home, 'distill.lock')) !== undefined
  const kinds = () => readLog(store.files, store.layout.events).events.map(({ kind }) => kind)
  return { store, work, status, hasLock, kinds }
}

test.skipIf(!isBuilt)(
  'hook: the worker ends while the model thinks, and a process of its own stores the answer and ends',
  { timeout: 120_000 },
  async () => {
    const { store, work, status, hasLock, kinds } = createFinishedSession(
      `{ by: anthropic, endpoint: '${service.base}', keyEnv: MY_KEY, timeoutSeconds: 2 }`,
    )
    // The first request gets no answer, the second one does.
    service.replies = [null, JSON.stringify({ summary: 'Cents are safer.' })]
    expect(await work()).toBe(0)
    expect(kinds()).toContain('session.organized')
    expect(kinds()).not.toContain('session.distilled')
    await expect.poll(hasLock, WAIT).toBe(true)
    const lock = acquireLock(store.files, store.layout.lock)
    expect(lock).toBeDefined()
    lock?.release()
    await expect.poll(() => status()?.lastRun, WAIT).toMatchObject({ session: 'session-one', model: 'claude-test' })
    await expect.poll(hasLock, WAIT).toBe(false)
    expect(kinds().filter((kind) => kind === 'session.distilled')).toHaveLength(1)
    // The next worker finds nothing to read.
    expect(await work()).toBe(0)
    expect(service.calls).toHaveLength(2)
  },
)

test.skipIf(!isBuilt)('hook: without a model no second process is started', { timeout: 120_000 }, async () => {
  const { work, kinds, hasLock } = createFinishedSession('false')
  expect(await work()).toBe(0)
  expect(kinds()).toContain('session.organized')
  expect(hasLock()).toBe(false)
  expect(service.calls).toEqual([])
})

describe('the plugin', () => {
  /** A finished session; `work` runs the worker of a hook whose plugin has this setting. */
  function createPluginSession(config?: string) {
    const { folder, project, home } = createTestProject('plugin')
    copyCodeCaches(home)
    if (config !== undefined) fs.writeFileSync(path.join(home, 'config.yaml'), config)
    // Stands for the person's own client.
    const answer = JSON.stringify({ result: JSON.stringify({ summary: 'Cents are safer.' }) })
    fs.writeFileSync(path.join(folder, 'claude'), `#!/bin/sh\ncat > /dev/null\necho '${answer}'\n`, { mode: 0o755 })
    const env = { MEMCTL_HOME: home, HOME: home, PATH: `${folder}:${process.env['PATH']}` }
    const store = openStore(project, env)
    const session = exampleSession('session-one', Date.now() - MINUTE)
      .starts()
      .asks('Are cents safer?')
      .answers('Yes.')
    runHookPayloads(store, session.ends().recorded, project)
    const work = (setting?: string) =>
      new Promise<number | null>((done) => {
        const option = setting === undefined ? {} : { CLAUDE_PLUGIN_OPTION_READ_SESSIONS: setting }
        spawn(process.execPath, [WORKER, project], { env: { ...env, ...option }, stdio: 'ignore' }).once('exit', done)
      })
    return { work, status: () => readDistillStatus(store, env, Date.now()), home }
  }

  test.skipIf(!isBuilt || isWindows)(
    'hook: with the setting of the plugin and without config.yaml the client reads the session',
    { timeout: 120_000 },
    async () => {
      const { work, status } = createPluginSession()
      expect(await work('true')).toBe(0)
      await expect.poll(() => status()?.lastRun, WAIT).toMatchObject({ session: 'session-one' })
      expect(status()).toMatchObject({ by: 'claude', total: { sessions: 1 } })
      // Without the plugin its answer is gone too.
      expect(await work()).toBe(0)
      expect(status()).toBeNull()
    },
  )

  test.skipIf(!isBuilt || isWindows).each([
    ['false', undefined],
    ['true', 'distill: false\n'],
  ])('hook: nothing is read with the setting %s of the plugin and %j in config.yaml', async (setting, config) => {
    const { work, status, home } = createPluginSession(config)
    expect(await work(setting)).toBe(0)
    expect(status()).toBeNull()
    expect(fs.existsSync(path.join(home, 'distill.json'))).toBe(false)
  })
})
