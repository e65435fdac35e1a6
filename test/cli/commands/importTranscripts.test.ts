// memctl import transcripts: which sessions it takes, what it prints, and what it refuses.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TranscriptImport } from '../../../src/cli/commands/importTranscripts.ts'
import { TranscriptBuilder } from '../../broker/transcripts/transcriptFixtures.ts'
import { BEGIN, DAY } from '../../testData.ts'
import { newWorld, type World } from '../testContext.ts'

let world: World
beforeEach(() => {
  world = newWorld()
})
afterEach(() => world.end())

const clientFolder = (): string => path.join(world.folder, '.claude')

/** A session of a folder of this world, as the client keeps it. */
function writeSession(folder: string, { session = 'session-one', at = BEGIN, to = clientFolder() } = {}): void {
  new TranscriptBuilder(session, at, path.join(world.folder, folder))
    .user('今後はコミットメッセージを日本語で書いてください。')
    .calls('Bash', { command: 'npm test' }, 'Exit code 1\nError: dist/prices.json is missing', true)
    .calls('Bash', { command: 'npm run build:prices' }, 'built')
    .calls('Bash', { command: 'npm test' }, 'ok')
    .says('The tests pass.')
    .write(to)
}

const importJson = (...words: readonly string[]) => world.json<TranscriptImport>('import', 'transcripts', ...words)

const eventCount = async (...words: readonly string[]): Promise<number> =>
  (await world.json<{ total: number }>('list', '--events', ...words)).total

