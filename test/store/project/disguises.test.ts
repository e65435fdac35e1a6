// Folders and URLs of a hostile repository: none of them opens the memory of another project. Git itself is the oracle.
import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { normalizeRemoteUrl } from '../../../src/store/project/gitFolder.ts'
import { resolveProject } from '../../../src/store/project/project.ts'
import { isWindows } from '../../platforms/platform.ts'
import { newFolder } from '../../tempFolders.ts'

const top = newFolder('disguises')
const at = (...parts: string[]): string => path.join(top, ...parts)
afterAll(() => fs.rmSync(top, { recursive: true, force: true }))

const GIT_ENV = {
  PATH: process.env['PATH'],
  HOME: top,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org' },
  ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org' },
}
const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
    cwd: folder,
    env: GIT_ENV,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

function repository(name: string, origin?: string): string {
  const folder = at(name)
  fs.mkdirSync(folder, { recursive: true })
  git(folder, 'init', '-q')
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'first')
  if (origin !== undefined) git(folder, 'remote', 'add', 'origin', origin)
  return folder
}

const VICTIM = 'https://github.com/victim/app'

/** What looks like a bare repository whose origin is the victim's. */
function disguise(folder: string): string {
  for (const name of ['objects', 'refs/heads', 'worktrees/x'])
    fs.mkdirSync(path.join(folder, name), { recursive: true })
  fs.writeFileSync(path.join(folder, 'HEAD'), 'ref: refs/heads/main\n')
  fs.writeFileSync(path.join(folder, 'config'), `[core]\n\tbare = true\n[remote "origin"]\n\turl = ${VICTIM}\n`)
  return folder
}

test('store: no folder of a clone opens the memory of another project', () => {
  const victim = resolveProject(repository('victim', VICTIM))
  const local = resolveProject(repository('local'))
  const clone = repository('clone', 'https://evil.test/evil/clone')
  const own = resolveProject(clone)
  const folders = ['bare', 'deep/in/the/tree', '.hidden', 'app.git', 'a b', '日本語', 'x/.bare'].map((name) =>
    disguise(path.join(clone, name)),
  )
  // What a clone could bring beside it: a common directory and a git folder, as in a worktree.
  for (const [name, text] of Object.entries({ commondir: at('victim/.git'), gitdir: at('local/.git') }))
    fs.writeFileSync(path.join(folders[0]!, name), `${text}\n`)
  for (const folder of folders)
    for (const start of [folder, path.join(folder, 'refs', 'heads'), path.join(folder, 'worktrees', 'x')])
      expect(resolveProject(start)).toEqual(own)

  // Outside of any work tree: a project by its path, whatever its config says.
  const lone = resolveProject(disguise(at('unpacked', 'app.git')))
  expect(lone).toMatchObject({ identity: 'git', root: at('unpacked', 'app.git') })
  expect([victim.id, local.id]).not.toContain(lone.id)
})

test('store: a .git file opens only a repository that knows this work tree', () => {
  const victim = repository('known', VICTIM)
  git(victim, 'worktree', 'add', '-q', at('known-tree'))
  const target = resolveProject(victim)
  expect(resolveProject(at('known-tree')).id).toBe(target.id)
  fs.mkdirSync(at('named.git'), { recursive: true })
  git(top, 'init', '-q', '--separate-git-dir', at('separate.git'), at('separate'))
  git(at('separate'), 'remote', 'add', 'origin', VICTIM)
  for (const [i, gitFolder] of [
    path.join(victim, '.git'),
    path.join(victim, '.git', 'worktrees', 'known-tree'),
    at('separate.git'),
    path.relative(at('archive', 'x'), path.join(victim, '.git')),
  ].entries()) {
    const folder = at('archive', String(i))
    fs.mkdirSync(path.join(folder, 'src'), { recursive: true })
    fs.writeFileSync(path.join(folder, '.git'), `gitdir: ${gitFolder}\n`)
    expect(resolveProject(path.join(folder, 'src'))).toMatchObject({ identity: 'folder', root: folder })
  }
  for (const [i, target] of [
    path.join(victim, '.git'),
    path.relative(at('links', 'x'), path.join(victim, '.git')),
  ].entries()) {
    fs.mkdirSync(at('links', String(i)), { recursive: true })
    fs.symlinkSync(target, at('links', String(i), '.git'))
    expect(resolveProject(at('links', String(i)))).toMatchObject({ identity: 'folder' })
  }
  git(at('separate'), 'config', 'core.worktree', at('separate'))
  expect(resolveProject(at('separate')).id).toBe(target.id)
})

