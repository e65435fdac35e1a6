// After a session end the hook exits at once, its worker when it is done, and no memctl process remains.
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findProcesses, pause } from '../../bench/fixture/processes.ts'
import { openStore, type Store } from '../../src/broker/open/openStore.ts'
import { confirmProjectId } from '../../src/broker/open/projectTrust.ts'
import { loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import { acquireLock } from '../../src/store/disk/lock.ts'
import { createTestProject } from '../tempFolders.ts'
import { built, started } from './processes.ts'
import { day, live } from './shop.ts'

const hasProc = fs.existsSync('/proc/self/cmdline')
const TITLE = hasProc ? 'crash: after a session' : 'crash: after a session (skipped: no /proc here)'

const { folder, project } = createTestProject('after')
let store: Store
beforeAll(async () => {
  await built(path.join(folder, 'built', 'hooks'), ['hooks/session-end.ts', 'hooks/session-start.ts'])
  await built(path.join(folder, 'built'), ['src/hook/worker.ts', 'src/hook/watchdog.ts'])
})

const env = (at = project) => ({ MEMCTL_HOME: path.join(folder, 'home'), HOME: folder, CLAUDE_PROJECT_DIR: at })
const hook = (name: string, payload: object, at = project) =>
  started([path.join(folder, 'built', 'hooks', `${name}.cjs`)], env(at), `${JSON.stringify(payload)}\n`).ended

const QUIET = { status: 0, signal: null, stdout: '', stderr: '' }

/** Waits until no memctl process is left, at most until the time limit of the test. */
async function alone(): Promise<void> {
  while (findProcesses(path.join(folder, 'built')).length > 0) await pause(20)
}

describe.skipIf(!hasProc)(TITLE, () => {
  beforeEach(() => {
    fs.rmSync(path.join(folder, 'home'), { recursive: true, force: true })
    store = openStore(project, env())
  })

  const ended = (session: string) => ({ session_id: session, hook_event_name: 'SessionEnd', reason: 'other' })
  const left = (session: string) => loadProjection(store).projection.sessions.get(session as never)?.pending.length

  test('crash: when the worker of an ended session is done, no memctl process is alive', async () => {
    live(store, day(1, 'one'))
    expect(await hook('session-end', ended('one'))).toEqual(QUIET)
    while (left('one') !== 0) await pause(20)
    await alone()
    expect(fs.existsSync(store.layout.lock)).toBe(false)
    expect(fs.existsSync(store.layout.faults)).toBe(false)
  }, 60_000)

  test('crash: a nested project of a repository is organized when its session ends', async () => {
    const part = path.join(folder, 'whole', 'part')
    fs.mkdirSync(path.join(part, '.memctl'), { recursive: true })
    fs.writeFileSync(path.join(part, '.memctl', 'project.yaml'), 'id: part\n')
    fs.mkdirSync(path.join(folder, 'whole', '.git'), { recursive: true })
    fs.writeFileSync(path.join(folder, 'whole', '.git', 'HEAD'), 'ref: refs/heads/main\n')
    confirmProjectId(part, env())
    store = openStore(part, env())
    expect(store.project.name).toBe('part')
    live(store, day(1, 'one'))
    expect(await hook('session-end', ended('one'), part)).toEqual(QUIET)
    await alone()
    expect(left('one')).toBe(0)
  }, 60_000)

  test('crash: a running memctl process is found', async () => {
    const script = path.join(folder, 'built', 'waits.cjs')
    fs.writeFileSync(script, 'setInterval(() => {}, 1000)')
    const { child, ended: gone } = started([script], {})
    while (findProcesses(path.join(folder, 'built')).length === 0) await pause(5)
    child.kill('SIGKILL')
    await gone
    expect(findProcesses(path.join(folder, 'built'))).toEqual([])
  })

  test('crash: many sessions that end together are all organized, and no worker remains', async () => {
    const names = ['one', 'two', 'three', 'four', 'five']
    names.forEach((name, i) => live(store, day(i, name)))
    expect(await Promise.all(names.map((name) => hook('session-end', ended(name))))).toEqual(names.map(() => QUIET))
    await alone()
    expect(names.map(left)).toEqual(names.map(() => 0))
  }, 60_000)

  test('crash: a worker waits for a running worker, then completes the remaining work', async () => {
    live(store, day(1, 'one'))
    const lock = acquireLock(store.files, store.layout.lock)!
    expect(await hook('session-end', ended('one'))).toEqual(QUIET)
    await pause(500)
    lock.release()
    await alone()
    expect(left('one')).toBe(0)
  }, 60_000)
})
