// Two people with a home each and one hub: joining shows what leaves and asks, the lists of the other one name the
// author, and what is private stays.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { startTestDatabase, type TestDatabase } from '../../database/server.ts'
import { newWorld, type World } from '../testContext.ts'

let database: TestDatabase
const worlds: World[] = []
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())
afterEach(() => {
  for (const world of worlds.splice(0)) world.end()
})

/** A project with this origin, connected to the hub. */
async function connected(name: string, origin?: string, env: Readonly<Record<string, string>> = {}): Promise<World> {
  const world = newWorld(env)
  worlds.push(world)
  const cwd = path.join(world.folder, 'project')
  execFileSync('git', ['init', '-q'], { cwd })
  if (origin !== undefined) execFileSync('git', ['remote', 'add', 'origin', origin], { cwd })
  await world.memctl('hub', 'connect', database.url, '--name', name)
  await world.memctl('hub', 'migrate')
  return world
}

test('hub join: it shows what leaves and what stays, and without an answer shares nothing', async () => {
  const aki = await connected('Aki', 'https://aki:s3cret@example.com/acme/first.git')
  await aki.memctl('remember', 'Use pnpm, not npm')
  await aki.memctl('remember', '価格は整数の円で保存すること')
  await aki.memctl('memory', 'store', 'The draft name is quartz', '--privacy', 'private', '--agent-id', 'a1')
  const plan = await aki.memctl('hub', 'join', '--dry-run')
  expect(plan.out).toMatch(/ would be shared as example\.com\/acme\/first, by Aki, through postgresql:/)
  expect(plan.out).toContain('2 memories would be sent now: 2 preferences')
  expect(plan.out).toContain('  preference  価格は整数の円で保存すること')
  expect(plan.out).toContain('These stay here: 1 private')
  expect(plan.out).not.toMatch(/quartz|s3cret/)

  const asked = await aki.memctl('hub', 'join')
  expect(asked).toMatchObject({ status: 2, err: expect.stringContaining('Nothing was shared') })
  expect((await aki.memctl('status')).out).toContain('this project shares nothing: `memctl hub join`')
  const early = await aki.memctl('hub', 'sync')
  expect(early.err).toContain('memctl hub join')
})

test('hub join: a project without a shared origin needs a name', async () => {
  const world = await connected('Aki')
  const refused = await world.memctl('hub', 'join', '--yes')
  expect(refused.err).toContain('memctl hub join --project-key NAME')
  expect((await world.memctl('hub', 'join', '--project-key', ' a\nb', '--yes')).status).toBe(2)
  expect((await world.memctl('hub', 'join', '--project-key', '店', '--yes')).out).toContain('shared as 店 by Aki')
})

test('hub join: a hub of an earlier version is not joined', async () => {
  const world = await connected('Aki', 'https://example.com/acme/earlier.git')
  await using hub = await openDatabase({ url: database.url })
  const setVersion = (from: number, to: number) =>
    hub.query('update memctl_migrations set version = $2 where version = $1', [from, to])
  await setVersion(11, 6)
  const refused = await world.memctl('hub', 'join', '--yes')
  await setVersion(6, 11)
  expect(refused.err).toContain('Run `memctl hub migrate`')
  expect((await world.memctl('status')).out).toContain('this project shares nothing')
})

test('hub join: an agent may neither join nor leave', async () => {
  const world = await connected('Aki', 'https://example.com/acme/agent.git', { CLAUDECODE: '1' })
  for (const words of [['join', '--yes'], ['leave'], ['disconnect']])
    expect((await world.memctl('hub', ...words)).err).toContain('is for a person')
})

test('team: what one person shared is in the lists of another, with the author, until it is forgotten', async () => {
  const origin = 'git@example.com:acme/second.git'
  const [aki, mika] = [await connected('Aki', origin), await connected('三木', origin)]
  await aki.memctl('remember', 'Use pnpm, not npm')
  await aki.memctl('memory', 'store', 'The draft name is quartz', '--privacy', 'private', '--agent-id', 'a1')
  for (const person of [aki, mika]) expect((await person.memctl('hub', 'join', '--yes')).status).toBe(0)
  expect((await aki.memctl('hub', 'sync')).out).toMatch(/sent \d changes?/)
  expect((await mika.memctl('search', 'pnpm')).out).not.toContain('Use pnpm')
  await mika.memctl('hub', 'sync')
  expect((await mika.memctl('list')).out).toMatch(/by +content\n[^\n]* Aki +Use pnpm/)
  expect((await mika.memctl('list', '--private')).out).not.toContain('quartz')
  const start = (await mika.memctl('recall', '--moment', 'start')).out
  expect(start).toMatch(/Teammates said:\n- Use pnpm, not npm \([\d-]+; said by Aki\)/)
  const status = await mika.memctl('status')
  expect(status.out).toMatch(/^hub +example\.com\/acme\/second as 三木, synced just now, nothing waits$/m)
  expect((await mika.memctl('doctor')).out).toContain('The project is shared as example.com/acme/second by 三木')

  const { memories } = await aki.json<{ memories: { id: string }[] }>('list')
  const id = memories[0]?.id ?? ''
  expect((await aki.memctl('forget', id, '--dry-run')).out).toContain('the hub and every other machine forget it')
  await aki.memctl('forget', id, '--yes')
  await aki.memctl('hub', 'sync')
  await mika.memctl('hub', 'sync')
  expect((await mika.memctl('list')).out).not.toContain('pnpm')
  expect((await mika.memctl('remember', 'Use pnpm, not npm')).out).toContain('It stays on this machine')
  expect((await mika.memctl('remember', 'Use tabs')).out).not.toContain('It stays on this machine')
})

test('hub leave: what only others know disappears, and what was shared is taken back', async () => {
  const origin = 'https://example.com/acme/third.git'
  const [aki, mika] = [await connected('Aki', origin), await connected('三木', origin)]
  await aki.memctl('remember', 'Use pnpm, not npm')
  await mika.memctl('remember', 'テストは日本語の名前で書く')
  for (const person of [aki, mika, aki]) {
    await person.memctl('hub', 'join', '--yes')
    await person.memctl('hub', 'sync')
  }
  expect((await aki.memctl('list')).out).toContain('テストは日本語の名前で書く')
  expect((await aki.memctl('hub', 'leave')).out).toContain('shares nothing any more')
  const left = (await aki.memctl('list')).out
  expect(left).toContain('Use pnpm')
  expect(left).not.toContain('テストは日本語の名前で書く')
  expect((await aki.memctl('status')).out).toMatch(
    /^hub +left, \d changes? waits? to be taken back: `memctl hub sync`$/m,
  )
  await aki.memctl('hub', 'sync')
  await mika.memctl('hub', 'sync')
  expect((await mika.memctl('list')).out).not.toContain('Use pnpm')
  expect((await aki.memctl('hub', 'leave')).out).toContain('it has not joined a hub')
})
