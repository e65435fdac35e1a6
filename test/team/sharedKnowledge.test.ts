// An entry of knowledge in a team: who its author is on each machine, what stands, and entries of earlier versions.
import { expect, test } from 'vitest'
import { type Knowledge, newKnowledgeRecord } from '../../src/model/knowledge.ts'
import { type Memory, newMemory } from '../../src/model/memory.ts'
import type { TeamMark } from '../../src/model/teamEvent.ts'
import { collectOperations } from '../../src/team/collectOperations.ts'
import type { TeamState } from '../../src/team/mergeOperation.ts'
import type { SharedFields } from '../../src/team/operation.ts'
import { type LegacyFields, upgradeKnowledge } from '../../src/text/upgradeKnowledge.ts'
import { BEGIN, DAY, iso, testMemoryId } from '../testData.ts'
import { createMemoryHub } from './memoryHub.ts'
import { cleanText, ModelMachine, replicaId, syncUntilRest } from './modelMachine.ts'
import { sharedFields } from './operationArbitraries.ts'

const ID = testMemoryId(1)

const entry = (given: Partial<Knowledge> = {}): Memory =>
  newMemory({
    ...{ id: ID, kind: 'lesson', content: 'Run the migration first', created: iso(BEGIN) },
    knowledge: {
      ...{ type: 'lesson', scope: 'project', author: 'rule', state: 'proposed', line: 'Run the migration first' },
      when: [{ at: 'failure', has: ['no such table'] }],
      record: { ...newKnowledgeRecord(iso(BEGIN), undefined), calls: 70, sessions: ['s1'], cost: 4 },
      ...given,
    },
  })

function newPair() {
  const hub = createMemoryHub()
  const [aki, ben] = [new ModelMachine(1).at(BEGIN), new ModelMachine(2).at(BEGIN)]
  for (const machine of [aki, ben]) machine.join()
  const rest = async (): Promise<readonly (Knowledge | undefined)[]> => {
    await syncUntilRest(hub, [aki, ben])
    return [aki, ben].map(({ memories }) => memories.get(ID)?.knowledge)
  }
  return { aki, ben, hub, rest }
}

test('team: an entry has the author "teammate" on every machine but its own, which keeps its record', async () => {
  const { aki, hub, rest } = newPair()
  aki.memories.set(ID, entry())
  const [own, received] = await rest()
  expect(own).toEqual(entry().knowledge)
  expect(received).toMatchObject({ author: 'teammate', line: own?.line, when: own?.when })
  expect(received?.record).toEqual(newKnowledgeRecord(iso(BEGIN), undefined))
  expect(JSON.stringify(hub.stored('project'))).not.toMatch(/"author"|"record"|"s1"/)
})

test('team: a teammate who changes the line is the author of it for the person who wrote it', async () => {
  const { aki, ben, rest } = newPair()
  aki.memories.set(ID, entry({ author: 'person', quote: 'Run the migration first!' }))
  await rest()
  ben.at(BEGIN + DAY).edit(ID, 'Run the migration twice')
  expect(await rest()).toMatchObject([{ author: 'teammate', line: 'Run the migration twice' }, {}])
})

test('team: what calls have shown stands when two machines have met it; what is retired is so for all', async () => {
  const { aki, ben, rest } = newPair()
  aki.memories.set(ID, entry())
  expect(await rest()).toMatchObject([{ state: 'proposed' }, { state: 'proposed' }])
  ben.change(ID, (memory) => ({ ...memory, sessionCount: memory.sessionCount + 1 }))
  expect(await rest()).toMatchObject([{ state: 'standing' }, { state: 'standing' }])
  const retire = (memory: Memory): Memory => ({
    ...memory,
    knowledge: memory.knowledge && { ...memory.knowledge, state: 'retired' },
  })
  aki.at(BEGIN + DAY).change(ID, retire)
  expect(await rest()).toMatchObject([{ state: 'retired' }, { state: 'retired' }])
})

test('team: what was shown, obeyed and broken adds up, and what is replaced is superseded for all', async () => {
  const { aki, ben, rest } = newPair()
  aki.memories.set(ID, entry())
  await rest()
  aki.use(ID)
  for (let i = 0; i < 2; i++) ben.use(ID)
  for (const knowledge of await rest()) expect(knowledge?.record).toMatchObject({ shown: 3, obeyed: 3, broken: 0 })
  ben.at(BEGIN + DAY).supersede(ID, testMemoryId(2))
  expect(await rest()).toMatchObject([{ state: 'superseded' }, { state: 'superseded' }])
  aki.at(BEGIN + 2 * DAY).supersede(ID, null)
  expect(await rest()).toMatchObject([{ state: 'standing' }, { state: 'standing' }])
})

test('team: what a person said about themselves does not leave their machine', async () => {
  const { aki, hub, rest } = newPair()
  aki.memories.set(ID, entry({ type: 'preference', author: 'person', scope: 'person' }))
  expect((await rest())[1]).toBeUndefined()
  expect(hub.stored('project')).toEqual([])
})

const LEGACY: readonly (readonly [string, LegacyFields])[] = [
  [
    'lesson',
    {
      lesson: {
        command: 'npm test',
        error: 'x',
        fix: { kind: 'instead', steps: [{ kind: 'command', what: 'npx t' }] },
      },
    },
  ],
  [
    'fact',
    {
      fact: {
        ...{
          topic: 'tool',
          claim: '`gh pr diff` refuses `--stat`',
          remedies: [{ text: 'use git' }],
          state: 'proposed',
        },
        ...{ failures: 1, lastMet: iso(BEGIN), triggers: [{ command: 'gh pr', parts: ['x'.repeat(390)] }] },
      },
    },
  ],
  ['statement', { statement: { type: 'rule', scope: 'file', strength: 2, origin: 'prompt', short: 'Use pnpm' } }],
]

test.each(LEGACY)('team: a %s that was received in an earlier version is the same after an upgrade', (_, legacy) => {
  const at = `${BEGIN}-00000-${replicaId(2)}`
  const { knowledge: _none, ...plain } = sharedFields('Use pnpm here.')
  const fields = { ...plain, errorSignature: 'npm test: x', ...legacy } as SharedFields
  const counts = { uses: 0, candidates: 0, impact: 0, meetings: 0, sessions: 3 }
  const state: TeamState = {
    puts: { [replicaId(2)]: { n: 1, at, by: 'Ben', fields } },
    counts: { [replicaId(2)]: counts },
  }
  const team: TeamMark = { by: 'Ben', people: 1, replicas: 1, own: false, at }
  const received = {
    ...newMemory({ id: ID, ...plain, errorSignature: 'npm test: x', sessionCount: 3 }),
    ...legacy,
    team,
  }
  const upgraded = upgradeKnowledge(received)
  expect(upgraded.knowledge?.line).toMatch(/Use|use/)
  const operations = collectOperations({
    ...{
      memories: new Map([[ID, upgraded]]),
      states: new Map([[ID, state]]),
      deleted: [],
      now: BEGIN + DAY,
      cleanText,
    },
    policy: { kinds: ['lesson'], agentOnly: false, personal: false },
    writer: { replica: replicaId(1), name: 'Aki', nextN: 1 },
  })
  expect(operations).toEqual([])
})
