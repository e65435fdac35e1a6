// The project of a folder, tested with real git repositories.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { confirmProjectId, revokeProjectId } from '../../../src/broker/open/projectTrust.ts'
import { normalizeRemoteUrl, parseOriginUrl, readGitBranch } from '../../../src/store/project/gitFolder.ts'
import {
  projectFolderPath,
  resolveIdentity,
  resolveMemctlHome,
  resolveProject,
} from '../../../src/store/project/project.ts'
import { isWindows } from '../../platforms/platform.ts'

let top: string
const at = (...parts: string[]): string => path.join(top, ...parts)

function git(folder: string, ...args: string[]): string {
  const env = {
    PATH: process.env['PATH'],
    HOME: top,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  }
  const quiet = ['-c', 'init.defaultBranch=main', '-c', 'protocol.file.allow=always']
  return execFileSync('git', [...quiet, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function repository(...parts: string[]): string {
  const folder = at(...parts)
  fs.mkdirSync(folder, { recursive: true })
  git(folder, 'init')
  git(folder, 'commit', '--allow-empty', '-m', 'first')
  return folder
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

beforeAll(() => {
  top = fs.realpathSync.native(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-project-')))
})
afterAll(() => fs.rmSync(top, { recursive: true, force: true }))

describe('store: the project of a folder', () => {
  test.skipIf(isWindows)('store: every subfolder and every symlink of a work tree is its project', () => {
    const folder = repository('plain')
    fs.mkdirSync(path.join(folder, 'src', 'deep'), { recursive: true })
    fs.symlinkSync(path.join(folder, 'src'), at('link'))
    const project = resolveProject(folder)
    expect(project).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{12}$/),
      name: 'plain',
      root: folder,
      identity: 'git',
    })
    expect(resolveProject(path.join(folder, 'src', 'deep'))).toEqual(project)
    expect(resolveProject(at('link', 'deep'))).toEqual(project)
  })

  test('store: worktrees are one project, each with its own root and branch', () => {
    const folder = repository('trunk')
    git(folder, 'worktree', 'add', '-b', 'feature/one', at('aside'))
    const [main, aside] = [resolveProject(folder), resolveProject(at('aside'))]
    expect(aside).toEqual({ ...main, root: at('aside') })
    expect(main.identity).toBe('git')
    expect(readGitBranch(main.root)).toBe('main')
    expect(readGitBranch(aside.root)).toBe('feature/one')
  })

  test('store: worktrees around a bare repository belong to its project', () => {
    const folder = repository('seeded')
    git(top, 'clone', '--bare', folder, at('around', '.bare'))
    git(at('around', '.bare'), 'remote', 'remove', 'origin')
    git(at('around', '.bare'), 'worktree', 'add', at('around', 'one'), 'main')
    write(at('around', '.git'), 'gitdir: ./.bare\n')
    const project = resolveProject(at('around', 'one'))
    expect(project).toMatchObject({ name: 'around', identity: 'git', root: at('around', 'one') })
    expect(resolveProject(at('around')).id).toBe(project.id)
    expect(resolveProject(at('around', '.bare')).id).toBe(project.id)
  })

  test('store: two clones of one bare repository are one project, by path and by file://', () => {
    const folder = repository('upstream')
    git(top, 'clone', '--bare', folder, at('shared.git'))
    git(top, 'clone', at('shared.git'), at('by-path'))
    git(top, 'clone', `file://${at('shared.git')}`, at('by-url'))
    const project = resolveProject(at('by-path'))
    expect(project).toMatchObject({ name: 'shared', identity: 'origin', root: at('by-path') })
    expect(resolveProject(at('by-url'))).toEqual({ ...project, root: at('by-url') })
    git(at('by-url'), 'remote', 'set-url', 'origin', '../shared.git')
    expect(resolveProject(at('by-url')).id).toBe(project.id)
  })

  test('store: a bare repository is a project', () => {
    git(top, 'init', '--bare', at('lone.git'))
    expect(resolveProject(at('lone.git', 'refs'))).toMatchObject({
      name: 'lone',
      identity: 'git',
      root: at('lone.git'),
    })
    expect(readGitBranch(at('lone.git'))).toBe('main')
  })

  test('store: a submodule is its own project, and the same as a clone of what it was made from', () => {
    const inner = repository('inner')
    const outer = repository('outer')
    git(outer, 'submodule', 'add', inner, 'libs/inner')
    const sub = resolveProject(path.join(outer, 'libs', 'inner'))
    expect(sub).toMatchObject({ name: 'inner', identity: 'origin', root: path.join(outer, 'libs', 'inner') })
    expect(sub.id).not.toBe(resolveProject(outer).id)
    git(top, 'clone', inner, at('inner-clone'))
    expect(resolveProject(at('inner-clone')).id).toBe(sub.id)

    git(sub.root, 'remote', 'remove', 'origin')
    const unnamed = resolveProject(sub.root)
    expect(unnamed).toMatchObject({ name: 'inner', identity: 'git' })
    expect(unnamed.id).not.toBe(resolveProject(outer).id)
    git(sub.root, 'checkout', '-b', 'inside')
    expect(readGitBranch(sub.root)).toBe('inside')
  })

  test.skipIf(isWindows)(
    'store: without git the real path counts, and two folders of the same name are two projects',
    () => {
      for (const parent of ['one', 'two']) fs.mkdirSync(at(parent, 'same'), { recursive: true })
      fs.symlinkSync(at('one', 'same'), at('same-link'))
      const project = resolveProject(at('one', 'same'))
      expect(project).toMatchObject({ name: 'same', identity: 'folder', root: at('one', 'same') })
      expect(resolveProject(at('same-link'))).toEqual(project)
      expect(resolveProject(at('two', 'same')).id).not.toBe(project.id)
      expect(readGitBranch(project.root)).toBeUndefined()
    },
  )

  test('store: a missing folder is a project by its path', () => {
    expect(resolveProject(at('never', 'made'))).toMatchObject({
      name: 'made',
      identity: 'folder',
      root: at('never', 'made'),
    })
    expect(resolveProject('/')).toMatchObject({ name: 'project', identity: 'folder', root: '/' })
  })

  test('store: the folder of a broken .git file is a project, an empty .git folder is ignored', () => {
    const outer = repository('sound')
    for (const [name, text] of Object.entries({ gone: 'gitdir: /nowhere/at/all\n', empty: '', odd: 'what is this' })) {
      write(path.join(outer, name, '.git'), text)
      fs.mkdirSync(path.join(outer, name, 'sub'))
      const project = resolveProject(path.join(outer, name, 'sub'))
      expect(project).toMatchObject({ name, identity: 'folder', root: path.join(outer, name) })
      expect(readGitBranch(project.root)).toBeUndefined()
    }
    fs.mkdirSync(path.join(outer, 'hollow', '.git'), { recursive: true })
    expect(resolveProject(path.join(outer, 'hollow'))).toEqual(resolveProject(outer))
  })

  test('store: a detached HEAD has no branch, a branch without a commit has its name', () => {
    const folder = repository('heads')
    git(folder, 'checkout', '-b', '機能/検索')
    expect(readGitBranch(folder)).toBe('機能/検索')
    git(folder, 'checkout', '--detach')
    expect(readGitBranch(folder)).toBeUndefined()
    git(folder, 'checkout', '--orphan', 'new')
    expect(readGitBranch(folder)).toBe('new')
  })
})

/** memctl's home after a person has let these folders into the projects that they name. */
const homeWith = (...folders: readonly string[]): string => {
  const home = at(`home of ${path.basename(folders[0]!)}`)
  for (const folder of folders) confirmProjectId(folder, { MEMCTL_HOME: home })
  return home
}

describe('store: project.yaml', () => {
  test('store: an id in project.yaml counts only after the user confirmed it', () => {
    const [ours, theirs] = [repository('claim-ours'), repository('claim-theirs')]
    git(ours, 'remote', 'add', 'origin', 'https://example.org/us/ours.git')
    git(theirs, 'remote', 'add', 'origin', 'https://example.net/them/theirs.git')
    write(path.join(ours, '.memctl', 'project.yaml'), 'id: team-app\n')
    const home = homeWith(ours)
    const project = resolveProject(ours, home)
    expect(project).toMatchObject({ name: 'team-app', identity: 'project.yaml' })
    const before = resolveProject(theirs, home)
    for (const claim of [
      'team-app',
      '"team-app"',
      `../${project.name}`,
      project.id,
      `x/../../${project.name}-${project.id}`,
    ]) {
      write(path.join(theirs, '.memctl', 'project.yaml'), `id: ${claim}\n`)
      expect(resolveProject(theirs, home)).toEqual(before)
    }
    expect(resolveProject(ours)).toMatchObject({ name: 'ours', identity: 'origin' })
  })

  test('store: a confirmation is valid for one id and every clone of the same origin, until it is revoked', () => {
    const [text, clone] = [repository('confirmed'), repository('confirmed-too')]
    for (const folder of [text, clone]) {
      git(folder, 'remote', 'add', 'origin', 'git@github.com:us/app.git')
      write(path.join(folder, '.memctl', 'project.yaml'), 'id: joined\n')
    }
    const home = homeWith(text)
    expect(resolveProject(clone, home)).toEqual({ ...resolveProject(text, home), root: clone })
    expect(resolveProject(clone, home).name).toBe('joined')
    write(path.join(clone, '.memctl', 'project.yaml'), 'id: another\n')
    expect(resolveProject(clone, home).identity).toBe('origin')
    revokeProjectId(text, { MEMCTL_HOME: home })
    expect(resolveProject(text, home)).toMatchObject({ name: 'app', identity: 'origin' })
  })

  test('store: without git an unconfirmed claim does not join the folders below it', () => {
    write(at('loose', '.memctl', 'project.yaml'), 'id: loose\n')
    fs.mkdirSync(at('loose', 'a'))
    const home = at('home of nobody')
    expect(resolveProject(at('loose', 'a'), home)).toMatchObject({ name: 'a', root: at('loose', 'a') })
    expect(resolveProject(at('loose', 'a'), homeWith(at('loose', 'a')))).toMatchObject({
      name: 'loose',
      root: at('loose'),
    })
    expect(resolveProject(at('loose'), homeWith(at('loose', 'a')))).toMatchObject({ name: 'loose', root: at('loose') })
  })

  test('store: an id in project.yaml takes precedence over origin, from any subfolder and clone', () => {
    const [text, two] = [repository('yaml-one'), repository('yaml-two')]
    git(text, 'remote', 'add', 'origin', 'https://example.org/a/b.git')
    write(path.join(text, '.memctl', 'project.yaml'), '# ours\nname: x\nid: team-app # short\n')
    write(path.join(two, '.memctl', 'project.yaml'), "\ufeffid: 'team-app'\r\n")
    fs.mkdirSync(path.join(text, 'src'))
    const home = homeWith(text, two)
    const project = resolveProject(path.join(text, 'src'), home)
    expect(project).toMatchObject({ name: 'team-app', identity: 'project.yaml', root: text })
    expect(resolveProject(two, home)).toEqual({ ...project, root: two })
  })

  test('store: the nearest project.yaml counts, and none above the repository', () => {
    const folder = repository('mono', 'repo')
    write(at('mono', '.memctl', 'project.yaml'), 'id: above')
    expect(resolveProject(folder).identity).toBe('git')
    write(path.join(folder, '.memctl', 'project.yaml'), 'id: whole')
    write(path.join(folder, 'packages', 'a', '.memctl', 'project.yaml'), 'id: "part a"')
    const home = homeWith(folder, path.join(folder, 'packages', 'a'), at('mono'))
    expect(resolveProject(path.join(folder, 'packages'), home).name).toBe('whole')
    expect(resolveProject(path.join(folder, 'packages', 'a'), home)).toMatchObject({ name: 'part-a', root: folder })
    expect(resolveProject(at('mono'), home)).toMatchObject({
      name: 'above',
      identity: 'project.yaml',
      root: at('mono'),
    })
  })

  test('store: a project.yaml without a valid id is ignored', () => {
    for (const [i, text] of ['', 'id:', 'id: ""', 'name: x\n  id: nested', 'kid: 3', 'id: # none'].entries()) {
      write(at('no-id', `${i}`, '.memctl', 'project.yaml'), text)
      expect(resolveIdentity(at('no-id', `${i}`)).claim).toBeUndefined()
    }
    fs.mkdirSync(at('no-id', 'folder', '.memctl', 'project.yaml'), { recursive: true })
    expect(resolveIdentity(at('no-id', 'folder')).claim).toBeUndefined()
  })
})

describe('store: origin', () => {
  const SAME = [
    'https://github.com/Owner/Repo.git',
    'https://github.com/owner/repo',
    'https://github.com/owner/repo/',
    'http://github.com/owner/repo.git',
    'https://user:p@ss@GitHub.com/owner/repo.git',
    'https://x-access-token:secret@github.com:443/owner/repo',
    'git@github.com:owner/repo.git',
    'github.com:owner/repo',
    'git@github.com:/owner/repo.git/',
    'ssh://git@github.com/owner/repo.git',
    'ssh://git@github.com:22/owner/repo',
    'ssh://git@ssh.github.com:443/owner/repo.git',
    'git+ssh://git@www.github.com/owner/repo',
    'git://github.com/owner/repo.git',
  ]
  const DIFFERENT = [
    'https://github.com/owner/repo2',
    'https://github.com/other/repo',
    'https://gitlab.com/owner/repo',
    'https://git.example.org/owner/repo',
    'https://git.example.org/Owner/repo',
    'http://localhost:3000/owner/repo',
    'http://localhost:4000/owner/repo',
    'ssh://git@localhost:2222/owner/repo',
    '/owner/repo',
    'codecommit::eu-west-1://repo',
    'https://[::1]:8080/owner/repo',
    'git@[::1]:owner/repo',
  ]

  test('store: all spellings of a repository’s URL give the same origin', () => {
    expect(new Set(SAME.map((url) => normalizeRemoteUrl(url, top)))).toEqual(new Set(['github.com/owner/repo']))
    expect(new Set(DIFFERENT.map((url) => normalizeRemoteUrl(url, top))).size).toBe(DIFFERENT.length)
  })

  test('store: neither the origin nor the name has the user or password of a URL', () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9!$%^&*()_=+.-]{6,20}$/)
    const scheme = fc.constantFrom('https', 'http', 'ssh', 'ftp')
    fc.assert(
      fc.property(scheme, word, word, (scheme, user, secret) => {
        expect(normalizeRemoteUrl(`${scheme}://${user}:${secret}@host.example/o/r.git`, top)).toBe('host.example/o/r')
      }),
    )
  })

  test('store: the URL in a config is the one that git reads', () => {
    const folder = repository('configured')
    const config = path.join(folder, '.git', 'config')
    const urls = [
      'https://example.org/a/b.git',
      '/a path/with spaces',
      'x#y;z',
      'quote"d',
      'back\\slash',
      '../日本語.git',
    ]
    for (const url of urls) {
      git(folder, 'config', 'remote.upstream.url', 'https://example.org/not/this.git')
      git(folder, 'config', 'remote.origin.url', url)
      git(folder, 'config', 'branch.main.url', 'nor-this')
      expect(parseOriginUrl(fs.readFileSync(config, 'utf8'))).toBe(url)
    }
    const byHand =
      '[remote "up"]\nurl = no\n[remote  "origin"]\r\n\tfetch = x\r\n\tURL=git@h:a/b ; mine\r\n[x]\nurl = no'
    write(config, byHand)
    expect(parseOriginUrl(byHand)).toBe(git(folder, 'config', 'remote.origin.url').trim())
    expect(parseOriginUrl('[remote "origin"]\n\tfetch = x\n[core]\n\turl = y')).toBeUndefined()
  })
})

