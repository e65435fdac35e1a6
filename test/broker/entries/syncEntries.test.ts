// Entries as files of a project: manual edits, git, the clock and the archive, and their visible effects.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { maintainEntries } from '../../../src/broker/entries/entryMaintenance.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { recallMemories } from '../../../src/broker/search/recallMemories.ts'
import { isMtimeCacheStale } from '../../../src/entries/entryDirs.ts'
import { invokeTool } from '../../../src/tools/definition/invokeTool.ts'
import { createToolContext, type ToolContext } from '../../../src/tools/definition/toolContext.ts'
import { findTool } from '../../../src/tools/toolRegistry.ts'
import { isWindows } from '../../platforms/platform.ts'
import { newFolder, trustFolder } from '../../tempFolders.ts'
import { BEGIN, DAY } from '../../testData.ts'
import type { Json } from '../../tools/callers.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true })
})

/** A user with a home, projects in it and a settable clock. */
function newPerson(env: Readonly<Record<string, string>> = {}) {
  const home = newFolder()
  folders.push(home)
  const clock = { now: BEGIN }
  const environment = { HOME: home, MEMCTL_HOME: path.join(home, '.memctl'), ...env }
  const project = (name: string, root = path.join(home, name)) => {
    fs.mkdirSync(root, { recursive: true })
    const store = openStore(root, environment)
    trustFolder(root, environment.MEMCTL_HOME)
    const world = (): ToolContext => createToolContext({ store, role: 'owner', env: environment, now: () => clock.now })
    let current = world()
    return {
      ...{ root, store },
      file: (at: string) => path.join(root, at),
      read: (at: string) => fs.readFileSync(path.join(root, at), 'utf8'),
      write(at: string, text: string) {
        fs.mkdirSync(path.dirname(path.join(root, at)), { recursive: true })
        fs.writeFileSync(path.join(root, at), text)
      },
      async call(tool: string, input: Json = {}): Promise<Json> {
        const called = await invokeTool(findTool(tool)!, input, current)
        return JSON.parse(JSON.stringify(called.kind === 'answer' ? called.output : called.failure)) as Json
      },
      /** Another process, which has only what is on disk. */
      restarts() {
        current = world()
      },
      /** What the worker does when a session ends. */
      ends() {
        maintainEntries(store, environment, clock.now)
        runMaintenance(store, { now: clock.now, sessions: [] })
      },
      recalled: (text: string): string[] =>
        recallMemories(store, { text, now: clock.now }).shown.map((item) => item.memory.content),
    }
  }
  return { home, clock, environment, project }
}

type Project = ReturnType<ReturnType<typeof newPerson>['project']>

const entry = (key: string, body: string, more = ''): string => `---\nkey: ${key}\n${more}---\n\n${body}\n`
const keysOf = (answer: Json): unknown[] => (answer['entries'] as Json[]).map((item) => item['key'])
const listed = async (project: Project): Promise<unknown[]> => keysOf(await project.call('list_memory_entries'))
const contentOf = async (project: Project, key: string): Promise<unknown> =>
  ((await project.call('get_memory_entry', { key }))['entry'] as Json | undefined)?.['content']

test('entries: each key has one file in the spec’s format, and reading does not change it', async () => {
  const project = newPerson().project('shop')
  await project.call('save_to_memory', {
    key: '設計方針',
    content: '税は**整数の円**で計算する',
    tags: ['税', 'money'],
  })
  const text = `---
key: 設計方針
tags:
  - 税
  - money
created_at: 2026-03-02T09:00:00
updated_at: 2026-03-02T09:00:00
---

税は**整数の円**で計算する
`
  expect(project.read('.memctl/memory/設計方針.md')).toBe(text)
  await project.call('retrieve_from_memory', { query: '税' })
  await project.call('get_memory_entry', { key: '設計方針' })
  project.ends()
  expect(project.read('.memctl/memory/設計方針.md')).toBe(text)
  expect(fs.readdirSync(project.file('.memctl/memory'))).toEqual(['設計方針.md'])
})

