// Many machines without disk: whatever they do and in whatever order they sync, they end with the same memories.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MemoryId } from '../../src/model/id.ts'
import type { Memory } from '../../src/model/memory.ts'
import { mergeOperation, type TeamState } from '../../src/team/mergeOperation.ts'
import { countsOf, readOwnFields } from '../../src/team/shareMemory.ts'
import { visibleMemory } from '../../src/team/visibleMemory.ts'
import { BEGIN, DAY, MINUTE, testMemoryId } from '../testData.ts'
import { createMemoryHub, type MemoryHub } from './memoryHub.ts'
import { cleanText, ModelMachine, PROJECT, SECRET, syncUntilRest } from './modelMachine.ts'

const RUNS = process.env['MEMCTL_LONG'] === '1' ? 5_000 : 250
const SUBJECTS = 4

const STEPS = ['learn', 'edit', 'store', 'use', 'supersede', 'restore'] as const
const ALL_STEPS = [...STEPS, 'delete', 'forget', 'private', 'public', 'join', 'leave'] as const
const SYNCS = ['collect', 'push', 'pull', 'crash', 'sync', 'lose', 'partition'] as const

interface Step {
  readonly machine: number
  readonly kind: (typeof ALL_STEPS)[number] | (typeof SYNCS)[number]
  readonly subject: number
  readonly other: number
  readonly batches: number
}

const steps = (kinds: readonly Step['kind'][]): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      machine: fc.nat(2),
      kind: fc.constantFrom(...kinds),
      subject: fc.integer({ min: 1, max: SUBJECTS }),
      other: fc.integer({ min: 1, max: SUBJECTS }),
      batches: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 60 },
  )

/** How far each clock is off: right, days behind, days ahead. */
const SKEWS = fc.shuffledSubarray([0, -3 * DAY, 5 * DAY], { minLength: 3 })

async function run(history: readonly Step[], machines: readonly ModelMachine[], hub: MemoryHub): Promise<void> {
  for (const [i, step] of history.entries()) {
    const machine = machines[step.machine % machines.length]
    if (machine) await take({ ...step, machine: step.machine }, machine.at(BEGIN + i * MINUTE), hub, `text ${i}`)
  }
}

async function take(step: Step, machine: ModelMachine, hub: MemoryHub, text: string): Promise<void> {
  const id = testMemoryId(step.subject)
  switch (step.kind) {
    case 'learn':
      return machine.learn(step.subject, text)
    case 'edit':
      return machine.edit(id, text)
    case 'store':
      // What the team has forgotten is not stored again under its id.
      return machine.states.get(id)?.forgotten ? undefined : machine.store(id, text)
    case 'use':
      return machine.use(id)
    case 'supersede':
      return step.other === step.subject ? undefined : machine.supersede(id, testMemoryId(step.other))
    case 'restore':
      return machine.supersede(id, null)
    case 'delete':
      return machine.delete(id)
    case 'forget':
      return machine.forget(id)
    case 'private':
      return machine.makePrivate(id, 'private')
    case 'public':
      return machine.makePrivate(id, 'public')
    case 'join':
      return machine.join()
    case 'leave':
      return machine.leave()
    case 'partition':
      hub.faults.down = !hub.faults.down
      return
    default:
      if (machine.joined) await sync(step, machine, hub).catch(ignoreHub)
  }
}

async function sync(step: Step, machine: ModelMachine, hub: MemoryHub): Promise<void> {
  if (step.kind === 'collect') machine.collect()
  else if (step.kind === 'push') await machine.push(hub, step.batches)
  else if (step.kind === 'pull') await machine.pull(hub, step.batches)
  else if (step.kind === 'crash') await machine.pull(hub, step.batches, true)
  else if (step.kind === 'lose') {
    hub.faults.lostAnswers = 1
    await machine.push(hub, step.batches)
  } else await machine.sync(hub)
}

