// The built hooks, the watchdog and the worker on a simulated Windows: fakeWindows.cjs says what it simulates.
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RecordedPayload } from '../../bench/fixture/replaySessions.ts'
import { loadRecordings, ROOT } from '../testData.ts'
import { FakeMachine } from './fakeMachine.ts'
import { LINUX_ROOT, toWindows, WINDOWS_ROOT, withRoot } from './windowsTwin.ts'

/** A machine with a clone of the shop, as git for Windows leaves it: CRLF in its files. */
function createWindows(more: NodeJS.ProcessEnv): FakeMachine {
  const env = { USERPROFILE: 'C:\\Users\\太郎', ...more }
  const machine = new FakeMachine({ preload: 'fakeWindows.cjs', project: WINDOWS_ROOT, home: 'Users/太郎', env })
  fs.mkdirSync(path.join(machine.drive, 'Temp'))
  machine.write('my shop/src/cart.js', 'export const cart = []\r\n')
  machine.write('my shop/.git/HEAD', 'ref: refs/heads/main\r\n')
  const origin = '[remote "origin"]\r\n\turl = https://github.com/Taro/my-shop.git\r\n'
  machine.write('my shop/.git/config', `[core]\r\n\tignorecase = true\r\n${origin}`)
  return machine
}

function windowsSession(name: string): RecordedPayload[] {
  const session = loadRecordings().find((recording) => recording.name.includes(name))?.session ?? []
  return toWindows(withRoot(session, ROOT, LINUX_ROOT), 'Bash')
}

describe('platforms: hooks and worker on a simulated Windows', () => {
  let machine: FakeMachine
  const notes: string[] = []
  beforeAll(() => {
    machine = createWindows({ FAKE_BUSY: '3' })
    for (const { payload } of windowsSession('fresh-clone')) machine.runHook(payload)
    machine.runWorker()
    for (const { payload } of windowsSession('red-again')) notes.push(machine.runHook(payload))
  })

  test('platforms: the store is in the folder of the user, for one project, and nothing went wrong', () => {
    expect(fs.readdirSync(machine.drive).sort()).toEqual(['Temp', 'Users'])
    expect(machine.stores.map((folder) => path.basename(folder))).toEqual([
      expect.stringMatching(/^my-shop-[0-9a-f]{12}$/),
    ])
    expect(machine.faults).toBe('')
  })

  test('platforms: the session is organized, and the next one is shown its lesson', () => {
    expect(machine.memories.join('\n')).toContain('npm test')
    expect(notes.join('\n')).toMatch(/npm run build|prices\.json/)
  })

  test('platforms: a folder is one project in any case, from a subfolder, with either separator', () => {
    const start = { ...windowsSession('red-again')[0]?.payload, session_id: 'another' }
    for (const folder of ['c:\\users\\太郎\\MY SHOP', 'C:/Users/太郎/my shop/src', '\\\\?\\C:\\Users\\太郎\\my shop'])
      machine.runHook(start, { CLAUDE_PROJECT_DIR: folder })
    expect(machine.stores).toHaveLength(1)
  })

  test('platforms: without links, and with files that stay open longer, everything is kept', {
    timeout: 120_000,
  }, () => {
    const other = createWindows({ FAKE_BUSY: '6', FAKE_NO_LINKS: '1' })
    for (const { payload } of windowsSession('integer-cents')) other.runHook(payload)
    other.runWorker('worker.cjs')
    expect(other.faults).toBe('')
    expect(other.memories.length).toBeGreaterThan(0)
  })
})
