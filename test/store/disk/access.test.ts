// Files of memctl belong to their owner only, whatever the umask; stores of earlier versions are migrated.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkAccess } from '../../../src/broker/checks/checkFiles.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { findOpenAccess, restrictFiles } from '../../../src/broker/maintenance/restrictFiles.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { runCli } from '../../../src/cli/runCli.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { copyCodeCaches } from '../../codeCaches.ts'
import { createTestProject, newFolder } from '../../tempFolders.ts'

const DIST = path.resolve(import.meta.dirname, '../../../dist')
const HOME_MODES = { files: 0o600, folders: 0o700 }
const user = process.getuid?.()

/** Runs a built program of memctl under a umask. */
function runUnder(umask: string, script: string, words: readonly string[], { project, home }: Folders, stdin = '') {
  const command = `umask ${umask}; exec "$0" "$@"`
  return spawnSync('sh', ['-c', command, process.execPath, path.join(DIST, script), ...words], {
    cwd: project,
    input: stdin,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: path.dirname(project), MEMCTL_HOME: home, CLAUDE_PROJECT_DIR: project },
  })
}

/** Runs a command of memctl in this process, under a umask. Returns what it wrote to stderr. */
async function commandUnder(umask: string, words: readonly string[], { project, home }: Folders): Promise<string> {
  let err = ''
  const keep = (text: string): void => {
    err += text
  }
  const before = process.umask(umask)
  try {
    await runCli(words, {
      ...{ out: { write: () => {} }, err: { write: keep }, cwd: project, stdin: () => '' },
      env: { PATH: process.env['PATH'], HOME: path.dirname(project), MEMCTL_HOME: home, CLAUDE_PROJECT_DIR: project },
    })
  } finally {
    process.umask(before)
  }
  return err
}

interface Folders {
  readonly project: string
  readonly home: string
}

const modeOf = (file: string): number => fs.lstatSync(file).mode & 0o777

/**
 * Everything under a folder whose mode is not as expected, as `path: mode`. A worker may remove its lock after it was
 * listed.
 */
function otherModes(folder: string, { files, folders }: typeof HOME_MODES): string[] {
  const lookAt = (name: string) => fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false })
  // Links lead to packages, which are not memctl's.
  const isLinked = (name: string): boolean =>
    name.split('/').some((_, i, all) => lookAt(all.slice(0, i + 1).join('/'))?.isSymbolicLink())
  const names = ['', ...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !isLinked(name))]
  return names.flatMap((name) => {
    const entry = lookAt(name)
    if (entry === undefined) return []
    const mode = entry.mode & 0o777
    return mode === (entry.isDirectory() ? folders : files) ? [] : [`${name}: ${mode.toString(8)}`]
  })
}

