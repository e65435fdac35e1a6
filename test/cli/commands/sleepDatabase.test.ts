// memctl organize --sleep AGENT on the database that the environment names, and with a store that is named instead.
import fs from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { AgentMemory, DatabaseConnection, MemoryRepository, Phase1Config } from '../../../src/index.ts'
import { startTestDatabase, type TestDatabase } from '../../database/server.ts'
import { newWorld, type World } from '../testContext.ts'

let server: TestDatabase
let world: World | undefined
beforeAll(async () => {
  server = await startTestDatabase()
}, 60_000)
afterAll(() => server.stop())
afterEach(() => world?.end())

test('cli: sleep works on the database of the environment and says so; a named store is used instead', async () => {
  const own = newWorld({ DATABASE_URL: server.url })
  world = own
  const env = { MEMCTL_HOME: `${own.folder}/home`, DATABASE_URL: server.url }
  await using db = new DatabaseConnection({ project: `${own.folder}/project`, env })
  const missing = await own.memctl('organize', '--sleep', 'agent_01')
  expect([missing.status, missing.err]).toEqual([2, expect.stringContaining('memctl hub migrate')])
  await db.migrate(new Phase1Config({ embeddingDimension: 3 }))
  const repository = new MemoryRepository(db)
  const { id } = await repository.create(AgentMemory.create({ agentId: 'agent_01', content: 'in the database' }))
  const slept = await own.memctl('organize', '--sleep', 'agent_01')
  expect(slept.out).toBe(
    'Agent agent_01: weakened 1 memory, archived 0, merged 0.\n' +
      'The memories are in the database that DATABASE_URL names.\n',
  )
  expect((await repository.getById(id))?.strength).toBeCloseTo(0.95 ** 0.1, 12)
  await own.memctl('memory', 'store', 'in the store', '--agent-id', 'agent_01')
  const projects = `${own.folder}/home/projects`
  const [store = ''] = fs.readdirSync(projects)
  const named = await own.memctl('organize', '--sleep', 'agent_01', '--store', `${projects}/${store}`)
  expect(named.out).toBe('Agent agent_01: weakened 1 memory, archived 0, merged 0.\n')
  expect((await repository.getById(id))?.strength).toBeCloseTo(0.95 ** 0.1, 12)
})
