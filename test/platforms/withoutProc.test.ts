// Systems without /proc, as macOS and Windows: start times and the memory of processes are unknown there.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hasEnded } from '../../src/broker/maintenance/maintenance.ts'
import { openStore } from '../../src/broker/open/openStore.ts'
import type { SessionState } from '../../src/broker/projection/projection.ts'
import { CLIENT_SILENT_MS } from '../../src/model/limits.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { acquireLock, isOwnerAlive, processStartTime } from '../../src/store/disk/lock.ts'
import { createTestProject } from '../tempFolders.ts'
import { BEGIN, createTestStore, exampleSession, iso, loadMemories, ROOT } from '../testData.ts'

const proc = vi.hoisted(() => ({ isHidden: true }))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>()
  const readFileSync = (file: fs.PathOrFileDescriptor, ...rest: []) => {
    if (proc.isHidden && typeof file === 'string' && file.startsWith('/proc/'))
      throw Object.assign(new Error(`ENOENT: ${file}`), { code: 'ENOENT' })
    return real.readFileSync(file, ...rest)
  }
  return { ...real, readFileSync, default: { ...real, readFileSync } }
})
afterEach(() => {
  proc.isHidden = true
})

const DIST = path.resolve(import.meta.dirname, '../../dist')
const HOUR_S = 3_600

describe('platforms: without /proc', () => {
  test('platforms: a start time is unknown, and a process that runs is alive', () => {
    expect(processStartTime(process.pid)).toBeUndefined()
    expect(isOwnerAlive({ pid: process.pid })).toBe(true)
    expect(isOwnerAlive({ pid: process.pid, started: '17' })).toBe(true)
  })

  test('platforms: a lock is held for an hour, then its pid may be that of another program', () => {
    const { layout } = createTestStore()
    expect(acquireLock(realDisk, layout.lock)).toBeDefined()
    expect(acquireLock(realDisk, layout.lock)).toBeUndefined()
    const at = Date.now() / 1_000 - 0.9 * HOUR_S
    fs.utimesSync(layout.lock, at, at)
    expect(acquireLock(realDisk, layout.lock)).toBeUndefined()
    fs.utimesSync(layout.lock, at - HOUR_S, at - HOUR_S)
    expect(acquireLock(realDisk, layout.lock)).toBeDefined()
  })

  test('platforms: with a start time a lock is held as long as its owner runs', () => {
    proc.isHidden = false
    if (processStartTime(process.pid) === undefined) return
    const { layout } = createTestStore()
    expect(acquireLock(realDisk, layout.lock)).toBeDefined()
    fs.utimesSync(layout.lock, 1, 1)
    expect(acquireLock(realDisk, layout.lock)).toBeUndefined()
  })

  test('platforms: a session whose client seems to run has ended after a day without events', () => {
    const session = { ended: false, client: { pid: process.pid }, lastAt: iso(BEGIN) } as SessionState
    expect(hasEnded(session, { now: BEGIN + CLIENT_SILENT_MS })).toBe(false)
    expect(hasEnded(session, { now: BEGIN + CLIENT_SILENT_MS + 1 })).toBe(true)
    const known = { ...session, client: { pid: process.pid, started: '17' } }
    expect(hasEnded(known, { now: BEGIN + 10 * CLIENT_SILENT_MS })).toBe(false)
  })
})

/** Whether this user may hide /proc in a mount namespace of its own. */
const HIDE = 'mount -t tmpfs none /proc && exec "$0" "$@"'
const canHide = spawnSync('unshare', ['-m', 'sh', '-c', HIDE, 'true']).status === 0

describe.skipIf(!canHide)('platforms: in a namespace where /proc is empty', () => {
  test('platforms: hooks record, the watchdog runs the worker, and the worker organizes', () => {
    const { project, home, folder } = createTestProject('データ base')
    const env = { PATH: process.env['PATH'], HOME: folder, MEMCTL_HOME: home, CLAUDE_PROJECT_DIR: project }
    const run = (script: string, words: readonly string[], input: string): void => {
      const args = ['-m', 'sh', '-c', HIDE, process.execPath, path.join(DIST, script), ...words]
      const { status, stderr } = spawnSync('unshare', args, { env, input, encoding: 'utf8' })
      expect([script, status, stderr]).toEqual([script, 0, ''])
    }
    const { recorded } = exampleSession('without-proc').starts().asks('Never edit dist/ by hand.').answers('Noted.')
    for (const { payload } of recorded) {
      const script = { SessionStart: 'session-start', UserPromptSubmit: 'user-prompt-submit' }[payload.hook_event_name]
      run(`hooks/${script ?? 'stop'}.cjs`, [], JSON.stringify({ ...payload, cwd: project }).replaceAll(ROOT, project))
    }
    run('hooks/session-end.cjs', [], JSON.stringify({ ...recorded[0]?.payload, hook_event_name: 'SessionEnd' }))
    run('watchdog.cjs', [project], '')
    const store = openStore(project, env)
    expect(realDisk.read(store.layout.faults)?.toString()).toBeUndefined()
    expect(JSON.stringify(loadMemories(store))).toContain('Never edit dist/ by hand')
  })
})