test('entries: no key or session gives a path outside of the folder', async () => {
  const { project: projectOf, home } = newPerson()
  const project = projectOf('shop')
  const keys = ['../../evil', '..', '/etc/passwd', 'a/../../b', '~/x', 'C:\\x', '.ssh/id', 'nul', '-rf']
  for (const key of keys)
    expect(await project.call('save_to_memory', { key, content: `of ${key}` })).toMatchObject({ success: true })
  expect(fs.readdirSync(project.file('.memctl/memory'))).toHaveLength(keys.length)
  expect(fs.readdirSync(project.root)).toEqual(['.memctl'])
  expect(fs.readdirSync(home).sort()).toEqual(['.memctl', 'shop'])
  for (const key of keys) expect(await contentOf(project, key)).toBe(`of ${key}`)
})

test.skipIf(isWindows)('entries: a symlink in a repository neither reads nor writes files outside of it', async () => {
  const { project: projectOf, home } = newPerson()
  const project = projectOf('shop')
  const outside = path.join(home, 'outside')
  fs.mkdirSync(outside)
  fs.writeFileSync(path.join(outside, 'mine.md'), entry('mine', 'Of nobody else’s concern'))
  fs.mkdirSync(project.file('.memctl/memory/archive'), { recursive: true })
  fs.symlinkSync(path.join(outside, 'mine.md'), project.file('.memctl/memory/mine.md'))
  fs.symlinkSync(path.join(outside, 'mine.md'), project.file('.memctl/memory/archive/mine.md'))
  fs.mkdirSync(project.file('.memctl/linked'))
  fs.symlinkSync(outside, project.file('.memctl/linked/memory'))
  expect(await project.call('list_memory_entries')).toMatchObject({
    ...{ total: 0, broken: [{ what: expect.stringContaining('link') }, { what: expect.stringContaining('link') }] },
  })
  expect(await project.call('list_memory_archive')).toMatchObject({ total: 0 })
  for (const input of [{ key: 'mine' }, { key: 'new', session_id: 'linked' }])
    expect(await project.call('save_to_memory', { ...input, content: 'x' })).toMatchObject({
      error_type: 'ValidationError',
    })
  expect(fs.readdirSync(outside)).toEqual(['mine.md'])
  expect(fs.readFileSync(path.join(outside, 'mine.md'), 'utf8')).toBe(entry('mine', 'Of nobody else’s concern'))
})

test('entries: manual changes are visible to tools at once, and to recall after the next session start', async () => {
  const project = newPerson().project('shop')
  project.write('.memctl/memory/deploy.md', entry('deploy', 'Deploys go out on Tuesdays by the release captain'))
  expect(await contentOf(project, 'deploy')).toBe('Deploys go out on Tuesdays by the release captain')
  project.ends()
  expect(project.recalled('when do deploys go out')).toEqual([expect.stringContaining('Tuesdays')])

  project.write('.memctl/memory/deploy.md', entry('deploy', 'Deploys go out on Fridays by the release captain'))
  expect(isMtimeCacheStale(project.store)).toBe(true)
  expect(await project.call('memory_search', { query: 'release captain', top_k: 1 })).toMatchObject({
    results: [{ content: expect.stringContaining('Fridays') }],
  })
  project.ends()
  expect(project.recalled('when do deploys go out')).toEqual([expect.stringContaining('Fridays')])

  fs.rmSync(project.file('.memctl/memory/deploy.md'))
  expect(await project.call('get_memory_entry', { key: 'deploy' })).toMatchObject({ error_type: 'NotFoundError' })
  project.ends()
  expect(project.recalled('when do deploys go out')).toEqual([])
  expect([...loadProjection(project.store).projection.memories.values()]).toEqual([])
})

test('entries: unchanged files are neither read nor logged again', async () => {
  const { project: projectOf, clock } = newPerson()
  const project = projectOf('shop')
  clock.now = Date.now()
  await project.call('save_to_memory', { key: 'a', content: 'One' })
  project.write('.memctl/memory/b.md', entry('b', 'Two'))
  await listed(project)
  // Files that were written within a tick of the disk's clock are looked at once more.
  clock.now += DAY
  await listed(project)
  expect(isMtimeCacheStale(project.store)).toBe(false)
  const size = (): number => fs.statSync(path.join(project.store.layout.events, '000001.jsonl')).size
  const before = size()
  await listed(project)
  project.ends()
  project.restarts()
  await listed(project)
  expect(size()).toBe(before)
})

