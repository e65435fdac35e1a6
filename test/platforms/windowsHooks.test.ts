// The built hooks, the watchdog and the worker on a simulated Windows: fakeWindows.cjs says what it simulates.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openStoreAt } from '../../src/broker/open/openStore.ts'
import type { RecordedPayload } from '../../src/broker/replay/replaySessions.ts'
import { HOOK_REGISTRATIONS } from '../../src/model/hookEvents.ts'
import { newFolder } from '../tempFolders.ts'
import { loadMemories, loadRecordings, ROOT } from '../testData.ts'
import { LINUX_ROOT, toLinux, toWindows, WINDOWS_ROOT, withRoot } from './windowsTwin.ts'

const DIST = path.resolve(import.meta.dirname, '../../dist')
const FAKE = path.resolve(import.meta.dirname, 'fakeWindows.cjs')
const HOME = 'Users/太郎'

interface Machine {
  /** The real folder of `C:\`. */
  readonly drive: string
  readonly env: NodeJS.ProcessEnv
}

/** A machine with a clone of the shop, as git for Windows leaves it: CRLF in its files. */
function createMachine(more: NodeJS.ProcessEnv = {}): Machine {
  const drive = newFolder('drive')
  const project = path.join(drive, HOME, 'my shop')
  fs.mkdirSync(path.join(project, '.git'), { recursive: true })
  fs.mkdirSync(path.join(project, 'src'))
  fs.mkdirSync(path.join(drive, 'Temp'))
  fs.writeFileSync(path.join(project, '.git/HEAD'), 'ref: refs/heads/main\r\n')
  fs.writeFileSync(
    path.join(project, '.git/config'),
    '[core]\r\n\tignorecase = true\r\n[remote "origin"]\r\n\turl = https://github.com/Taro/my-shop.git\r\n',
  )
  const env = {
    PATH: process.env['PATH'],
    USERPROFILE: 'C:\\Users\\太郎',
    CLAUDE_PROJECT_DIR: WINDOWS_ROOT,
    CLAUDE_PID: String(process.pid),
    NODE_OPTIONS: `--require ${FAKE}`,
    FAKE_DRIVE: drive,
    FAKE_TOOLS: path.dirname(DIST),
    ...more,
  }
  return { drive, env }
}

/** Runs the hook of a payload; returns what it adds to the conversation. */
function runHook({ env }: Machine, payload: Readonly<Record<string, unknown>>, more: NodeJS.ProcessEnv = {}): string {
  const script = HOOK_REGISTRATIONS.find(({ event }) => event === payload['hook_event_name'])?.script
  if (script === undefined) return ''
  const input = `${JSON.stringify(payload)}\n`
  const result = spawnSync(process.execPath, [path.join(DIST, 'hooks', `${script}.cjs`)], {
    input,
    encoding: 'utf8',
    env: { ...env, ...more },
    cwd: '/',
  })
  expect([script, result.status, result.stderr]).toEqual([script, 0, ''])
  return result.stdout === '' ? '' : JSON.parse(result.stdout).hookSpecificOutput.additionalContext
}

/** Runs the worker, as the hook of the session's end starts it, and waits for it. */
function runWorker({ env }: Machine, script = 'watchdog.cjs'): void {
  const result = spawnSync(process.execPath, [path.join(DIST, script), WINDOWS_ROOT], {
    encoding: 'utf8',
    env,
    cwd: '/',
  })
  expect([script, result.status, result.stderr]).toEqual([script, 0, ''])
}

const home = ({ drive }: Machine): string => path.join(drive, HOME, '.memctl')

const storesOf = (machine: Machine): string[] => fs.readdirSync(path.join(home(machine), 'projects'))

/** What hooks and workers wrote down as faults. */
function faultsOf(machine: Machine): string {
  return storesOf(machine)
    .map((name) => path.join(home(machine), 'projects', name, 'faults.jsonl'))
    .map((file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''))
    .join('')
}

const memoriesOf = (machine: Machine): string[] => {
  const folder = path.join(home(machine), 'projects', storesOf(machine)[0] ?? '')
  return Object.values(loadMemories(openStoreAt(folder, WINDOWS_ROOT))).map(({ content }) => toLinux(content))
}

const session = (name: string): RecordedPayload[] =>
  toWindows(
    withRoot(loadRecordings().find((recording) => recording.name.includes(name))?.session ?? [], ROOT, LINUX_ROOT),
    'Bash',
  )

describe('platforms: hooks and worker on a simulated Windows', () => {
  let machine: Machine
  const notes: string[] = []
  beforeAll(() => {
    machine = createMachine({ FAKE_BUSY: '3' })
    for (const { payload } of session('fresh-clone'))
      if (payload.hook_event_name !== 'SessionEnd') runHook(machine, payload)
    const [first] = session('fresh-clone')
    runHook(machine, { ...first?.payload, hook_event_name: 'SessionEnd', reason: 'other' })
    runWorker(machine)
    for (const { payload } of session('red-again')) notes.push(runHook(machine, payload))
  })

  test('platforms: the store is in the folder of the user, for one project, and nothing went wrong', () => {
    expect(fs.readdirSync(machine.drive).sort()).toEqual(['Temp', 'Users'])
    expect(storesOf(machine)).toEqual([expect.stringMatching(/^my-shop-[0-9a-f]{12}$/)])
    expect(faultsOf(machine)).toBe('')
  })

  test('platforms: the session is organized, and the next one is shown its lesson', () => {
    expect(memoriesOf(machine).join('\n')).toContain('npm test')
    expect(notes.join('\n')).toMatch(/npm run build|prices\.json/)
  })

  test('platforms: a folder is one project in any case, from a subfolder, with either separator', () => {
    const start = { ...session('red-again')[0]?.payload, session_id: 'another' }
    for (const folder of ['c:\\users\\太郎\\MY SHOP', 'C:/Users/太郎/my shop/src', '\\\\?\\C:\\Users\\太郎\\my shop'])
      runHook(machine, start, { CLAUDE_PROJECT_DIR: folder })
    expect(storesOf(machine)).toHaveLength(1)
  })

  test('platforms: without links, and with files that stay open longer, everything is kept', () => {
    const other = createMachine({ FAKE_BUSY: '6', FAKE_NO_LINKS: '1' })
    for (const { payload } of session('integer-cents')) runHook(other, payload)
    runWorker(other, 'worker.cjs')
    expect(faultsOf(other)).toBe('')
    expect(memoriesOf(other).length).toBeGreaterThan(0)
  })
})