/** A partition and a lost answer are no failure of the test; anything else is. */
function ignoreHub(error: unknown): void {
  if ((error as { code?: string }).code !== 'DATABASE_UNREACHABLE') throw error
}

/** The shared part of each memory, by id, without what is private or was archived before it was shared. */
const sharedView = (machine: ModelMachine): Record<string, unknown> =>
  Object.fromEntries(
    [...machine.memories.values()]
      .filter(({ privacy, status, team }) => privacy === 'public' && (status === 'active' || team !== undefined))
      .map((memory) => [memory.id, viewOf(memory)])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  )

function viewOf(memory: Memory): unknown {
  const { importance: _, updated: __, ...fields } = readOwnFields(memory, cleanText) ?? { importance: 0, updated: '' }
  const { own: ___, ...mark } = memory.team ?? { own: false }
  return { fields, counts: countsOf(memory), successor: memory.supersededBy ?? null, mark }
}

/** What the hub's operations come to, in their order. */
function hubStates(hub: MemoryHub): Map<MemoryId, TeamState> {
  const states = new Map<MemoryId, TeamState>()
  for (const operation of hub.stored(PROJECT)) {
    states.set(operation.memory, mergeOperation(states.get(operation.memory), operation))
  }
  return states
}

async function finish(hub: MemoryHub, machines: readonly ModelMachine[], ms: number): Promise<void> {
  Object.assign(hub.faults, { down: false, lostAnswers: 0 })
  for (const machine of machines) machine.at(ms)
  await syncUntilRest(hub, machines)
}

const newMachines = (skews: readonly number[]): ModelMachine[] => skews.map((skew, i) => new ModelMachine(i + 1, skew))