test('entries: invalid front matter is reported with file and line, and the earlier entry stays', async () => {
  const project = newPerson().project('shop')
  await project.call('save_to_memory', { key: 'deploy', content: 'On Tuesdays' })
  const broken = '---\nkey: deploy\ntags: [a\n---\n\nOn Fridays\n'
  project.write('.memctl/memory/deploy.md', broken)
  project.write('.memctl/memory/new.md', 'no front matter at all\n')
  expect(await project.call('list_memory_entries')).toMatchObject({
    entries: [{ key: 'deploy', content: 'On Tuesdays' }],
    broken: [
      { file: project.file('.memctl/memory/deploy.md'), line: 4, hint: expect.any(String) },
      { file: project.file('.memctl/memory/new.md'), line: 1, what: 'there is no front matter' },
    ],
  })
  for (const key of ['deploy', 'new'])
    expect(await project.call('save_to_memory', { key, content: 'Over it' })).toMatchObject({
      ...{
        error_type: 'ValidationError',
        message: expect.stringMatching(/\/(deploy|new)\.md, line \d: .*is not changed/),
      },
    })
  project.ends()
  expect(project.read('.memctl/memory/deploy.md')).toBe(broken)
  expect(project.recalled('deploy Tuesdays')).toHaveLength(1)
  project.write('.memctl/memory/deploy.md', entry('deploy', 'On Fridays'))
  expect(await contentOf(project, 'deploy')).toBe('On Fridays')
})

test('entries: entries of two machines merge like text in git, and a conflict is reported', async () => {
  const { home } = newPerson()
  const git = (at: string, ...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words], { cwd: at, stdio: 'pipe' })
  const hub = path.join(home, 'hub.git')
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', hub])
  const clone = (name: string): Project => {
    execFileSync('git', ['clone', '-q', hub, path.join(home, name)], { stdio: 'pipe' })
    // Another machine has another home.
    return newPerson().project(name, path.join(home, name))
  }
  const commit = (project: Project): void => {
    git(project.root, 'add', '-A')
    git(project.root, 'commit', '-qm', 'entries')
  }
  const firstClone = clone('one')
  const body = ['First line', '', 'Second line', '', 'Third line', '', 'Fourth line'].join('\n')
  await firstClone.call('save_to_memory', { key: 'plan', content: body })
  commit(firstClone)
  git(firstClone.root, 'push', '-q', 'origin', 'HEAD:main')
  const secondClone = clone('two')
  expect(await contentOf(secondClone, 'plan')).toBe(body)

  // Each saves its own entry, and each edits a different line of the shared one.
  await firstClone.call('save_to_memory', { key: 'from-one', content: 'said by one' })
  firstClone.write(
    '.memctl/memory/plan.md',
    firstClone.read('.memctl/memory/plan.md').replace('First line', 'First line of one'),
  )
  commit(firstClone)
  git(firstClone.root, 'push', '-q', 'origin', 'HEAD:main')
  await secondClone.call('save_to_memory', { key: '二つ目', content: 'said by two' })
  secondClone.write(
    '.memctl/memory/plan.md',
    secondClone.read('.memctl/memory/plan.md').replace('Fourth line', 'Fourth line of two'),
  )
  commit(secondClone)
  git(secondClone.root, 'pull', '-q', '--no-rebase', '--no-edit', 'origin', 'main')
  expect(await listed(secondClone)).toEqual(['from-one', 'plan', '二つ目'])
  expect(await contentOf(secondClone, 'plan')).toBe(
    body.replace('First line', 'First line of one').replace('Fourth line', 'Fourth line of two'),
  )

  // A conflict in one line: the text that was valid last still counts, and the file is reported.
  await secondClone.call('save_to_memory', { key: 'from-one', content: 'two knows better' })
  commit(secondClone)
  await firstClone.call('save_to_memory', { key: 'from-one', content: 'one knows better' })
  commit(firstClone)
  git(secondClone.root, 'fetch', '-q', firstClone.root)
  expect(() => git(secondClone.root, 'merge', '-q', 'FETCH_HEAD')).toThrow()
  expect((await secondClone.call('list_memory_entries'))['broken']).toMatchObject([
    { what: 'a merge was left unfinished', line: 7, file: secondClone.file('.memctl/memory/from-one.md') },
  ])
  expect(await contentOf(secondClone, 'from-one')).toBe('two knows better')
  expect(await secondClone.call('save_to_memory', { key: 'from-one', content: 'over it' })).toMatchObject({
    ...{ error_type: 'ValidationError', message: expect.stringContaining('merge') },
  })
  secondClone.ends()
  expect(secondClone.recalled('who knows better').join()).not.toMatch(/<<<<<<<|=======|one knows/)
  git(secondClone.root, 'checkout', '-q', '--theirs', '.memctl/memory/from-one.md')
  expect(await contentOf(secondClone, 'from-one')).toBe('one knows better')
})

