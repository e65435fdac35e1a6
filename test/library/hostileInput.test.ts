// What a program must not pass to the library is rejected before anything is written, and stores that were damaged by
// earlier versions open.
import { describe, expect, test } from 'vitest'
import { commitEvents } from '../../src/broker/commit/commitEvents.ts'
import { systemEvent } from '../../src/broker/commit/systemEvent.ts'
import { AgentMemory, openMemory, Phase1Config } from '../../src/index.ts'
import { MemoryRepository } from '../../src/library/agentMemory/memoryRepository.ts'
import type { Memory } from '../../src/model/memory.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { createTestProject } from '../tempFolders.ts'
import { BEGIN, buildMemory, testMemoryId } from '../testData.ts'

function open() {
  const { project, home } = createTestProject('hostile')
  return openMemory({ project, env: { MEMCTL_HOME: home } })
}

const countEvents = ({ store }: ReturnType<typeof open>): number => readLog(realDisk, store.layout.events).events.length

const REJECTED = expect.objectContaining({ code: 'INPUT_INVALID', hint: expect.stringMatching(/./) })

function codeOf(run: () => unknown): string {
  try {
    run()
    return 'accepted'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

const rejectionCodeOf = (run: () => Promise<unknown>): Promise<string> =>
  run().then(
    () => 'accepted',
    (error: { code?: string }) => error.code ?? String(error),
  )

const cycle: Record<string, unknown> = { text: 'a' }
cycle['self'] = cycle
const getter = Object.defineProperty({}, 'text', {
  enumerable: true,
  get: () => {
    throw new Error('no')
  },
})
let deep: unknown = 'a'
for (let i = 0; i < 3_000; i += 1) deep = { deep }

describe('library: hostile input', () => {
  test.each([5, {}, [], '', ' ', true, 'x'.repeat(300)])('library: a source that is %j is rejected', async (source) => {
    const memory = open()
    const content = [{ input: { text: 'hello' }, source: source as string }]
    await expect(memory.memoryAgent().record({ content })).rejects.toEqual(REJECTED)
    expect(countEvents(memory)).toBe(0)
    expect(await memory.search('hello')).toEqual([])
  })

  test.each([
    ['cycle', cycle],
    ['getter', getter],
    ['depth', deep],
    ['bigint', { text: 1n }],
  ])('library: a message with a %s is rejected', async (_, input) => {
    const memory = open()
    const content = [{ input: input as Record<string, unknown> }]
    await expect(memory.memoryAgent().record({ content })).rejects.toEqual(REJECTED)
    expect(countEvents(memory)).toBe(0)
  })

  test.each([-5, '0.1', 1e308, Number.NaN, Number.POSITIVE_INFINITY, null, {}])(
    'library: an increment of %s is rejected',
    async (increment) => {
      const memory = open()
      const repository = new MemoryRepository(memory.connection)
      const { id } = await repository.create(AgentMemory.create({ agentId: 'a', content: 'b' }))
      const before = countEvents(memory)
      expect(await rejectionCodeOf(() => repository.incrementAccessCount(id, increment as number))).toBe(
        'INPUT_INVALID',
      )
      expect(await rejectionCodeOf(() => repository.updatePerspectiveStrength(id, 'p', increment as number))).toBe(
        'INPUT_INVALID',
      )
      expect(await rejectionCodeOf(() => repository.batchUpdateStrength([[id, increment as number]]))).toBe(
        'INPUT_INVALID',
      )
      expect(countEvents(memory)).toBe(before)
    },
  )

  test.each(['constructor', '__proto__', 'toString', 'prototype', '', ' '])(
    'library: a perspective named %j is rejected',
    async (name) => {
      const memory = open()
      const repository = new MemoryRepository(memory.connection)
      const { id } = await repository.create(AgentMemory.create({ agentId: 'a', content: 'b' }))
      expect(await rejectionCodeOf(() => repository.updatePerspectiveStrength(id, name, 1))).toBe('INPUT_INVALID')
      const learnings = JSON.parse(`{${JSON.stringify(name)}:"x"}`)
      expect(codeOf(() => AgentMemory.create({ agentId: 'a', content: 'b', learnings }))).toBe('INPUT_INVALID')
    },
  )

  test.each([
    ['embedding', [1e300]],
    ['embedding', ['1']],
    ['embedding', 'x'],
    ['consolidationLevel', 9],
    ['consolidationLevel', 1.5],
    ['strength', '1'],
    ['accessCount', 1.5],
    ['tags', [1]],
    ['tags', 'a'],
    ['agentId', 5],
    ['scopeDomain', {}],
    ['strengthByPerspective', { a: Number.NaN }],
    ['learnings', { a: 1 }],
    ['createdAt', new Date(Number.NaN)],
    ['createdAt', new Date(8.64e15)],
    ['lastAccessedAt', 'yesterday'],
    ['source', 'elsewhere'],
  ])('library: %s = %j is rejected', (field, value) => {
    const memory = AgentMemory.create({ agentId: 'a', content: 'b' })
    expect(codeOf(() => memory.copyWith({ [field]: value }))).toBe('INPUT_INVALID')
  })

  test.each(['2026-02-31T00:00:00Z', '+275760-09-13', '-000001-01-01', '2026-13-01'])(
    'library: a row with the time %s is rejected',
    (created_at) => {
      const row = { ...AgentMemory.create({ agentId: 'a', content: 'b' }).toDict(), created_at }
      expect(codeOf(() => AgentMemory.fromRow(row))).toBe('INPUT_INVALID')
    },
  )

  test.each([
    { scoreWeights: { similarity: 1 } },
    { scoreWeights: null },
    { initialStrength: '1' },
    { archiveThreshold: 1e308 },
    { relatedDomains: 'x' },
    { dailyDecayTargets: null },
    { consolidationThresholds: [0, '5'] },
    { defaultScopeLevel: 'all' },
  ])('library: the configuration %j is rejected', (changes) => {
    expect(codeOf(() => new Phase1Config(changes as never))).toBe('CONFIG_INVALID')
  })

  test('library: options and searches of the wrong type are rejected', async () => {
    const memory = open()
    expect(codeOf(() => openMemory({ session: 5 as never }))).toBe('INPUT_INVALID')
    expect(codeOf(() => openMemory({ agent: { agentId: 1, role: 'x' } as never }))).toBe('INPUT_INVALID')
    expect(codeOf(() => openMemory({ role: 'root' as never }))).toBe('INPUT_INVALID')
    await expect(memory.search(5 as never)).rejects.toEqual(REJECTED)
    await expect(memory.search('a', { limit: Number.NaN })).rejects.toEqual(REJECTED)
    await expect(memory.search('a', { kinds: ['x'] as never })).rejects.toEqual(REJECTED)
    await expect(memory.recall(null as never)).rejects.toEqual(REJECTED)
  })

  test('library: a store with such values opens, and they are repaired or left out', async () => {
    const memory = open()
    const bad = {
      ...buildMemory(1),
      agentId: 5,
      strength: null,
      consolidationLevel: 9,
      strengthByPerspective: { constructor: 'function1', good: 1 },
      embedding: {
        model: 'text-embedding-3-small',
        vector: Buffer.from(Float32Array.of(Infinity).buffer).toString('base64'),
      },
    } as unknown as Memory
    const changes = [
      { memory: testMemoryId(1), uses: 1, strength: -5 },
      {
        memory: testMemoryId(1),
        strength: '0.1' as never,
        level: 9,
        perspectives: { __proto__: 1, toString: 2 } as never,
      },
      { memory: testMemoryId(1), strength: 1e308, impact: 1e308 },
    ]
    for (const body of [
      { kind: 'memory.stored', memory: bad },
      { kind: 'memory.strengthened', changes },
    ] as const)
      commitEvents(memory.store, [systemEvent(body, { now: BEGIN, key: [body.kind] })])
    await memory.organize()
    const [read] = await new MemoryRepository(memory.connection).getByAgentId('5')
    expect(read).toMatchObject({ strength: 0, consolidationLevel: 5, embedding: null, accessCount: 1, impactScore: 0 })
    expect(read?.strengthByPerspective).toEqual({ good: 1 })
    expect((await memory.taskExecutor().runSleepPhase('5')).errors).toEqual([])
  })
})