describe('store: names and places on disk', () => {
  test('store: a Japanese folder keeps its name, decomposed or not', () => {
    fs.mkdirSync(at('日本語 プロジェクト'))
    const project = resolveProject(at('日本語 プロジェクト'))
    expect(project.name).toBe('日本語-プロジェクト')
    fs.mkdirSync(at('が'.normalize('NFD')))
    expect(resolveProject(at('が'.normalize('NFD'))).name).toBe('が')
    expect(projectFolderPath('/h', project)).toBe(path.join('/h', 'projects', `日本語-プロジェクト-${project.id}`))
  })

  test('store: a project has one folder directly under projects, whatever its id or folder name', () => {
    const folder = at('any-name')
    fs.mkdirSync(folder)
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('../../etc', '..', '.', 'a/b\\c', '\u202egpj', '家'.repeat(300)),
    )
    fc.assert(
      fc.property(text, (id) => {
        write(path.join(folder, '.memctl', 'project.yaml'), `id: "${id}"\n`)
        const { claim, own } = resolveIdentity(folder)
        const place = projectFolderPath(top, claim?.project ?? own)
        expect(path.dirname(place)).toBe(at('projects'))
        fs.mkdirSync(place, { recursive: true })
        expect(fs.readdirSync(at('projects'))).toEqual([path.basename(place)])
        fs.rmdirSync(place)
      }),
      { numRuns: 60 },
    )
  })

  test('store: ids never change from one version of memctl to the next', () => {
    write(at('pinned', '.memctl', 'project.yaml'), 'id: pinned\n')
    expect(resolveProject(at('pinned'), homeWith(at('pinned'))).id).toBe('524ef71a0d2f')
    const folder = repository('pinned-origin')
    git(folder, 'remote', 'add', 'origin', 'git@github.com:owner/日本語.git')
    expect(resolveProject(folder)).toMatchObject({ id: 'a70faba36e5a', name: '日本語' })
  })

  test('store: different origins have different ids', () => {
    const ids = new Set<string>()
    for (let i = 0; i < 3000; i++) {
      write(at('many', '.memctl', 'project.yaml'), `id: repo-${i}\n`)
      ids.add(resolveIdentity(at('many')).claim!.project.id)
    }
    expect(ids.size).toBe(3000)
  })

  test('store: the home is MEMCTL_HOME, else ~/.memctl', () => {
    expect(resolveMemctlHome({ HOME: '/home/a' })).toBe('/home/a/.memctl')
    expect(resolveMemctlHome({ HOME: '/home/a', MEMCTL_HOME: '' })).toBe('/home/a/.memctl')
    expect(resolveMemctlHome({ USERPROFILE: '/home/b' })).toBe('/home/b/.memctl')
    expect(resolveMemctlHome({ HOME: '/home/a', MEMCTL_HOME: '/data/m' })).toBe('/data/m')
    expect(resolveMemctlHome({ HOME: '/home/a', MEMCTL_HOME: '~/m' })).toBe('/home/a/m')
    expect(resolveMemctlHome({ MEMCTL_HOME: 'm' })).toBe(path.resolve('m'))
    expect(() => resolveMemctlHome({})).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })
})
