// Every number of the specification's strength rules agrees to 1e-9 with a recomputation that shares no code, on both
// stores.
import { describe, expect, test } from 'vitest'
import {
  AgentMemory,
  config,
  createTaskExecutor,
  MemoryRanker,
  MemoryRepository,
  Phase1Config,
  StrengthManager,
} from '../../../src/index.ts'
import {
  drawSteps,
  finalScore,
  levelOfUses,
  newRecomputed,
  recompute,
  type Step,
  taskShare,
} from './strengthDocument.ts'
import { AGENT, clientOf, codeOf, createWith, DIMENSION, STORES, useStore } from './testStores.ts'

const TOLERANCE = 1e-9
const STEPS = process.env['MEMCTL_LONG'] ? 5_000 : 200

describe('numbers of the specification', () => {
  test('numbers: levels and shares per task agree for every number of uses', () => {
    for (let uses = 0; uses <= 200; uses++) expect(config.getConsolidationLevel(uses)).toBe(levelOfUses(uses))
    for (let level = 0; level <= 5; level++)
      expect(Math.abs(config.getDecayRate(level) - taskShare(level))).toBeLessThan(TOLERANCE)
  })

  test('numbers: the final score agrees for similarities, strengths and ages', () => {
    const now = Date.parse('2026-03-10T00:00:00Z')
    for (const similarity of [0, 0.3, 0.75, 1])
      for (const strength of [0, 0.1, 1.2, 2, 7])
        for (const days of [0, 4.56, 30, 365]) {
          const createdAt = new Date(now - days * 86_400_000)
          const memory = AgentMemory.create({ agentId: AGENT, content: 'x', strength }).copyWith({ createdAt })
          const [scored] = new MemoryRanker(config, () => now).rank([[memory, similarity]])
          const recency = Math.exp((-days / 30) * Math.LN2)
          expect(Math.abs(scored!.finalScore - finalScore(similarity, strength, recency))).toBeLessThan(TOLERANCE)
        }
    // The example of the document.
    expect(Math.abs(finalScore(0.75, 1.2, 0.9) - 0.735)).toBeLessThan(TOLERANCE)
  })
})

describe.each(STORES)('numbers of the specification, %s', (kind) => {
  const store = useStore(kind)

  test('numbers: after hundreds of uses, impacts, decays and reactivations every stored number agrees', async () => {
    const values = new Phase1Config({ embeddingDimension: DIMENSION })
    const db = store.connect()
    const repository = new MemoryRepository(db, values)
    const strength = new StrengthManager(repository, values)
    const executor = createTaskExecutor(db, { config: values, embeddingClient: clientOf({}) })
    const recomputed = [1, 0.5, 0.11, 1.2].map(newRecomputed)
    const ids: string[] = []
    // Each has an agent of its own, so that a sleep phase is a step of one memory.
    for (const [i, { strength: initial }] of recomputed.entries())
      ids.push((await createWith(repository)(`memory ${i}`, { agentId: `agent_${i}`, strength: initial })).id)
    const apply = async (i: number, step: Step): Promise<unknown> => {
      const id = ids[i]!
      switch (step.kind) {
        case 'candidate':
          return strength.markAsCandidate([id])
        case 'set':
          return repository.batchUpdateStrength([[id, step.strength]])
        case 'use':
          return strength.markAsUsed(id, step.perspective)
        case 'impact':
          return strength.applyImpact(id, step.impact)
        case 'decay':
          return executor.runSleepPhase(`agent_${i}`)
        case 'reactivate':
          return recomputed[i]!.isActive
            ? expect(await codeOf(strength.reactivate(id))).toBe('INPUT_INVALID')
            : strength.reactivate(id)
      }
    }
    let archivings = 0
    for (const { memory: i, step } of drawSteps(17, STEPS)) {
      await apply(i, step)
      const expected = recomputed[i]!
      const wasActive = expected.isActive
      recompute(expected, step)
      if (wasActive && !expected.isActive) archivings += 1
      const memory = (await repository.getById(ids[i]!))!
      expect(memory).toMatchObject({
        ...{ accessCount: expected.accessCount, candidateCount: expected.candidateCount },
        ...{ consolidationLevel: expected.level, status: expected.isActive ? 'active' : 'archived' },
      })
      expect(Math.abs(memory.strength - expected.strength)).toBeLessThan(TOLERANCE)
      expect(Math.abs(memory.impactScore - expected.impactScore)).toBeLessThan(TOLERANCE)
      expect(Object.keys(memory.strengthByPerspective).sort()).toEqual(Object.keys(expected.perspectives).sort())
      for (const [name, value] of Object.entries(expected.perspectives))
        expect(Math.abs(memory.strengthByPerspective[name]! - value)).toBeLessThan(TOLERANCE)
    }
    expect(archivings).toBeGreaterThan(0)
  }, 120_000)

  test('numbers: an unused memory of strength 1 is archived after 449 tasks, in 45 days of ten tasks', async () => {
    const expected = newRecomputed(1)
    let tasks = 0
    while (expected.isActive) {
      recompute(expected, { kind: 'decay' })
      tasks += 1
    }
    expect(tasks).toBe(449)
    const values = new Phase1Config({ embeddingDimension: DIMENSION })
    const db = store.connect()
    const repository = new MemoryRepository(db, values)
    const { id } = await createWith(repository)('unused')
    const executor = createTaskExecutor(db, { config: values, embeddingClient: clientOf({}) })
    await repository.batchUpdateStrength([[id, taskShare(0) ** 447]])
    await executor.runSleepPhase(AGENT)
    expect((await repository.getById(id))!.status).toBe('active')
    await executor.runSleepPhase(AGENT)
    const archived = (await repository.getById(id))!
    expect(archived.status).toBe('archived')
    expect(Math.abs(archived.strength - expected.strength)).toBeLessThan(TOLERANCE)
  })
})
