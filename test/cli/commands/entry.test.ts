// memctl entry: entries as a person keeps them.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { trustFolder } from '../../tempFolders.ts'
import { newWorld, type World } from '../testContext.ts'

let world: World
afterEach(() => world.end())

const begin = (env: Readonly<Record<string, string>> = {}): World => {
  world = newWorld(env)
  trustFolder(inProject(''), inHome('home'))
  return world
}
const inProject = (file: string): string => path.join(world.folder, 'project', file)
const inHome = (file: string): string => path.join(world.folder, file)
const write = (file: string, text: string): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}
const keys = async (...words: string[]): Promise<unknown[]> =>
  (await world.json<{ entries: { key: string }[] }>(...words)).entries.map((item) => item.key)

test('cli: an entry is saved from words or stdin, found, read, listed, summarized and deleted', async () => {
  begin()
  expect((await world.memctl('entry', 'save', 'deploy', '--content', 'On Tuesdays', '--tags', 'ops,team')).status).toBe(
    0,
  )
  expect((await world.fed('整数の円で計算する\n', 'entry', 'save', '設計方針', '--tags', '税')).status).toBe(0)
  expect(fs.readdirSync(inProject('.memctl/memory'))).toEqual(['deploy.md', '設計方針.md'])
  expect(await keys('entry', 'find', '整数の円')).toEqual(['設計方針'])
  expect((await world.memctl('entry', 'get', 'deploy')).out).toMatch(/On Tuesdays/)
  await world.memctl('entry', 'save', 'long', '--content', `# Title\n\n${'word '.repeat(200)}end`)
  expect((await world.memctl('entry', 'get', 'long')).out).toMatch(/^# Title\n\n(?:word ){200}end\n/)
  await world.memctl('entry', 'delete', 'long', '--yes')
  expect(await world.json('entry', 'get', '設計方針')).toMatchObject({
    entry: { content: '整数の円で計算する', tags: ['税'] },
  })
  expect(await keys('entry', 'list', '--tags', 'ops')).toEqual(['deploy'])
  expect((await world.memctl('entry', 'list')).out).toMatch(/deploy[\s\S]*設計方針/)
  expect(await world.json('entry', 'summary')).toMatchObject({
    summary: { total_entries: 2, tags: { ops: 1, team: 1, 税: 1 } },
  })
  expect((await world.memctl('search', 'Tuesdays')).out).toContain('deploy')
  expect((await world.memctl('entry', 'delete', 'deploy', '--yes')).status).toBe(0)
  expect(await keys('entry', 'list')).toEqual(['設計方針'])
  expect(await world.memctl('entry', 'get', 'deploy')).toMatchObject({
    status: 2,
    err: expect.stringMatching(/^\S.*not found: deploy/i),
  })
})

test('cli: --global is valid in all projects, and --session-id in one session', async () => {
  begin()
  await world.memctl('entry', 'save', 'taste', '--content', 'Short answers', '--global')
  await world.memctl('entry', 'save', 'notes', '--content', 'Of a session', '--session-id', 's-1')
  expect(fs.existsSync(inHome('home/global/memory/taste.md'))).toBe(true)
  expect(fs.existsSync(inProject('.memctl/s-1/memory/notes.md'))).toBe(true)
  expect(await keys('entry', 'list', '--global')).toEqual(['taste'])
  expect(await keys('entry', 'find', 'short', '--global')).toEqual(['taste'])
  expect(await keys('entry', 'list')).toEqual(['notes'])
  expect(await keys('entry', 'list', '--session-id', 's-2')).toEqual([])
  expect(await world.memctl('entry', 'list', '--global', '--session-id', 's-1')).toMatchObject({ status: 2, out: '' })
  expect((await world.memctl('search', 'Short answers')).out).toContain('taste')
  expect((await world.memctl('entry', 'delete', 'taste', '--global', '--yes')).status).toBe(0)
  expect((await world.memctl('search', 'Short answers')).out).not.toContain('taste')
})

test('cli: archived entries are listed, searched, summarized and restored', async () => {
  begin({ MCP_MEMORY_MAX_ENTRIES: '1' })
  await world.memctl('entry', 'save', 'first', '--content', 'The first of two')
  expect((await world.memctl('entry', 'save', 'second', '--content', 'The second')).out).toContain('first')
  await world.memctl('entry', 'save', 'a', '--content', 'A', '--global')
  await world.memctl('entry', 'save', 'b', '--content', 'B', '--global')
  expect(await keys('entry', 'list', '--archived')).toEqual(['first'])
  expect(await keys('entry', 'list', '--archived', '--global')).toEqual(['a'])
  expect(await keys('entry', 'find', 'first', '--archived')).toEqual(['first'])
  expect(await keys('entry', 'find', 'a', '--archived', '--global')).toEqual(['a'])
  expect(await world.json('entry', 'summary', '--archived')).toMatchObject({ summary: { total_entries: 1 } })
  expect(await world.json('entry', 'summary', '--archived', '--global')).toMatchObject({
    summary: { total_entries: 1 },
  })
  expect(await world.memctl('entry', 'restore', 'first', '--role', 'worker')).toMatchObject({
    ...{ status: 2, err: expect.stringContaining('The role worker may not call') },
  })
  expect((await world.memctl('entry', 'restore', 'first')).status).toBe(0)
  expect(await keys('entry', 'list')).toEqual(['first'])
  expect(await keys('entry', 'list', '--archived')).toEqual(['second'])
})

test('cli: organize reads entries like a session end, and moves no file that was written by hand', async () => {
  begin({ MCP_MEMORY_MAX_ENTRIES: '1' })
  for (const key of ['a', 'b'])
    write(inProject(`.memctl/memory/${key}.md`), `---\nkey: ${key}\n---\n\nThe lamp ${key}\n`)
  expect((await world.memctl('organize')).status).toBe(0)
  expect(fs.readdirSync(inProject('.memctl/memory')).sort()).toEqual(['a.md', 'b.md'])
  expect(await world.json('list', '--kind', 'entry', '--status', 'active')).toMatchObject({ total: 2 })
})

test('cli: the next command finds a file written by hand, and doctor reports an invalid file', async () => {
  begin()
  write(inProject('.memctl/memory/lamp.md'), '---\nkey: lamp\n---\n\nThe pier lamps run on paraffin\n')
  expect((await world.memctl('search', 'paraffin')).out).toContain('pier lamps')
  expect((await world.memctl('list', '--kind', 'entry')).out).toContain('lamp')
  expect((await world.memctl('recall', 'what do the pier lamps run on')).out).toContain('paraffin')
  write(inProject('.memctl/memory/lamp.md'), '---\nkey: lamp\n---\n\nThe pier lamps run on petroleum\n')
  expect((await world.memctl('recall', 'what do the pier lamps run on')).out).toContain('petroleum')
  write(inProject('.memctl/memory/lamp.md'), '---\nkey: [lamp\n---\n\nx\n')
  const { checks } = await world.json<{
    checks: { name: string; state: string; where: string; what: string; hint: string }[]
  }>('doctor')
  expect(checks.find((item) => item.name === 'entries')).toMatchObject({
    ...{
      state: 'warn',
      where: inProject('.memctl/memory/lamp.md'),
      what: expect.stringMatching(/^Line \d: /),
      hint: expect.any(String),
    },
  })
  expect((await world.memctl('recall', 'what do the pier lamps run on')).out).toContain('petroleum')
})