test('entries: files unread for 90 days and the least recently read above the limit are archived', async () => {
  const { project: projectOf, clock } = newPerson()
  const project = projectOf('shop')
  for (const key of ['forgotten', 'read', 'used'])
    await project.call('save_to_memory', { key, content: `What is ${key}` })
  const text = project.read('.memctl/memory/forgotten.md')
  clock.now = BEGIN + 60 * DAY
  await project.call('get_memory_entry', { key: 'read' })
  await project.call('retrieve_from_memory', { query: 'used', limit: 1 })
  clock.now = BEGIN + 90 * DAY - 1
  project.ends()
  expect(await listed(project)).toEqual(['forgotten', 'read', 'used'])
  clock.now = BEGIN + 90 * DAY
  project.ends()
  expect(await listed(project)).toEqual(['read', 'used'])
  expect(project.read('.memctl/memory/archive/forgotten.md')).toBe(text)
  expect(project.recalled('What is forgotten').join()).not.toContain('forgotten')
  expect(await project.call('get_memory_archive_summary')).toMatchObject({ summary: { total_entries: 1 } })
  expect(await project.call('search_memory_archive', { query: 'forgotten' })).toMatchObject({ count: 1 })
  expect(keysOf(await project.call('list_memory_archive'))).toEqual(['forgotten'])

  expect(await project.call('restore_from_memory_archive', { key: 'forgotten' })).toMatchObject({
    ...{ success: true, entry: { key: 'forgotten', content: 'What is forgotten' } },
  })
  expect(project.read('.memctl/memory/forgotten.md')).toBe(text)
  expect(fs.readdirSync(project.file('.memctl/memory/archive'))).toEqual([])
  clock.now += 89 * DAY
  project.ends()
  expect(await listed(project)).toEqual(['forgotten'])
  expect(project.recalled('What is forgotten')).toHaveLength(1)
})

test('entries: what a search returns counts as read, once an hour, and without a lock', async () => {
  const { project: projectOf, clock } = newPerson()
  const project = projectOf('shop')
  for (const key of ['forgotten', 'deploys']) await project.call('save_to_memory', { key, content: `About ${key}` })
  const log = path.join(project.store.layout.events, '000001.jsonl')
  const accesses = (): number => fs.readFileSync(log, 'utf8').match(/"kind":"memory.accessed"/g)?.length ?? 0
  const search = (): Promise<Json> => project.call('memory_search', { query: 'About deploys', top_k: 1 })
  await search()
  expect(accesses()).toBe(0)
  clock.now = BEGIN + 60 * DAY
  const { lock } = project.store.layout
  fs.writeFileSync(lock, JSON.stringify({ pid: process.pid }))
  for (let i = 0; i < 3; i++) expect(await search()).toMatchObject({ total: 1 })
  fs.rmSync(lock)
  expect(accesses()).toBe(1)
  clock.now = BEGIN + 91 * DAY
  project.ends()
  expect(await listed(project)).toEqual(['deploys'])
})

