// memctl uninstall --purge: it shows what it deletes, asks, and deletes nothing that is not memctl's.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deleteHome } from '../../../src/cli/install/purgeHome.ts'
import { runCli } from '../../../src/cli/runCli.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { acquireLock } from '../../../src/store/disk/lock.ts'
import { storeLayout } from '../../../src/store/disk/paths.ts'
import { copyCodeCaches } from '../../codeCaches.ts'
import { newWorld, type World } from '../testContext.ts'

let world: World
let home: string
let second: string
const SETTINGS = '{"model":"opus", "hooks":{}}'

beforeEach(async () => {
  world = newWorld()
  home = path.join(world.folder, 'home')
  second = path.join(world.folder, '二 番目')
  for (const folder of ['project', '二 番目']) {
    const file = path.join(world.folder, folder, '.claude/settings.local.json')
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, SETTINGS)
  }
  copyCodeCaches(home)
  await world.memctl('init')
  await world.memctl('init', '--project', second)
  await world.memctl('remember', '設定 is in config.yaml')
}, 60_000)
afterEach(() => world.end())

const own = (): string => path.join(world.folder, 'project/.claude/settings.local.json')
const other = (): string => path.join(second, '.claude/settings.local.json')
const read = (file: string): string => fs.readFileSync(file, 'utf8')

/** Runs `memctl` with somebody at the terminal who gives this answer; `seen` looks while the question is asked. */
async function runAtTerminal(words: readonly string[], answer: string, seen = () => {}) {
  let out = ''
  const screen = {
    write: (text: string) => {
      out += text
    },
  }
  const status = await runCli(words, {
    out: screen,
    err: screen,
    cwd: path.join(world.folder, 'project'),
    stdin: () => '',
    env: { HOME: world.folder, MEMCTL_HOME: home, CLAUDE_CONFIG_DIR: path.join(world.folder, '.claude') },
    ask: async (question) => {
      out += question
      seen()
      return answer
    },
  })
  return { status, out }
}

describe('uninstall --purge', () => {
  test('purge: before it asks, it shows the projects, the sizes and who else uses the hooks', async () => {
    const there = () => expect([fs.existsSync(home), read(own())]).toEqual([true, expect.stringContaining('runtime')])
    const { status, out } = await runAtTerminal(['uninstall', '--purge'], 'no', there)
    expect(status).toBe(2)
    expect(out).toContain(`${home} is deleted, with the memories of 1 project:\n  project-`)
    expect(out).toMatch(/runtime \([\d.]+ [kM]B\)/)
    expect(out.indexOf(`  ${other()}\n`)).toBeGreaterThan(0)
    expect(out.indexOf(`  ${other()}\n`)).toBeLessThan(out.indexOf('Delete '))
    expect(out).toMatch(/Nothing was deleted\.\n$/)
    there()
  })

  test('purge: after yes, the home is gone and the settings have their bytes; others are not changed', async () => {
    const before = read(other())
    const { status, out } = await runAtTerminal(['uninstall', '--purge'], 'yes')
    expect({ status, out }).toEqual({ status: 0, out: expect.stringContaining(`${home} is deleted.`) })
    expect([fs.existsSync(home), read(own()), read(other())]).toEqual([false, SETTINGS, before])
  })

  test('purge: while a worker writes to a store nothing is deleted; afterwards nothing of it is left', () => {
    const [name = ''] = fs.readdirSync(path.join(home, 'projects'))
    const lock = acquireLock(realDisk, storeLayout(path.join(home, 'projects', name)).lock)
    const options = { home, project: path.join(world.folder, 'project'), packageRoot: '', version: '' }
    expect(() => deleteHome(options, 0)).toThrow(expect.objectContaining({ code: 'STORE_BUSY' }))
    expect(fs.existsSync(path.join(home, 'projects', name, 'manifest.json'))).toBe(true)
    lock?.release()
    deleteHome(options, 0)
    expect(fs.readdirSync(world.folder).filter((entry) => entry.startsWith('home'))).toEqual([])
  })

  test('purge: without a terminal it needs --yes, which still names who else uses the hooks first', async () => {
    const refused = await world.memctl('uninstall', '--purge')
    expect(refused).toMatchObject({ status: 2, err: expect.stringContaining('--yes') })
    expect([fs.existsSync(home), read(own())]).toEqual([true, expect.stringContaining('runtime')])
    const { status, out } = await world.memctl('uninstall', '--purge', '--yes')
    expect({ status, out }).toEqual({ status: 0, out: expect.stringContaining(`${home} is deleted.`) })
    expect(out.indexOf(other())).toBeGreaterThan(0)
    expect(out.indexOf(other())).toBeLessThan(out.indexOf('memctl is no longer installed'))
    expect([fs.existsSync(home), read(own())]).toEqual([false, SETTINGS])
  })

  test('purge: a dry run shows the same and changes nothing, as text and as JSON', async () => {
    const { status, out } = await world.memctl('uninstall', '--purge', '--dry-run')
    expect({ status, out }).toEqual({ status: 0, out: expect.stringContaining(`  ${other()}\n`) })
    const preview = await world.json('uninstall', '--purge', '--dry-run')
    expect(preview).toMatchObject({ home, usedBy: [other()], projects: [expect.stringMatching(/^project-/)] })
    expect([fs.existsSync(home), read(own())]).toEqual([true, expect.stringContaining('runtime')])
  })

  test.each(['home', 'home/projects'])('purge: if %s is a link, nothing is deleted', async (name) => {
    const behind = path.join(world.folder, 'disk')
    fs.renameSync(path.join(world.folder, name), behind)
    fs.symlinkSync(behind, path.join(world.folder, name))
    const before = read(own())
    const { status, err } = await world.memctl('uninstall', '--purge', '--yes')
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining('is a link') })
    expect([read(own()), fs.readdirSync(behind).length > 0]).toEqual([before, true])
  })

  test.each(['.', 'project'])(
    'purge: a home that is or contains %s is refused before anything changes',
    async (name) => {
      const before = read(own())
      home = path.join(world.folder, name)
      const { status, out } = await runAtTerminal(['uninstall', '--purge', '--yes'], 'yes')
      expect({ status, out }).toEqual({ status: 2, out: expect.stringContaining('so it is not deleted') })
      expect(read(own())).toBe(before)
      expect(fs.existsSync(path.join(world.folder, 'home/projects'))).toBe(true)
    },
  )
})