test.skipIf(isWindows)(
  'store: a .git that is a pipe, a device or a loop is no repository, and nothing waits for it',
  () => {
    const make = (name: string, build: (folder: string) => void): string => {
      const folder = at('odd', name)
      fs.mkdirSync(path.join(folder, '.git'), { recursive: true })
      build(folder)
      return folder
    }
    const head = (folder: string): void => fs.writeFileSync(path.join(folder, '.git/HEAD'), 'ref: refs/heads/main\n')
    const folders = [
      make('zero', (folder) => fs.symlinkSync('/dev/zero', path.join(folder, '.git/HEAD'))),
      make('config', (folder) => {
        head(folder)
        fs.symlinkSync('/dev/zero', path.join(folder, '.git/config'))
      }),
      make('pipe', (folder) => {
        head(folder)
        execFileSync('mkfifo', [path.join(folder, '.git/config')])
      }),
      make('loop', (folder) => {
        head(folder)
        fs.symlinkSync('config', path.join(folder, '.git/config'))
      }),
      make('huge', (folder) => {
        head(folder)
        fs.writeFileSync(path.join(folder, '.git/config'), '')
        fs.truncateSync(path.join(folder, '.git/config'), 20_000_000_000)
      }),
    ]
    for (const folder of folders) expect(resolveProject(folder)).toMatchObject({ root: folder, identity: 'git' })
  },
)

test('store: a folder below 2,000 others is found in bounded time', () => {
  const deep = at('deep', ...Array.from({ length: 1_900 }, () => 'd'))
  expect(resolveProject(deep)).toMatchObject({ identity: 'folder', root: deep })
})

const SEPARATORS = [
  ...['?', '#', '\\', '/', '//', ';', '&', ':', '::', '@', ' ', '\t', '.', '/../', '\u2215', '\u212a', '\u3002'],
  ...['%2F', '%2f', '%3F', '%23', '%5C', '%40', '%3A', '%00', '%0a', '%2e', '%25', '%E2%88%95', ':443', ':22', ':x'],
]
const urlsWith = (sep: string): string[] => [
  ...['https', 'ssh'].flatMap((scheme) => [
    `${scheme}://evil.test${sep}@github.com/victim/app`,
    `${scheme}://github.com${sep}@evil.test/victim/app`,
    `${scheme}://evil.test${sep}github.com/victim/app`,
    `${scheme}://github.com${sep}evil.test/victim/app`,
    `${scheme}://x${sep}@evil.test${sep}@github.com/victim/app`,
  ]),
  `evil.test${sep}@github.com:victim/app`,
  `evil.test:x${sep}@github.com:victim/app`,
  `github.com${sep}@evil.test:victim/app`,
  `[evil.test]${sep}@github.com:victim/app`,
  `evil.test:${sep}github.com/victim/app`,
]

/** A proxy and an ssh client that only say which host git wants. */
let proxy: http.Server
const ssh = at('ssh.sh')
const asked: string[] = []
beforeAll(async () => {
  fs.writeFileSync(ssh, '#!/bin/sh\necho "ASKED $*" >&2\nexit 1\n', { mode: 0o755 })
  proxy = http.createServer((_, answer) => answer.writeHead(502).end())
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(url)
    socket.end('HTTP/1.1 502 no\r\n\r\n')
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
})
afterAll(() => proxy.close())

/** The host that git connects to; undefined if it refuses the URL. */
async function hostOfGit(url: string): Promise<string | undefined> {
  asked.length = 0
  const { port } = proxy.address() as AddressInfo
  const env = { ...GIT_ENV, GIT_SSH_COMMAND: ssh, GIT_SSH_VARIANT: 'ssh', https_proxy: `http://127.0.0.1:${port}` }
  const { stderr } = await promisify(execFile)('git', ['ls-remote', '--', url], { cwd: top, env }).catch(
    (error: { stderr: string }) => error,
  )
  if (asked[0] !== undefined) return asked[0].replace(/:\d+$/, '').toLowerCase()
  const words = /ASKED .*?(\S+) git-upload-pack/.exec(stderr)?.[1]
  return words?.slice(words.lastIndexOf('@') + 1).toLowerCase()
}

test('store: no disguised URL has the identity of a repository on another host', { timeout: 120_000 }, async () => {
  const target = normalizeRemoteUrl(VICTIM, top)
  const wrong: string[] = []
  let refused = 0
  for (const url of SEPARATORS.flatMap(urlsWith)) {
    if (normalizeRemoteUrl(url, top) !== target) continue
    const host = await hostOfGit(url)
    if (host === undefined) refused++
    else if (host !== 'github.com') wrong.push(`${url} is ${host}`)
  }
  expect(wrong).toEqual([])
  expect(refused).toBeLessThan(40)
})

test.each([
  ['https://evil?@github.com/a/b', 'evil'],
  ['https://evil#@github.com/a/b', 'evil'],
  ['https://evil/@github.com/a/b', 'evil'],
  ['ssh://evil%2Fx@github.com/a/b', 'evil'],
  ['evil:x@github.com:a/b', 'evil'],
  ['ssh://git%40evil@github.com/a/b', 'github.com'],
  ['https://evil%2F@github.com/a/b', 'github.com'],
])('store: %s is on the host %s, as for git', async (url, host) => {
  expect(normalizeRemoteUrl(url, top).split('/')[0]).toBe(host)
  expect(await hostOfGit(url)).toBe(host)
})

test('store: a URL that programs read in different ways is a project by itself', () => {
  const urls = ['https://evil\\@github.com/a/b', 'https://gith%75b.com/a/b', 'foo://github.com/a/b', 'https:///a/b']
  for (const url of urls) expect(normalizeRemoteUrl(url, top)).toBe(url)
})
