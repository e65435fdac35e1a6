// What the commands of the hub print in Japanese, for the owner of a hub and for a member of the team.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { grantAccess } from '../../src/database/hubAccess.ts'
import { listWaiting } from '../../src/database/hubTeam.ts'
import { createPostgresHub } from '../../src/database/postgresHub.ts'
import { asRole } from '../database/hub/databaseRole.ts'
import { memberOf, memoryOf, putOf } from '../database/hub/hubServer.ts'
import { startTestDatabase, type TestDatabase } from '../database/server.ts'
import { runAndFind } from './findEnglish.ts'
import { newWorld, type World } from './testContext.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: TestDatabase
let world: World

beforeAll(async () => {
  server = await startTestDatabase()
  world = newWorld({ MEMCTL_LANG: 'ja' })
})

afterAll(async () => {
  world?.end()
  await server?.stop()
})

const findOf = (...lines: readonly string[]) => runAndFind(world, lines)

test('japanese: without a hub, and with an address that is wrong', async () => {
  const urls = ['x', 'postgresql://a@127.0.0.1:1/x', 'postgresql://a@h/x?foo=1', 'postgresql://a%zz@h/x']
  const commands = ['status', 'connect', 'join', 'leave', 'sync', 'sync --all', 'disconnect', 'policy', 'access']
  const grants = ['grant aki', 'revoke aki', 'policy --kinds x', 'review accept', 'review x', 'remove']
  const found = await findOf(
    ...[...commands, ...grants].map((command) => `hub ${command}`),
    ...[...urls, 'postgresql://a@127.0.0.1:99999/x', 'http://x'].map((url) => `hub status --url ${url}`),
    ...urls.map((url) => `hub connect ${url}`),
    "hub connect postgresql://a@127.0.0.1/x --name '!'",
  )
  expect(found).toEqual([])
})

test('japanese: connect, migrate, grant, join, sync, decide and leave', async () => {
  const first = await findOf(
    ...[`hub connect ${server.url} --name 秋`, 'hub status', 'hub migrate --dry-run', 'hub migrate', 'hub migrate'],
    ...['hub migrate --dimension 8', 'hub status', 'hub access', 'hub join', 'hub grant 誰か --project 店'],
    ...['remember 税は整数です', "remember '私は京都に住んでいます'", 'hub join --project-key 店 --dry-run'],
    ...['hub join --project-key 店', 'hub join --project-key 店 --yes', 'hub sync --dry-run', 'hub sync', 'hub sync'],
    ...[
      'status',
      'hub policy --kinds lesson,decision',
      'hub policy --kinds own',
      'hub policy --review on',
      'hub review',
    ],
  )
  const database = await openDatabase({ url: server.url })
  await database.query('create role mika')
  await grantAccess(database, { project: '店', role: 'mika', canWrite: true })
  const push = (n: number, text: string) =>
    createPostgresHub(asRole(database, 'mika')).push(memberOf('店', 1, '美香'), putOf(n, text))
  await push(1, '箱は青いです')
  await push(2, '箱は赤いです')
  const numbers = (await listWaiting(database, '店')).map(({ number }) => number)
  const decided = await findOf(
    ...['hub review', 'hub review accept', 'hub review accept 0'],
    ...[`hub review accept ${numbers[0]}`, `hub review reject ${numbers[1]}`],
    ...[`hub pin ${memoryOf(1)}`, 'hub log', `hub pin ${memoryOf(1)} --undo`],
    ...['hub sync', 'hub grant mika --project 店 --review', 'hub access', 'hub revoke mika --project 店'],
    ...['hub revoke mika --project 店', 'hub remove 美香 --dry-run', 'hub remove 美香', 'hub remove 美香 --yes'],
    ...[
      'hub remove --dry-run',
      'hub leave',
      'hub leave',
      'hub sync',
      'hub remove --project 店 --yes',
      'hub disconnect',
    ],
  )
  await database.close()
  expect([...first, ...decided]).toEqual([])
})