describe('team: many machines', () => {
  test('team: any interleaving of histories and syncs ends in the same memory on all machines', async () => {
    await fc.assert(
      fc.asyncProperty(
        SKEWS,
        steps([...ALL_STEPS, ...SYNCS, 'learn', 'learn', 'sync', 'sync', 'crash', 'crash']),
        async (skews, history) => {
          const hub = createMemoryHub({ duplicates: history.length % 2 === 0 ? 4 : 0 })
          const machines = newMachines(skews)
          for (const machine of machines.slice(1)) machine.join()
          await run(history, machines, hub)
          const joined = machines.filter((machine) => machine.joined)
          await finish(hub, joined, BEGIN + DAY)
          const states = hubStates(hub)
          const privates = new Set(
            joined.flatMap(({ memories }) =>
              [...memories.values()].flatMap((m) => (m.privacy === 'private' ? m.id : [])),
            ),
          )
          for (const machine of joined) {
            expect(Object.fromEntries(machine.states)).toEqual(Object.fromEntries(states))
            for (const [id, view] of Object.entries(sharedView(machine))) {
              const visible = visibleMemory(states.get(id as MemoryId))
              expect(visible?.counts).toEqual((view as { counts: unknown }).counts)
              expect(visible?.mark).toEqual((view as { mark: unknown }).mark)
            }
            for (const [id, state] of states) {
              const isHere = machine.memories.get(id)?.privacy === 'public'
              if (!privates.has(id)) expect([id, isHere]).toEqual([id, visibleMemory(state) !== undefined])
            }
          }
          // Without what somebody keeps private, all machines have the same.
          const views = joined.map((machine) =>
            Object.fromEntries(Object.entries(sharedView(machine)).filter(([id]) => !privates.has(id as MemoryId))),
          )
          for (const view of views) expect(view).toEqual(views[0])
        },
      ),
      { numRuns: RUNS },
    )
  })

  test('team: however often machines sync, each use and each meeting counts once', async () => {
    await fc.assert(
      fc.asyncProperty(
        SKEWS,
        steps(['learn', 'use', 'use', 'use', 'edit', 'pull', 'pull', ...SYNCS]),
        async (skews, history) => {
          const hub = createMemoryHub({ duplicates: history.length % 2 === 0 ? 7 : 0 })
          const machines = newMachines(skews)
          for (const machine of machines) machine.join()
          const done = new Map<MemoryId, { uses: number; sessions: number }>()
          for (const [i, step] of history.entries()) {
            const machine = machines[step.machine]
            if (machine === undefined) continue
            const id = testMemoryId(step.subject)
            const count = done.get(id) ?? { uses: 0, sessions: 0 }
            if (step.kind === 'learn') done.set(id, { ...count, sessions: count.sessions + 1 })
            if (step.kind === 'use' && machine.memories.has(id)) done.set(id, { ...count, uses: count.uses + 1 })
            await take(step, machine.at(BEGIN + i * MINUTE), hub, `text ${i}`)
          }
          await finish(hub, machines, BEGIN + DAY)
          for (const machine of machines) {
            const counts = [...machine.memories.values()].map(
              ({ id, accessCount, sessionCount }) => [id, { uses: accessCount, sessions: sessionCount }] as const,
            )
            expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(done))
          }
        },
      ),
      { numRuns: RUNS },
    )
  })

  test('team: the last change of what everyone has seen is what everyone has, whatever the clocks say', async () => {
    const last = fc.constantFrom('edit', 'store', 'supersede', 'restore', 'delete', 'forget')
    await fc.assert(
      fc.asyncProperty(SKEWS, steps([...STEPS, ...SYNCS]), fc.nat(2), last, async (skews, history, by, kind) => {
        const hub = createMemoryHub()
        const machines = newMachines(skews)
        for (const machine of machines) machine.join()
        await run(history, machines, hub)
        await finish(hub, machines, BEGIN + DAY)
        const id = [...(machines[by]?.memories.values() ?? [])].find(({ team }) => team !== undefined)?.id
        if (id === undefined) return
        const other = testMemoryId(9)
        const step = { machine: by, kind, subject: 1, other: 9, batches: 1 } as const
        const machine = machines[by]?.at(BEGIN + DAY + MINUTE)
        if (machine === undefined) return
        if (step.kind === 'edit') machine.edit(id, 'the last text')
        else if (step.kind === 'store') machine.store(id, 'the last text')
        else if (step.kind === 'supersede') machine.supersede(id, other)
        else if (step.kind === 'restore') machine.supersede(id, null)
        else if (step.kind === 'delete') machine.delete(id)
        else machine.forget(id)
        await finish(hub, machines, BEGIN + 2 * DAY)
        for (const { memories } of machines) {
          const memory = memories.get(id)
          if (kind === 'delete' || kind === 'forget') expect(memory).toBeUndefined()
          else if (kind === 'edit' || kind === 'store') expect(memory?.content).toBe('the last text')
          else expect(memory?.supersededBy).toBe(kind === 'supersede' ? other : undefined)
        }
        if (kind === 'forget') expect(hub.stored(PROJECT).filter(({ memory }) => memory === id)).toHaveLength(1)
      }),
      { numRuns: RUNS },
    )
  })

  test('team: what is private and what is secret never reaches the hub', async () => {
    await fc.assert(
      fc.asyncProperty(SKEWS, steps([...ALL_STEPS, ...SYNCS, 'learn']), async (skews, history) => {
        const hub = createMemoryHub()
        const machines = newMachines(skews)
        for (const [i, machine] of machines.entries()) {
          machine.join()
          machine.at(BEGIN).learn(20 + i, 'for this machine alone')
          machine.makePrivate(testMemoryId(20 + i), 'private')
          machine.learn(1, `the password is ${SECRET} at ${machine.name}`)
        }
        await run(history, machines, hub)
        await finish(hub, machines, BEGIN + DAY)
        const stored = JSON.stringify(hub.stored(PROJECT))
        expect(stored).not.toContain('for this machine alone')
        expect(stored).not.toContain(SECRET)
        for (const [i, { memories }] of machines.entries()) {
          expect(memories.get(testMemoryId(20 + i))?.content).toBe('for this machine alone')
        }
      }),
      { numRuns: RUNS },
    )
  })
})