test('entries: the environment sets the limits, and clean-up also runs on a save', async () => {
  const { project: projectOf, clock } = newPerson({ MCP_MEMORY_MAX_ENTRIES: '3', MCP_MEMORY_TTL_DAYS: '10' })
  const project = projectOf('shop')
  for (const key of ['a', 'b', 'c']) {
    await project.call('save_to_memory', { key, content: key })
    clock.now += DAY
  }
  await project.call('get_memory_entry', { key: 'a' })
  clock.now += DAY
  expect(await project.call('save_to_memory', { key: 'd', content: 'd' })).toMatchObject({ archived: ['b'] })
  expect(await listed(project)).toEqual(['a', 'c', 'd'])
  expect(await project.call('get_memory_summary')).toMatchObject({ summary: { max_entries: 3, ttl_days: 10 } })
  clock.now += 9 * DAY
  expect(await project.call('save_to_memory', { key: 'd', content: 'd' })).toMatchObject({ archived: ['c', 'a'] })
  expect(keysOf(await project.call('list_memory_archive'))).toEqual(['a', 'b', 'c'])
  for (const wrong of ['0', '-1', 'many', '1.5']) {
    const other = newPerson({ MCP_MEMORY_MAX_ENTRIES: wrong }).project('shop')
    expect(await other.call('get_memory_summary')).toMatchObject({ message: `MCP_MEMORY_MAX_ENTRIES is ${wrong}` })
  }
})

test('entries: archived files are never overwritten, and the latest of a key is restored', async () => {
  const { project: projectOf, clock } = newPerson()
  const project = projectOf('shop')
  for (const time of ['first', 'second', 'third']) {
    await project.call('save_to_memory', { key: 'a', content: `The ${time} time` })
    clock.now += 100 * DAY
    project.ends()
  }
  expect(fs.readdirSync(project.file('.memctl/memory/archive'))).toEqual(['a.md', 'a~2.md', 'a~3.md'])
  await project.call('restore_from_memory_archive', { key: 'a' })
  expect(await contentOf(project, 'a')).toBe('The third time')
  expect(await project.call('restore_from_memory_archive', { key: 'a' })).toMatchObject({
    ...{ error_type: 'ValidationError', hint: expect.stringContaining('Delete the active one') },
  })
  await project.call('delete_memory_entry', { key: 'a' })
  await project.call('restore_from_memory_archive', { key: 'a' })
  expect(await contentOf(project, 'a')).toBe('The second time')
})

test('entries: a global entry is known in every project, and stays while any project reads it', async () => {
  const { project: projectOf, clock, home } = newPerson()
  const [shop, site] = [projectOf('shop'), projectOf('site')] as const
  await shop.call('save_to_global_memory', { key: 'language', content: 'Answer in Japanese when asked in Japanese' })
  await shop.call('save_to_global_memory', { key: 'unread', content: 'Nobody asks for this' })
  expect(fs.readdirSync(path.join(home, '.memctl/global/memory'))).toEqual(['language.md', 'unread.md'])
  site.ends()
  expect(site.recalled('which language to answer in Japanese')[0]).toContain('when asked in Japanese')
  clock.now += 80 * DAY
  // Read in one project by its memory's id, as a session's recall would use it.
  const [hit] = (await site.call('memory_search', { query: 'answer in Japanese', top_k: 1 }))['results'] as Json[]
  await site.call('memory_get', { id: hit!['id'] })
  site.ends()
  clock.now += 20 * DAY
  shop.ends()
  expect(keysOf(await shop.call('list_global_memory_entries'))).toEqual(['language'])
  expect(keysOf(await site.call('list_global_memory_archive'))).toEqual(['unread'])
  expect(JSON.stringify(await site.call('memory_search', { query: 'Nobody asks for this' }))).not.toContain('Nobody')
  expect(await site.call('restore_from_global_memory_archive', { key: 'unread' })).toMatchObject({ success: true })
  expect(keysOf(await shop.call('retrieve_from_global_memory', { query: 'Nobody' }))).toEqual(['unread'])
})

