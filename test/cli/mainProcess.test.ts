// The command, the hooks and the demo as processes of their own. Needs dist/ (`npm test` builds it).
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { replaySessions } from '../../bench/fixture/replaySessions.ts'
import type { DemoResult } from '../../bench/replay/demoPage.ts'
import { openStore, openStoreAt } from '../../src/broker/open/openStore.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { copyCodeCaches } from '../codeCaches.ts'
import { expectPinned } from '../formats/pin.ts'
import { shapeOf, takeParts } from '../formats/shape.ts'
import { loadRecordings } from '../testData.ts'
import { REPOSITORY } from './testContext.ts'

const CLI = path.join(REPOSITORY, 'dist', 'cli.js')
const isBuilt = fs.existsSync(CLI)

let folder: string
let project: string
/** Of the recorded sessions. */
let store: string
let env: Record<string, string>

beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-process-')))
  project = path.join(folder, 'project')
  fs.mkdirSync(project)
  env = { PATH: process.env['PATH'] ?? '', HOME: folder, MEMCTL_HOME: path.join(folder, 'home'), TMPDIR: folder }
  copyCodeCaches(env['MEMCTL_HOME']!)
  store = path.join(folder, 'recorded')
  const recorded = openStoreAt(store, project)
  for (const { session } of loadRecordings()) replaySessions(recorded, [session])
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))

const memctl = (words: readonly string[], input = '') =>
  spawnSync(process.execPath, [CLI, ...words], { cwd: project, env, input, encoding: 'utf8' })

const hook = (script: string, input: string) =>
  spawnSync(process.execPath, [path.join(REPOSITORY, `dist/hooks/${script}.cjs`)], {
    ...{ cwd: project, env, input, encoding: 'utf8' },
  })

/** The program of developers. */
const dev = (...words: readonly string[]) =>
  spawnSync(process.execPath, [path.join(REPOSITORY, 'bench/run.mjs'), 'dev', ...words], {
    ...{ cwd: project, env, encoding: 'utf8' },
  })

const payload = (event: string, fields: object = {}): string =>
  `${JSON.stringify({ session_id: 'one', hook_event_name: event, cwd: project, ...fields })}\n`

const unorganized = (): number => JSON.parse(memctl(['status', '--json']).stdout).unorganized

/** Whether the worker has organized the session. */
const isOrganized = (): boolean => {
  const store = openStore(project, env)
  return readLog(store.files, store.layout.events).events.some(({ kind }) => kind === 'session.organized')
}

describe.skipIf(!isBuilt)(isBuilt ? 'cli as a process' : 'cli as a process: skipped, run `npm run build` first', () => {
  test('cli: the hooks record, start the worker at the end, and inform the next session', async () => {
    const results = [
      hook('session-start', payload('SessionStart', { source: 'startup' })),
      hook('user-prompt-submit', payload('UserPromptSubmit', { prompt: 'From now on, always answer in French.' })),
      hook('stop', payload('Stop', { last_assistant_message: 'Oui.' })),
      hook('session-end', payload('SessionEnd', { reason: 'other' })),
    ]
    const [first, ...others] = results
    expect(JSON.parse(first?.stdout ?? '')).toEqual({ systemMessage: expect.stringContaining('/memctl:read-sessions') })
    for (const { status, stdout, stderr } of others)
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
    await expect.poll(isOrganized, { timeout: 20_000, interval: 50 }).toBe(true)
    await expect.poll(() => fs.existsSync(openStore(project, env).layout.lock), { timeout: 20_000 }).toBe(false)
    expect(unorganized()).toBe(0)

    const next = hook('session-start', payload('SessionStart', { session_id: 'two', source: 'startup' }))
    const { hookSpecificOutput } = JSON.parse(next.stdout)
    expect(hookSpecificOutput).toEqual({
      hookEventName: 'SessionStart',
      additionalContext: expect.stringContaining('Always answer in French'),
    })
  })

  test('cli: it exits without an error if the reader closes the pipe early', async () => {
    const child = spawn(process.execPath, [CLI, 'list', '--events', '--json', '--limit', '10000', '--store', store], {
      env,
      cwd: project,
    })
    let stderr = ''
    child.stderr.on('data', (text) => {
      stderr += text
    })
    child.stdout.destroy()
    const status = await new Promise((done) => child.once('close', done))
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  test('cli: long output through a pipe is complete', () => {
    const { stdout } = memctl(['list', '--events', '--json', '--limit', '10000', '--store', store])
    expect(stdout.length).toBeGreaterThan(100_000)
    expect(JSON.parse(stdout).events.length).toBeGreaterThan(200)
  })

  test('story: the demo learns from the recordings through the real hooks, and recalls it', () => {
    const { stdout, stderr, status } = dev('demo', '--json')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const demo = JSON.parse(stdout) as DemoResult
    expectPinned('demo', shapeOf([takeParts(demo, new Map())]))
    expect(demo.replayed).toMatchObject({
      recordings: 13,
      sessions: 12,
      payloads: 248,
      faults: { count: 0, latest: null },
    })
    expect(demo.start).toContain('never add comments to tests')
    expect(demo.start).toContain('コミットメッセージを日本語で')
    expect(demo.failure.command).toBe('npm test')
    expect(demo.failure.injected).toContain('npm run build:prices')
    expect(demo.failure.first?.memory.kind).toBe('lesson')
    expect(demo.ms.hook).toBeGreaterThan(0)

    const look = memctl(['status', '--json', '--store', demo.replayed.store])
    // Asked of a copy: the memory itself is as the recordings left it, and the copy is gone.
    expect(JSON.parse(look.stdout)).toMatchObject({ unorganized: 0, events: { lines: demo.replayed.events } })
    expect(fs.readdirSync(path.dirname(demo.home)).filter((name) => name.startsWith('memctl-demo-'))).toEqual([
      path.basename(demo.home),
    ])
    expect(memctl(['show', demo.failure.first!.memory.id, '--store', demo.replayed.store]).stdout).toContain(
      'derived from',
    )
  }, 120_000)
})
