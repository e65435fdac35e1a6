// Paths of the store and the project, with node:path as on Windows.
import fs from 'node:fs'
import type path from 'node:path'
import { expect, test, vi } from 'vitest'
import { openStore, openStoreAt } from '../../src/broker/open/openStore.ts'
import { transcriptFolder } from '../../src/broker/transcripts/findTranscripts.ts'
import type { HookLocation } from '../../src/cli/install/installation.ts'
import { mcpServerCommand } from '../../src/cli/install/ourSettings.ts'
import { findUserHome, toSystemPath } from '../../src/store/disk/paths.ts'
import { normalizeRemoteUrl } from '../../src/store/project/gitFolder.ts'
import { projectFolderPath, resolveMemctlHome, resolveProject } from '../../src/store/project/project.ts'

vi.mock('node:path', async (original) => {
  const { win32 } = await original<typeof path>()
  return { ...win32, default: win32 }
})

const PERSON = { USERPROFILE: 'c:\\Users\\太郎', HOME: '/c/Users/other', HOMEDRIVE: 'D:', HOMEPATH: '\\home' }

test('platforms: a path has forward slashes and an upper-case drive, also one that Git Bash writes', () => {
  const paths = ['c:\\a\\b', 'C:/a/b', '/c/a/b', '\\\\server\\share\\a', 'a\\b', '/', '//server/share']
  expect(paths.map(toSystemPath)).toEqual([
    'C:/a/b',
    'C:/a/b',
    'C:/a/b',
    '//server/share/a',
    'a/b',
    '/',
    '//server/share',
  ])
})

test('platforms: the home folder is that of the user, not what a Unix shell has set', () => {
  expect(findUserHome(PERSON)).toBe('C:/Users/太郎')
  expect(findUserHome({ ...PERSON, USERPROFILE: '' })).toBe('D:/home')
  expect(findUserHome({ HOME: '/c/Users/other' })).toBe('C:/Users/other')
  expect(findUserHome({})).toBeUndefined()
})

test('platforms: memctl’s home is beside it, or where MEMCTL_HOME says, in any form', () => {
  expect(resolveMemctlHome(PERSON)).toBe('C:/Users/太郎/.memctl')
  for (const configured of ['~\\mem', '~/mem', 'C:\\Users\\太郎\\mem', '/c/Users/太郎/mem', 'c:/Users/太郎/x/../mem'])
    expect([configured, resolveMemctlHome({ ...PERSON, MEMCTL_HOME: configured })]).toEqual([
      configured,
      'C:/Users/太郎/mem',
    ])
  const { home, userHome, layout } = openStore('C:\\Users\\太郎\\my shop', PERSON)
  expect([home, userHome]).toEqual(['C:/Users/太郎/.memctl', 'C:/Users/太郎'])
  expect(layout.events).toMatch(/^C:\/Users\/太郎\/\.memctl\/projects\/my-shop-[0-9a-f]{12}\/events$/)
})

test('platforms: a folder is one project with either separator and any case of its drive', () => {
  const [first, ...others] = ['C:\\work\\my shop', 'C:/work/my shop', 'c:\\work\\my shop\\', '/c/work/my shop'].map(
    (folder) => resolveProject(folder),
  )
  expect(first).toMatchObject({ root: 'C:/work/my shop', name: 'my-shop', identity: 'folder' })
  for (const other of others) expect(other).toEqual(first)
  expect(openStoreAt('C:\\x', 'C:\\work\\my shop').project).toMatchObject({ root: 'C:/work/my shop', name: 'my shop' })
})

test('platforms: a name that is a device on Windows is no folder’s name', () => {
  for (const name of ['aux.shop', 'CON.x', 'com1.project'])
    expect(projectFolderPath('C:/home', resolveProject(`C:\\work\\${name}`))).toMatch(/\/(?:aux|CON|com1)-[^/]+$/)
})

test('platforms: an origin on this disk is the same repository in every form', () => {
  const root = 'C:/work/my shop'
  for (const url of [
    'C:\\repos\\shop.git',
    'c:/repos/shop',
    'file:///C:/repos/shop.git',
    '/c/repos/shop',
    '..\\..\\repos\\shop.git',
  ])
    expect([url, normalizeRemoteUrl(url, root)]).toEqual([url, 'C:/repos/shop'])
  expect(normalizeRemoteUrl('\\\\server\\share\\shop.git', root)).toBe('//server/share/shop')
  expect(normalizeRemoteUrl('git@github.com:Taro/Shop.git', root)).toBe('github.com/taro/shop')
})

test('platforms: settings that a team shares name the home by the variable that Windows has', () => {
  const folder = 'C:\\Users\\太郎\\.memctl\\runtime\\0.1.0\\hooks'
  const homes = { home: 'C:/Users/太郎/.memctl', userHome: 'C:/Users/太郎' }
  const location: HookLocation = { kind: 'runtime', folder, reason: '' }
  expect(mcpServerCommand(location, homes)['args']).toEqual([`\${USERPROFILE}/.memctl/runtime/0.1.0/mcp.mjs`])
  expect(mcpServerCommand(location, { home: homes.home })['args']).toEqual([
    `\${MEMCTL_HOME:-${homes.home}}/runtime/0.1.0/mcp.mjs`,
  ])
  expect(transcriptFolder(PERSON)).toBe('C:/Users/太郎/.claude/projects')
})

test('platforms: every process that memctl starts hides its console window', () => {
  const source = new URL('../../src/', import.meta.url)
  const files = fs.readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const calls = files.flatMap((name) =>
    [
      ...fs.readFileSync(new URL(name, source), 'utf8').matchAll(/\b(?:spawn|spawnSync|execFile|execFileSync|fork)\(/g),
    ].map(({ index, input }) => [name, input.slice(index, index + 400)] as const),
  )
  // Type members and a substitute for a test run have no arguments.
  const started = calls.filter(([, text]) => !/^spawn\((?:options|\))/.test(text))
  expect(started.length).toBeGreaterThan(5)
  expect(started.filter(([, text]) => !text.includes('windowsHide: true')).map(([name]) => name)).toEqual([])
})