test('entries: the spec’s folders are read unchanged, and memctl’s entry of the same key wins', async () => {
  const { project: projectOf, home } = newPerson()
  const project = projectOf('shop')
  const theirs = '.multi-agent-mcp/memory/api.md'
  project.write(theirs, entry('api', 'REST, by their program', 'author: 太郎\n'))
  project.write('.multi-agent-mcp/s-42/memory/notes.md', entry('notes', 'Of a session'))
  fs.mkdirSync(path.join(home, '.multi-agent-mcp/memory'), { recursive: true })
  fs.writeFileSync(path.join(home, '.multi-agent-mcp/memory/taste.md'), entry('taste', 'Short answers'))
  expect(await listed(project)).toEqual(['api', 'notes'])
  expect(keysOf(await project.call('list_global_memory_entries'))).toEqual(['taste'])
  expect(keysOf(await project.call('retrieve_from_memory', { query: 's-42' }))).toEqual(['notes'])
  const before = project.read(theirs)
  await project.call('save_to_memory', { key: 'api', content: 'REST, by ours' })
  project.restarts()
  expect(await contentOf(project, 'api')).toBe('REST, by ours')
  expect(project.read(theirs)).toBe(before)
  await project.call('delete_memory_entry', { key: 'api' })
  expect(await listed(project)).toEqual(['notes'])
})

test('entries: secrets of files reach no log, snapshot or output, and secrets of tools no file', async () => {
  const { project: projectOf, home } = newPerson()
  const project = projectOf('shop')
  const secret = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_')
  project.write(
    '.memctl/memory/ci.md',
    entry(
      'ci',
      `The token is ${secret}, do not tell <private>anybody</private>`,
      `token: ${secret} # or is it ${secret}\n`,
    ),
  )
  expect(await contentOf(project, 'ci')).toMatch(/^The token is \[redacted[^\]]*\], do not tell \[private\]$/)
  project.ends()
  await project.call('save_to_memory', { key: 'mine', content: `export TOKEN=${secret}`, tags: [secret] })
  await project.call('save_to_global_memory', { key: secret, content: 'x' })
  const written = fs
    .readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(home, name)).isFile())
  const holding = written.filter(
    (name) => name.includes(secret) || fs.readFileSync(path.join(home, name)).includes(secret),
  )
  expect(holding).toEqual(['shop/.memctl/memory/ci.md'])
  await project.call('save_to_memory', { key: 'ci', content: 'The token lies in the vault' })
  expect(project.read('.memctl/memory/ci.md')).not.toContain(secret)
})

test('entries: the log has the caller', async () => {
  const project = newPerson().project('shop')
  await project.call('save_to_memory', { key: 'a', content: 'b', caller_agent_id: 'worker_7' })
  await project.call('get_memory_entry', { key: 'a', caller_agent_id: 'admin_xxx' })
  const log = fs.readFileSync(path.join(project.store.layout.events, '000001.jsonl'), 'utf8').split('\n')
  const result = log.filter((line) => line.includes('"kind"')).map((line) => JSON.parse(line) as Json)
  expect(result.map((event) => [event['kind'], event['agentId']])).toEqual([
    ['memory.batch', 'worker_7'],
    ['memory.accessed', 'admin_xxx'],
  ])
})

/** Two work trees of one project. */
function newTrees({ project: projectOf, home }: ReturnType<typeof newPerson>): [Project, Project] {
  const origin = '[remote "origin"]\n\turl = https://example.org/shop.git\n'
  return ['one', 'two'].map((name) => {
    const tree = projectOf(name)
    tree.write('.git/HEAD', 'ref: refs/heads/main\n')
    tree.write('.git/config', origin)
    return projectOf(name, path.join(home, name))
  }) as [Project, Project]
}

test('entries: an entry of another work tree stays while its file exists', async () => {
  const trees = newTrees(newPerson())
  expect(trees[0].store.layout.folder).toBe(trees[1].store.layout.folder)
  await trees[0].call('save_to_memory', { key: 'a', content: 'Of the first tree' })
  await trees[1].call('save_to_memory', { key: 'b', content: 'Of the second tree' })
  trees[1].ends()
  expect(await listed(trees[1])).toEqual(['a', 'b'])
  fs.rmSync(trees[0].file('.memctl/memory/a.md'))
  trees[1].ends()
  expect(await listed(trees[1])).toEqual(['b'])
  // A project whose folder is gone (a disk that is not mounted) has not deleted anything.
  fs.renameSync(trees[1].root, `${trees[1].root}-away`)
  trees[1].ends()
  fs.renameSync(`${trees[1].root}-away`, trees[1].root)
  expect(await listed(trees[1])).toEqual(['b'])
})