describe.skipIf(user === undefined)('access: files belong to their owner only', () => {
  test.each(['000', '022', '077'])(
    'access: under umask %s hooks, worker and commands create 0600 and 0700',
    async (umask) => {
      const folders = createTestProject('access')
      const { project, home } = folders
      // Under 000, which leaves most to memctl, it makes them itself.
      if (umask !== '000') copyCodeCaches(home)
      const session = { session_id: 'one', cwd: project, transcript_path: `${project}/t.jsonl` }
      for (const [script, fields] of [
        ['session-start', { hook_event_name: 'SessionStart', source: 'startup' }],
        ['user-prompt-submit', { hook_event_name: 'UserPromptSubmit', prompt: 'Always run npm test before a commit.' }],
      ] as const) {
        const input = `${JSON.stringify({ ...session, ...fields })}\n`
        expect(runUnder(umask, `hooks/${script}.cjs`, [], folders, input).status).toBe(0)
        expect(otherModes(home, HOME_MODES)).toEqual([])
      }
      for (const words of [
        ['organize', '--all'],
        ['remember', 'Prices are integer cents.'],
        ['entry', 'save', 'prices', '--content', 'Prices are integer cents.', '--global'],
        ['entry', 'save', 'stock', '--content', 'Stock is counted at night.'],
        ['init', '--mcp'],
        ['rebuild'],
      ]) {
        const stderr = await commandUnder(umask, words, folders)
        expect({ words, modes: otherModes(home, HOME_MODES), stderr }).toMatchObject({ words, modes: [] })
      }
      expect(fs.readdirSync(home)).toEqual(expect.arrayContaining(['projects', 'access.json']))
      // Git shares the entries of a project, so their modes are the user's choice.
      const entry = path.join(project, '.memctl/memory/stock.md')
      expect(modeOf(entry)).toBe(0o666 & ~Number.parseInt(umask, 8))
    },
  )

  test('access: a home of an earlier version is migrated by the next maintenance, once', () => {
    const { project, home } = createTestProject('access-old')
    const store = openStore(project, { MEMCTL_HOME: home })
    runMaintenance(store, { now: Date.now() })
    fs.rmSync(path.join(home, 'access.json'))
    fs.mkdirSync(path.join(home, 'global/memory'), { recursive: true })
    fs.writeFileSync(path.join(home, 'global/memory/a.md'), 'text')
    const outside = path.join(newFolder('outside'), 'file')
    fs.writeFileSync(outside, 'text', { mode: 0o644 })
    fs.symlinkSync(outside, path.join(home, 'link'))
    const program = path.join(home, 'reader')
    fs.writeFileSync(program, '#!/bin/sh')
    open(home)
    fs.chmodSync(program, 0o755)
    runMaintenance(store, { now: Date.now() })
    expect(modeOf(program)).toBe(0o700)
    fs.rmSync(program)
    expect(otherModes(home, HOME_MODES).filter((name) => !name.startsWith('link'))).toEqual([])
    expect(modeOf(outside)).toBe(0o644)
    // Later runs read no modes of files: what a person opens deliberately stays, and doctor reports it.
    fs.chmodSync(path.join(home, 'global/memory/a.md'), 0o644)
    runMaintenance(store, { now: Date.now() })
    expect(modeOf(path.join(home, 'global/memory/a.md'))).toBe(0o644)
  })

  test('access: doctor reports open files, foreign owners and folders above that others may write', () => {
    const { folder, project, home } = createTestProject('access-doctor')
    const store = openStore(project, { MEMCTL_HOME: home })
    runMaintenance(store, { now: Date.now() })
    fs.chmodSync(folder, 0o755)
    expect(checkAccess(store, user).map(({ state }) => state)).toEqual(['ok'])
    // Nobody else reaches a file in a folder that is closed.
    fs.chmodSync(store.layout.manifest, 0o640)
    expect(checkAccess(store, user).map(({ state }) => state)).toEqual(['ok'])
    for (let at = path.dirname(store.layout.manifest); at.startsWith(home); at = path.dirname(at))
      fs.chmodSync(at, 0o711)
    expect(checkAccess(store, user)).toMatchObject([{ state: 'fail', where: expect.stringContaining(home) }])
    expect(checkAccess(store, (user ?? 0) + 1)[0]).toMatchObject({ state: 'fail', what: /belong to another user/ })
    expect(restrictFiles(realDisk, home)).toBe(4)
    expect([...findOpenAccess(realDisk, home, user)]).toEqual([])
    fs.chmodSync(folder, 0o777)
    expect(checkAccess(store, user)).toMatchObject([{ state: 'warn', where: folder }])
  })

  test('access: doctor --fix repairs what it reports', () => {
    const folders = createTestProject('access-fix')
    runUnder('022', 'cli.js', ['remember', 'Prices are integer cents.'], folders)
    open(folders.home)
    const access = (words: readonly string[]) => {
      const { stdout } = runUnder('022', 'cli.js', ['doctor', '--json', ...words], folders)
      const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; hint?: string }[] }
      return checks.filter(({ name, state }) => name === 'access' && state === 'fail')
    }
    expect(access([])).toMatchObject([{ hint: expect.stringContaining('memctl doctor --fix') }])
    expect(access(['--fix'])).toEqual([])
    expect(otherModes(folders.home, HOME_MODES)).toEqual([])
  })

  test('access: a link that somebody planted is not followed, and a temporary file is never reused', () => {
    const folder = newFolder('access-links')
    const target = path.join(folder, 'target')
    fs.writeFileSync(target, 'untouched')
    fs.symlinkSync(target, path.join(folder, 'faults.jsonl'))
    expect(() => realDisk.append(path.join(folder, 'faults.jsonl'), Buffer.from('text'))).toThrow('ELOOP')
    for (let n = 0; n < 200; n++) fs.symlinkSync(target, path.join(folder, `hot.json.${process.pid}.${n}.aside`))
    realDisk.replace(path.join(folder, 'hot.json'), Buffer.from('new'))
    expect(fs.readFileSync(target, 'utf8')).toBe('untouched')
    expect(fs.readFileSync(path.join(folder, 'hot.json'), 'utf8')).toBe('new')
  })

  // Node's own recursive mkdir never ends there.
  test.skipIf(!fs.existsSync('/proc/self'))('access: a home where nothing can be created is an error at once', () => {
    for (const folder of ['/proc/memctl', '/proc/memctl/projects/shop/events'])
      expect(() => realDisk.makeFolder(folder)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
    const file = path.join(newFolder('a-file'), 'file')
    fs.writeFileSync(file, '')
    expect(() => realDisk.makeFolder(file)).toThrow(expect.objectContaining({ code: 'EEXIST' }))
    const link = path.join(newFolder('a-link'), 'link')
    fs.symlinkSync('/nowhere/at/all', link)
    for (const folder of [link, path.join(link, 'projects')])
      expect(() => realDisk.makeFolder(folder)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
    const folder = path.join(newFolder('parents'), 'one/two/three')
    realDisk.makeFolder(folder)
    realDisk.makeFolder(folder)
    expect([folder, path.dirname(folder)].map(modeOf)).toEqual([0o700, 0o700])
  })
})

/** Gives everything in a folder the modes of a umask of 022. */
function open(folder: string): void {
  fs.chmodSync(folder, 0o755)
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name)
    const stats = fs.lstatSync(file)
    if (!stats.isSymbolicLink()) fs.chmodSync(file, stats.isDirectory() ? 0o755 : 0o644)
  }
}
