// Scopes: universal memories are for all agents in all projects, a domain's for its domain, a project's for itself.
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { maintainEntries } from '../../../src/broker/entries/entryMaintenance.ts'
import {
  AgentMemory,
  DatabaseConnection,
  MemoryRepository,
  openMemory,
  Phase1Config,
  type ProjectMemory,
  SleepPhaseProcessor,
  StrengthManager,
  VectorSearch,
} from '../../../src/index.ts'
import { newFolder } from '../../tempFolders.ts'

let home: string
let now: number

/** A program that uses the memory of one of the projects. */
function programIn(project: string, relatedDomains: readonly string[] = []) {
  const config = new Phase1Config({ relatedDomains })
  const db = new DatabaseConnection({ project: path.join(home, project), env: { MEMCTL_HOME: home }, now: () => now })
  const repository = new MemoryRepository(db, config)
  const search = new VectorSearch(db, undefined, config)
  return {
    ...{ db, repository, strength: new StrengthManager(repository, config) },
    create: (agentId: string, content: string, more: object = {}): Promise<AgentMemory> =>
      repository.create(AgentMemory.create({ agentId, content, ...more })),
    found: async (agentId: string, query: string): Promise<string[]> =>
      (await search.searchCandidates({ query, agentId })).map(([memory]) => memory.content).sort(),
  }
}

const opened = (project: string): ProjectMemory =>
  openMemory({ project: path.join(home, project), env: { MEMCTL_HOME: home }, now: () => now })

beforeEach(() => {
  home = newFolder('beyond')
  now = Date.now()
  for (const name of ['shop', 'farm']) fs.mkdirSync(path.join(home, name))
})

const UNIVERSAL = { scopeLevel: 'universal' }
const PROCUREMENT = { scopeLevel: 'domain', scopeDomain: 'procurement' }

test('library: in another project an agent finds only universal memories and those of its domain', async () => {
  const shop = programIn('shop')
  await shop.create('agent_01', '緊急調達では15%のコスト増を見込む', UNIVERSAL)
  await shop.create('agent_01', '緊急調達では本社の承認が要る', PROCUREMENT)
  await shop.create('agent_01', '緊急調達では手数料を確かめる', { scopeLevel: 'domain', scopeDomain: 'banking' })
  await shop.create('agent_01', '緊急調達では台車を借りる')
  const asked = ['agent_02', '緊急調達のコスト'] as const
  expect(await programIn('farm').found(...asked)).toEqual(['緊急調達では15%のコスト増を見込む'])
  expect(await programIn('farm', ['procurement']).found(...asked)).toEqual([
    '緊急調達では15%のコスト増を見込む',
    '緊急調達では本社の承認が要る',
  ])
  expect(await shop.found('agent_01', '緊急調達のコスト')).toHaveLength(4)
})

test('library: a use counts in every project, because a universal memory exists only once', async () => {
  const shop = programIn('shop')
  const { id } = await shop.create('agent_01', 'Lamps are lit at dusk', UNIVERSAL)
  const farm = programIn('farm')
  for (let i = 0; i < 5; i++) await farm.strength.markAsUsed(id, 'light')
  await shop.strength.markAsUsed(id)
  for (const { repository } of [shop, farm, programIn('shop'), programIn('farm')]) {
    expect(await repository.getById(id)).toMatchObject({ accessCount: 6, consolidationLevel: 1 })
    expect((await repository.getById(id))!.strength).toBeCloseTo(1.6, 12)
    expect((await repository.getByAgentId('agent_01')).map((memory) => memory.id)).toEqual([id])
  }
})

test('library: both projects see an update; a memory returned to its project is visible only there', async () => {
  const shop = programIn('shop')
  const { id } = await shop.create('agent_01', 'Lamps are lit at dusk', UNIVERSAL)
  const farm = programIn('farm')
  now += 1_000
  await farm.repository.update((await farm.repository.getById(id))!.copyWith({ content: 'Lamps are lit at six' }))
  expect((await shop.repository.getById(id))!.content).toBe('Lamps are lit at six')
  now += 1_000
  await shop.repository.update((await shop.repository.getById(id))!.copyWith({ scopeLevel: 'project' }))
  expect(await farm.repository.getById(id)).toBeNull()
  expect(await shop.repository.getById(id)).toMatchObject({ content: 'Lamps are lit at six', scopeLevel: 'project' })
})

test('library: a shared memory is visible to all entry points at home, and their changes hold everywhere', async () => {
  const made = await programIn('shop').create('agent_01', 'Lamps are lit at dusk', UNIVERSAL)
  const home = opened('shop')
  expect((await home.call('memory_search', { query: 'lamps' }))['total']).toBe(1)
  expect((await opened('farm').call('memory_search', { query: 'lamps' }))['total']).toBe(0)
  programIn('farm').strength.markAsUsed(made.id)
  now += 1_000
  await home.call('memory_update', { id: made.id, content: 'Lamps are lit at six' })
  expect((await programIn('shop').repository.getById(made.id))!.content).toBe('Lamps are lit at six')
  expect(await programIn('farm').repository.getById(made.id)).toMatchObject({
    ...{ content: 'Lamps are lit at six', accessCount: 1 },
  })
  await home.call('memory_delete', { id: made.id })
  expect(await programIn('shop').repository.getById(made.id)).toBeNull()
  expect(await programIn('farm').repository.getById(made.id)).toBeNull()
})

test('library: global entries and universal memories coexist and do not replace each other', async () => {
  const { id } = await programIn('shop').create('agent_01', 'Lamps are lit at dusk', UNIVERSAL)
  const farm = opened('farm')
  await farm.call('save_to_global_memory', { key: 'lamps', content: 'Lamps are bought in May' })
  maintainEntries(farm.store, {}, now)
  farm.organize()
  expect(await farm.call('list_global_memory_entries')).toMatchObject({ total: 1 })
  expect(await programIn('farm').repository.getById(id)).toMatchObject({
    content: 'Lamps are lit at dusk',
    status: 'active',
  })
  const found = await programIn('shop').repository.getByAgentId('agent_01')
  expect(found.map((memory) => memory.id)).toEqual([id])
})

test('library: a sleep phase of its agent decays a shared memory once, in whatever project it runs', async () => {
  const shop = programIn('shop')
  const { id } = await shop.create('agent_01', 'Lamps are lit at dusk', UNIVERSAL)
  const farm = programIn('farm')
  expect(await new SleepPhaseProcessor(farm.db).processAll('agent_01')).toMatchObject({ decayedCount: 1, errors: [] })
  expect((await shop.repository.getById(id))!.strength).toBeCloseTo(0.95 ** 0.1, 12)
})

test('library: no secret leaves the project, and reading writes nothing', async () => {
  const files = (): string[] => fs.readdirSync(home, { recursive: true, encoding: 'utf8' }).sort()
  const before = files()
  expect(await programIn('farm').repository.getByAgentId('agent_01')).toEqual([])
  expect(files()).toEqual(before)
  const token = `ghp_${'a1B2'.repeat(9)}`
  await programIn('shop').create('agent_01', `Deploy with ${token}`, UNIVERSAL)
  const kept = files().filter((name) => fs.statSync(path.join(home, name)).isFile())
  expect(kept.length).toBeGreaterThan(1)
  for (const name of kept) expect(fs.readFileSync(path.join(home, name), 'utf8')).not.toContain(token)
})
