// The status line in the client's settings: only on request, never instead of a person's own, and removed by uninstall.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addStatusLine, removeStatusLine } from '../../../src/cli/install/ourSettings.ts'
import { copyCodeCaches } from '../../codeCaches.ts'
import { newWorld, type World } from '../testContext.ts'

const OWN = { type: 'command', command: 'my-status.sh' }

let world: World
beforeEach(() => {
  world = newWorld()
  copyCodeCaches(path.join(world.folder, 'home'))
})
afterEach(() => world.end())

type Scope = 'local' | 'project' | 'user'

const settingsFile = (scope: Scope): string =>
  scope === 'user'
    ? path.join(world.folder, '.claude', 'settings.json')
    : path.join(world.folder, 'project', '.claude', scope === 'local' ? 'settings.local.json' : 'settings.json')

const readStatusLine = (scope: Scope = 'local') => JSON.parse(fs.readFileSync(settingsFile(scope), 'utf8')).statusLine

function writeOwn(scope: Scope): void {
  fs.mkdirSync(path.dirname(settingsFile(scope)), { recursive: true })
  fs.writeFileSync(settingsFile(scope), JSON.stringify({ statusLine: OWN }))
}

test('statusline: init sets it only with --statusline, its script exists, and uninstall removes it', async () => {
  await world.memctl('init')
  expect(readStatusLine()).toBeUndefined()
  await world.memctl('init', '--statusline')
  const { command } = readStatusLine()
  expect(fs.existsSync(/"(.*)"/.exec(command)?.[1] ?? '')).toBe(true)
  // Without the option a status line of ours stays.
  expect((await world.memctl('init')).out).toContain('already installed')
  expect(readStatusLine().command).toBe(command)
  await world.memctl('uninstall')
  expect(fs.existsSync(settingsFile('local'))).toBe(false)
})

test.each(['project', 'user'] as const)('statusline: that of a person in the %s settings stays', async (scope) => {
  writeOwn(scope)
  const { out } = await world.memctl('init', '--statusline')
  expect(out).toContain('has a status line already, which stays')
  expect(readStatusLine(scope)).toEqual(OWN)
  expect(readStatusLine('local')).toBeUndefined()
  await world.memctl('uninstall')
  expect(readStatusLine(scope)).toEqual(OWN)
})

test('statusline: adding and removing it restores the settings; without our mark it is known by its script', () => {
  const settings = { model: 'opus', permissions: { allow: [] } }
  const after = addStatusLine(settings, 'node "/r/1/statusline.cjs"')
  expect(after).toMatchObject(settings)
  expect(removeStatusLine(after ?? {})).toEqual(settings)
  expect(removeStatusLine({ statusLine: { type: 'command', command: 'node "/r/1/statusline.cjs"' } })).toEqual({})
  // A new version replaces the path of the one before.
  expect(addStatusLine(after, 'node "/r/2/statusline.cjs"')?.['statusLine']).toMatchObject({
    command: 'node "/r/2/statusline.cjs"',
  })
  expect(addStatusLine({ statusLine: OWN }, 'x')).toEqual({ statusLine: OWN })
})
