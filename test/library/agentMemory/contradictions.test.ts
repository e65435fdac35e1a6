// Texts that nearly agree and mean different things are never merged, in both stores.
import { beforeEach, describe, expect, test } from 'vitest'
import { AgentMemory, MemoryRepository, Phase1Config, SleepPhaseProcessor } from '../../../src/index.ts'
import { summarizeExtractively } from '../../../src/organize/extractiveSummary.ts'
import { CONTRADICTIONS } from './contradictions.ts'
import { AGENT, createWith, DIMENSION, idsOf, STORES, useStore } from './testStores.ts'

describe.each(STORES)('merging, %s', (kind) => {
  const store = useStore(kind)
  const config = new Phase1Config({ embeddingDimension: DIMENSION })
  let repository: MemoryRepository
  let processor: SleepPhaseProcessor
  beforeEach(() => {
    const db = store.connect()
    repository = new MemoryRepository(db, config)
    processor = new SleepPhaseProcessor(db, config)
  })

  test('merging: a sleep phase keeps both texts of every pair', async () => {
    for (const content of CONTRADICTIONS.flat()) await createWith(repository)(content)
    expect(await processor.processAll(AGENT)).toMatchObject({ archivedCount: 0, consolidatedCount: 0, errors: [] })
    const left = (await repository.getByAgentId(AGENT)).map(({ content }) => content)
    expect(left.sort()).toEqual(CONTRADICTIONS.flat().sort())
  }, 60_000)

  test('merging: equal texts become one memory, with the uses, tags and learnings of all', async () => {
    const create = createWith(repository)
    const strong = await create('納期は\n守る', { strength: 2, tags: ['a'], learnings: { 納期: 'x' } })
    const same = await create('納期は  \n守る\n', { tags: ['b'], learnings: { コスト: 'y' }, embedding: [1, 0, 0] })
    await repository.incrementAccessCount(same.id, 0)
    const composed = await create('Café opens')
    const decomposed = await create('Cafe\u0301 opens')
    expect(await processor.consolidateSimilar(AGENT)).toBe(2)
    expect(await repository.getById(strong.id)).toMatchObject({
      ...{ accessCount: 1, tags: ['a', 'b'], learnings: { 納期: 'x', コスト: 'y' } },
    })
    expect(await repository.getById(same.id)).toMatchObject({ status: 'archived', embedding: [1, 0, 0] })
    const cafe = [composed, decomposed].map(({ id }) => repository.getById(id))
    expect((await Promise.all(cafe)).map((memory) => memory?.status).sort()).toEqual(['active', 'archived'])
    expect(await processor.consolidateSimilar(AGENT)).toBe(0)
  })

  test('merging: equal texts stay apart if their learnings or scopes differ', async () => {
    const create = createWith(repository)
    const ids = idsOf([
      await create('Deploy on Friday', { learnings: { general: 'it worked' } }),
      await create('Deploy on Friday', { learnings: { general: 'it failed' } }),
      await create('Deploy on Friday', { scopeProject: 'farm' }),
      await create('Deploy on Friday', { scopeLevel: 'domain', scopeDomain: 'food' }),
    ])
    expect(await processor.consolidateSimilar(AGENT)).toBe(0)
    const other = await repository.create(AgentMemory.create({ agentId: 'agent_02', content: 'Deploy on Friday' }))
    await processor.processAll('agent_02')
    expect((await repository.getById(other.id))?.status).toBe('active')
    expect(idsOf(await repository.getByAgentId(AGENT)).sort()).toEqual(ids.sort())
  })
})

const SENTENCES = CONTRADICTIONS.filter((pair) => !pair.join('').includes('\n'))

test.each(SENTENCES)('merging: a summary of %j and %j has both', (a, b) => {
  expect(summarizeExtractively([a, b], 600).split('\n')).toEqual([a, b])
})