test('uninstall: who else uses the hooks is named before a file changes', async () => {
  let unchanged: boolean | undefined
  const screen = {
    write: (text: string) => {
      if (text.includes(other())) unchanged = read(own()).includes('runtime')
    },
  }
  await runCli(['uninstall'], {
    out: screen,
    err: screen,
    cwd: path.join(world.folder, 'project'),
    stdin: () => '',
    env: { HOME: world.folder, MEMCTL_HOME: home, CLAUDE_CONFIG_DIR: path.join(world.folder, '.claude') },
  })
  expect(unchanged).toBe(true)
  expect(read(own())).toBe(SETTINGS)
})

test('init: the settings of a clone that link out of it are not written through', async () => {
  const user = path.join(world.folder, '.claude/settings.json')
  fs.mkdirSync(path.dirname(user), { recursive: true })
  fs.writeFileSync(user, SETTINGS)
  const clone = path.join(world.folder, 'clone')
  fs.mkdirSync(path.join(clone, '.claude'), { recursive: true })
  fs.symlinkSync(user, path.join(clone, '.claude/settings.local.json'))
  const { status, err } = await world.memctl('init', '--project', clone)
  expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining('is a link out of the project') })
  expect(read(user)).toBe(SETTINGS)
})

test.each([
  ['.claude', []],
  ['.claude/commands', []],
  ['CLAUDE.md', ['list', '--claude-md', '--write']],
])('links: nothing is written through %s of a clone that leads out of it', async (name, words) => {
  const clone = path.join(world.folder, 'linked')
  const outside = path.join(world.folder, 'outside')
  fs.mkdirSync(outside)
  fs.writeFileSync(path.join(outside, 'mine.md'), 'mine\n')
  fs.mkdirSync(path.dirname(path.join(clone, name)), { recursive: true })
  fs.symlinkSync(name === 'CLAUDE.md' ? path.join(outside, 'mine.md') : outside, path.join(clone, name))
  await world.memctl('remember', '--project', clone, 'Use `pnpm` for packages')
  const { status, err } = await world.memctl(...(words.length > 0 ? words : ['init']), '--project', clone)
  expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining('is a link out of the project') })
  expect(fs.readdirSync(outside)).toEqual(['mine.md'])
  expect(read(path.join(outside, 'mine.md'))).toBe('mine\n')
  expect(fs.existsSync(path.join(clone, '.claude/settings.local.json'))).toBe(false)
})