describe('cli import transcripts', () => {
  test('import transcripts: takes the sessions of this project, and says how many others there are', async () => {
    writeSession('project')
    writeSession('店 other', { session: 'session-two' })
    fs.mkdirSync(path.join(world.folder, '店 other'))
    const { status, out } = await world.memctl('import', 'transcripts')
    expect(status).toBe(0)
    expect(out).toContain('project: 1 session, 1 new')
    expect(out).toMatch(/recorded: \d+ events, with 1 prompt and 3 calls/)
    expect(out).toContain('1 session of other projects')
    expect((await world.memctl('list')).out).toContain('日本語で書いてください')
    expect((await world.memctl('list', '--sessions')).out).toMatch(/session-.* imported /)
  })

  test('import transcripts: a dry run says what there is, and stores nothing', async () => {
    writeSession('project')
    const { status, out } = await world.memctl('import', 'transcripts', '--dry-run')
    expect(status).toBe(0)
    expect(out).toMatch(/to record: about \d+ events, with 1 prompt and 3 calls/)
    expect(out).toContain('Nothing was stored')
    expect(fs.existsSync(path.join(world.folder, 'home'))).toBe(false)
  })

  test('import transcripts: a second run adds nothing and says so', async () => {
    writeSession('project')
    const first = await importJson()
    expect(first.projects.map(({ sessions, events }) => [sessions.new, events > 5])).toEqual([[1, true]])
    const before = await eventCount()
    const { out } = await world.memctl('import', 'transcripts')
    expect(out).toContain('nothing to add')
    expect(await eventCount()).toBe(before)
  })

  test('import transcripts --all-projects: each session goes into the memory of its own folder', async () => {
    writeSession('project')
    writeSession('店 other', { session: 'session-two' })
    fs.mkdirSync(path.join(world.folder, '店 other'))
    const { projects, total } = await importJson('--all-projects')
    expect(total).toBe(2)
    expect(projects.flatMap(({ folders }) => folders.map((folder) => path.basename(folder))).sort()).toEqual([
      'project',
      '店 other',
    ])
    expect(new Set(projects.map(({ store }) => store)).size).toBe(2)
  })

  test('import transcripts --all-projects: a folder that is gone gets no new memory', async () => {
    writeSession('project')
    writeSession('gone', { session: 'session-two' })
    const { projects, left } = await importJson('--all-projects')
    expect(projects).toHaveLength(1)
    expect(left).toEqual([{ folder: path.join(world.folder, 'gone'), sessions: 1, reason: 'gone' }])
    expect((await world.memctl('import', 'transcripts', '--all-projects')).out).toMatch(/Left out: 1 session of .*gone/)
  })

  test('import transcripts --all-projects: a folder that is gone belongs to the repository around it', async () => {
    execFileSync('git', ['init', '--quiet', path.join(world.folder, 'project')])
    writeSession('project/deleted-worktree')
    expect((await importJson()).projects.map(({ sessions }) => sessions.new)).toEqual([1])
  })

  test('import transcripts: sessions of a moved folder belong to the project that was used there', async () => {
    const [before, after] = [path.join(world.folder, '前'), path.join(world.folder, '後')]
    execFileSync('git', ['init', '--quiet', before])
    execFileSync('git', ['-C', before, 'remote', 'add', 'origin', 'https://example.com/shop.git'])
    writeSession('前')
    expect((await importJson('--project', before)).projects.map(({ sessions }) => sessions.new)).toEqual([1])
    fs.renameSync(before, after)
    writeSession('前', { session: 'session-two', at: BEGIN + DAY })
    const { projects } = await importJson('--project', after)
    expect(projects.map(({ sessions }) => [sessions.total, sessions.new])).toEqual([[2, 1]])
  })

  test('import transcripts FILE: a file from elsewhere adds nothing to other projects', async () => {
    fs.mkdirSync(path.join(world.folder, 'other'))
    writeSession('other', { to: path.join(world.folder, 'project/from-somebody') })
    const refused = await world.memctl('import', 'transcripts', 'from-somebody')
    expect(refused.status).toBe(2)
    expect(refused.err).toContain('No transcripts of this project')
    expect(refused.err).toContain('--all-projects')
    const { projects } = await importJson('from-somebody', '--project', '.')
    expect(projects.map(({ project, sessions }) => [project, sessions.new])).toEqual([['project', 1]])
  })

  test('import transcripts FILE: an agent cannot import what it may have written itself', async () => {
    writeSession('project', { to: path.join(world.folder, 'project/made-up') })
    const asAgent = newWorld({ CLAUDECODE: '1' })
    const refused = await asAgent.memctl(
      'import',
      'transcripts',
      path.join(world.folder, 'project/made-up'),
      '--project',
      '.',
    )
    asAgent.end()
    expect([refused.status, refused.out]).toEqual([2, ''])
  })

  test('import transcripts: --since and --limit take the later sessions', async () => {
    writeSession('project')
    writeSession('project', { session: 'session-two', at: BEGIN + 5 * DAY })
    writeSession('project', { session: 'session-three', at: BEGIN + 9 * DAY })
    const count = async (...words: readonly string[]) =>
      (await importJson('--dry-run', ...words)).projects[0]?.sessions.new
    expect(await count()).toBe(3)
    expect(await count('--since', new Date(BEGIN + 2 * DAY).toISOString())).toBe(2)
    expect(await count('--limit', '1')).toBe(1)
  })

  test.each([
    ['a path without anything', ['import', 'transcripts', 'nowhere'], 'no file or folder with transcripts'],
    ['a client without transcripts', ['import', 'transcripts'], 'no transcripts on this machine yet'],
    ['a date that is none', ['import', 'transcripts', '--since', 'yesterdayish'], 'Use a date'],
    ['no number', ['import', 'transcripts', '--limit', '0'], 'whole number'],
    ['two projects at once', ['import', 'transcripts', '.', '--all-projects', '--project', '.'], 'cannot be combined'],
  ])('import transcripts: %s is one clear line, with exit status 2', async (_, words, message) => {
    const { status, err, out } = await world.memctl(...words)
    expect([status, out]).toEqual([2, ''])
    expect(err).toContain(message)
    expect(err).not.toMatch(/internal error|\n\s+at /)
  })

  test('import transcripts: what is forgotten stays forgotten, and the result says so', async () => {
    writeSession('project')
    await importJson()
    expect((await world.memctl('forget', '--session', 'session-one', '--yes')).status).toBe(0)
    for (const options of [['--dry-run'], []]) {
      const { out } = await world.memctl('import', 'transcripts', ...options)
      expect(out).toContain('1 forgotten, and left out\n  nothing to add\n')
    }
    expect((await world.memctl('list')).out).not.toContain('日本語')
  })

  test('init: says in one line that there are earlier sessions, until they are recorded', async () => {
    writeSession('project')
    expect((await world.memctl('init', '--dry-run')).out).toMatch(
      /Earlier: +1 session before memctl: `memctl import transcripts`/,
    )
    await importJson()
    expect((await world.memctl('init', '--dry-run')).out).not.toContain('import transcripts')
  })
})
