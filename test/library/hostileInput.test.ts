// What a program must not pass to the library is rejected before anything is written, and stores that were damaged by
// earlier versions open.
import { describe, expect, test } from 'vitest'
import { checkStore } from '../../src/broker/checks/checkStore.ts'
import { commitEvents, systemEvent } from '../../src/broker/commit/commitEvents.ts'
import { AgentMemory, openMemory, Phase1Config } from '../../src/index.ts'
import { MemoryRepository } from '../../src/library/agentMemory/memoryRepository.ts'
import type { SessionId } from '../../src/model/id.ts'
import type { Memory } from '../../src/model/memory.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { createTestProject } from '../tempFolders.ts'
import { BEGIN, buildMemory, DAY, iso, testMemoryId } from '../testData.ts'

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

const BAD_FIELDS: readonly (readonly [field: string, value: unknown])[] = [
  ['embedding', [1e300]],
  ['embedding', ['1']],
  ['embedding', 'x'],
  ['consolidationLevel', 9],
  ['consolidationLevel', 1.5],
  ['strength', '1'],
  ['accessCount', 1.5],
  ['tags', [1]],
  ['tags', 'a'],
  ['content', '\u200b <private>x</private>'],
  ['agentId', 5],
  ['scopeDomain', {}],
  ['strengthByPerspective', { a: Number.NaN }],
  ['learnings', { a: 1 }],
  ['createdAt', new Date(Number.NaN)],
  ['createdAt', new Date(8.64e15)],
  ['lastAccessedAt', 'yesterday'],
  ['source', 'elsewhere'],
]

const copyOf = (memory: AgentMemory): AgentMemory => memory.copyWith({})

/** Fields that a new memory does not have. */
const EVERY_FIELD: Partial<Memory> = {
  kind: 'entry',
  agentId: 'agent',
  session: 's' as SessionId,
  taskId: 't',
  commandShape: 'npm test',
  errorSignature: 'e',
  branch: 'main',
  scopeDomain: 'd',
  scopeProject: 'p',
  privacySince: iso(BEGIN),
  lastUsed: iso(BEGIN),
  lastDecayed: iso(BEGIN),
  expires: iso(BEGIN + 400 * DAY),
  embedding: { model: 'm', vector: 'AACAPwAAAAA=' },
  knowledge: undefined,
  supersededBy: undefined,
  editedFiles: ['a.ts'],
  searchText: 's',
  leftOpen: ['o'],
  counts: { prompts: 1, calls: 1 },
  consolidatedFrom: [testMemoryId(1)],
  recorded: { input: 'i' },
}

describe('library: hostile input', () => {
  test.each([5, {}, [], '', ' ', true, '\u200b', 'x'.repeat(300)])(
    'library: a source that is %j is rejected',
    async (source) => {
      const memory = open()
      const content = [{ input: { text: 'hello' }, source: source as string }]
      await expect(memory.memoryAgent().record({ content })).rejects.toEqual(REJECTED)
      expect(countEvents(memory)).toBe(0)
      expect(await memory.search('hello')).toEqual([])
    },
  )

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

  test.each(BAD_FIELDS)('library: %s = %j is rejected', (field, value) => {
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

  test.each(['shop', 7, null])('library: options that are no object are refused: %j', (given) => {
    expect(codeOf(() => openMemory(given as never))).toBe('INPUT_INVALID')
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

  test.each(['plain object', 'fromStored', 'assigned'])(
    'library: a memory that was never checked is checked when it is stored: %s',
    async (made) => {
      const memory = open()
      const repository = new MemoryRepository(memory.connection)
      const stored = await repository.create(AgentMemory.create({ agentId: 'a', content: 'b' }))
      const events = countEvents(memory)
      for (const [field, value] of [
        ...[...BAD_FIELDS, ['id', 'hello'], ['content', ''], ['learnings', null], ['tags', null]],
      ] as [string, unknown][]) {
        for (const write of [
          (one: AgentMemory) => repository.create(one),
          (one: AgentMemory) => repository.update(one),
        ]) {
          const fields = { ...stored, [field]: value }
          const bad =
            made === 'fromStored' ? AgentMemory.fromStored(fields) : made === 'assigned' ? copyOf(stored) : fields
          if (made === 'assigned') Object.assign(bad, { [field]: value })
          expect([field, await rejectionCodeOf(() => write(bad as AgentMemory))]).toEqual([field, 'INPUT_INVALID'])
        }
      }
      expect(countEvents(memory)).toBe(events)
    },
  )

  test('library: whatever another program has written, a store goes on, and doctor names it', async () => {
    const memory = open()
    const { store } = memory
    const values = [null, true, 5, -1, 'x', '', [], [null], {}, { a: null }, '+275760-09-13T00:00:00.000Z']
    const names = Object.keys(buildMemory(0, EVERY_FIELD)).filter((name) => name !== 'id')
    const cases = names.flatMap((name) => values.map((value) => ({ [name]: value }) as Partial<Memory>))
    const stored = cases.map((fields, i) => buildMemory(i, { ...EVERY_FIELD, ...fields }))
    const known = buildMemory(cases.length, { content: 'the known one', ...EVERY_FIELD })
    const changes = cases.map((fields) => ({ ...fields, memory: known.id }) as never)
    for (const body of [
      { kind: 'memory.batch', stored: [...stored, known], changes: [] },
      { kind: 'memory.batch', stored: [], changes },
      { kind: 'memory.strengthened', changes },
      ...values.map((score) => ({ kind: 'memory.scored', memory: known.id, score, previous: 0, reason: 'r' }) as never),
    ] as const)
      commitEvents(store, [systemEvent(body, { now: BEGIN, key: [JSON.stringify(body).slice(0, 80)] })])
    const found = checkStore(store, BEGIN).find(({ name }) => name === 'values')
    expect(found).toMatchObject({ state: 'warn', what: expect.stringContaining('values that no memory can have') })
    await memory.organize()
    const { memories } = await memory.rebuild()
    expect(memories).toBeGreaterThan(cases.length / 2)
    await memory.search('known')
    await memory.recall('the known one')
    const agents = new MemoryRepository(memory.connection)
    expect((await agents.getByAgentId('agent')).length).toBeGreaterThan(cases.length / 2)
    const { learnings, tags } = (await agents.getById(known.id))!
    expect({ learnings, tags }).toEqual({ learnings: {}, tags: [] })
    for (const one of await agents.getByAgentId('agent'))
      if (one.content !== '') expect(() => new AgentMemory(one)).not.toThrow()
    expect((await memory.taskExecutor().runSleepPhase('agent')).errors).toEqual([])
    await memory.close()
  }, 60_000)

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