test('entries: what goes away in one work tree leaves the text that another one has in its own file', async () => {
  const removals: Step[] = [
    (tree) => tree.call('delete_memory_entry', { key: 'a' }),
    (tree) => fs.rmSync(tree.file('.memctl/memory/a.md')),
    (tree) => {
      fs.mkdirSync(tree.file('.memctl/memory/archive'))
      fs.renameSync(tree.file('.memctl/memory/a.md'), tree.file('.memctl/memory/archive/a.md'))
    },
  ]
  for (const remove of removals) {
    const [one, two] = newTrees(newPerson())
    await two.call('save_to_memory', { key: 'a', content: 'Of the second tree' })
    await one.call('save_to_memory', { key: 'a', content: 'Of the first tree' })
    await remove(one)
    await listed(one)
    two.restarts()
    expect(await contentOf(two, 'a')).toBe('Of the second tree')
    one.restarts()
    await listed(one)
    expect(two.recalled('Of the second tree')).toEqual(['a: Of the second tree'])
    expect(isMtimeCacheStale(two.store)).toBe(false)
  }
})

test('entries: an entry that only another work tree has is there again after a deletion without a file', async () => {
  const [one, two] = newTrees(newPerson())
  await two.call('save_to_memory', { key: 'a', content: 'Of the second tree' })
  one.restarts()
  await one.call('delete_memory_entry', { key: 'a' })
  two.restarts()
  expect(await contentOf(two, 'a')).toBe('Of the second tree')
})

const KEYS = ['a', 'b', '設計', 'API'] as const
type Step = (project: Project) => unknown
const arbitraryStep: fc.Arbitrary<Step> = fc
  .tuple(fc.nat(9), fc.constantFrom(...KEYS), fc.constantFrom('one', '二', 'three words here'))
  .map(([what, key, content]): Step => {
    const file = `.memctl/memory/by-hand-${KEYS.indexOf(key)}.md`
    const steps: Step[] = [
      (project) => project.call('save_to_memory', { key, content, tags: [content.slice(0, 3)] }),
      (project) => project.call('save_to_global_memory', { key, content }),
      (project) => project.call('delete_memory_entry', { key }),
      (project) => project.call('get_memory_entry', { key }),
      (project) => project.call('restore_from_memory_archive', { key }),
      (project) => project.write(file, entry(key, content)),
      (project) => fs.rmSync(project.file(file), { force: true }),
      (project) => project.ends(),
      (project) => project.restarts(),
      (project) => project.write(`.memctl/${'s1'}/memory/${KEYS.indexOf(key)}.md`, entry(key, content)),
    ]
    return steps[what]!
  })

test('entries: after any changes every readable file is an entry, and a rebuild gives the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(arbitraryStep, fc.nat(60)), { maxLength: 12 }), async (steps) => {
      const { project: projectOf, clock } = newPerson()
      const project = projectOf('shop')
      for (const [step, days] of steps) {
        await step(project)
        clock.now += days * DAY
      }
      const first = await project.call('list_memory_entries')
      const there = new Set(
        ['.memctl/memory', '.memctl/s1/memory'].flatMap((folder) => {
          const at = project.file(folder)
          const names = fs.existsSync(at) ? fs.readdirSync(at).filter((name) => name.endsWith('.md')) : []
          return names.map(
            (name) => `${folder} ${/^key: (.*)$/m.exec(fs.readFileSync(path.join(at, name), 'utf8'))![1]!}`,
          )
        }),
      )
      expect(first['total']).toBe(there.size)
      project.restarts()
      expect(await project.call('list_memory_entries')).toEqual(first)
      runMaintenance(project.store, { now: clock.now, sessions: [] })
      const memories = [...loadProjection(project.store).projection.memories.values()]
      rebuildStore(project.store, clock.now)
      expect([...loadProjection(project.store).projection.memories.values()]).toEqual(memories)
      project.restarts()
      expect(await project.call('list_memory_entries')).toEqual(first)
    }),
    { numRuns: 15 },
  )
})
