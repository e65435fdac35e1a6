// Histories of machines with real stores in temporary folders: every change through the log, every sync the real one.
import fc from 'fast-check'
import { expect } from 'vitest'
import { eraseEverywhere } from '../../src/broker/forget/eraseEverywhere.ts'
import { leaveHub } from '../../src/broker/team/membership.ts'
import { readTeam } from '../../src/broker/team/teamStore.ts'
import type { Memory } from '../../src/model/memory.ts'
import type { Hub } from '../../src/team/hub.ts'
import {
  change,
  join,
  learnsPrices,
  live,
  type Machine,
  memoriesOf,
  newMachine,
  rebuilt,
  sharedView,
  statementOf,
  sync,
} from '../broker/team/teamWorld.ts'
import { BEGIN, DAY, HOUR, testMemoryId } from '../testData.ts'
import { HubError } from './memoryHub.ts'

const KINDS = ['state', 'edit', 'use', 'supersede', 'restore', 'delete', 'forget', 'private', 'join', 'leave'] as const
const SUBJECTS = 3
const MACHINES = ['Aki', 'Ben', '智子'] as const

interface Step {
  readonly by: number
  readonly kind: (typeof KINDS)[number] | 'learn' | 'sync' | 'crash'
  readonly subject: number
  /** A crash comes at this call of the hub, before or after the hub has done it. */
  readonly call: number
  readonly isDone: boolean
}

export interface History {
  readonly skews: readonly number[]
  readonly steps: readonly Step[]
}

export const arbitraryHistory: fc.Arbitrary<History> = fc.record({
  skews: fc.shuffledSubarray([0, -3 * DAY, 5 * DAY], { minLength: 3 }),
  steps: fc.array(
    fc.record({
      by: fc.nat(MACHINES.length - 1),
      kind: fc.constantFrom(
        ...KINDS,
        ...(['state', 'edit', 'sync', 'sync', 'sync', 'crash', 'crash', 'learn'] as const),
      ),
      subject: fc.integer({ min: 1, max: SUBJECTS }),
      call: fc.integer({ min: 1, max: 6 }),
      isDone: fc.boolean(),
    }),
    { minLength: 8, maxLength: 24 },
  ),
})

/** Runs the history; then every machine that has joined syncs until rest, and all have the same. */
export async function expectSameMemory(hub: Hub, { skews, steps }: History): Promise<void> {
  const machines = MACHINES.map((name) => newMachine(name))
  for (const machine of machines) await join(machine, hub)
  for (const [i, step] of steps.entries()) {
    const machine = machines[step.by]
    if (machine) await take(step, machine, hub, BEGIN + i * HOUR + (skews[step.by] ?? 0))
  }
  const joined = machines.filter(({ store }) => readTeam(store)?.hasLeft === false)
  await syncUntilRest(joined, hub, skews)
  const privates = new Set(joined.flatMap(memoriesOf).flatMap(({ id, privacy }) => (privacy === 'private' ? id : [])))
  const views = joined.map((machine) =>
    (sharedView(machine) as { readonly id: Memory['id'] }[]).filter(({ id }) => !privates.has(id)),
  )
  for (const view of views) expect(view).toEqual(views[0])
  for (const machine of joined) {
    const { before, after } = rebuilt(machine, BEGIN + 60 * DAY) as { before: unknown; after: unknown }
    expect(after).toEqual(before)
  }
}

async function syncUntilRest(machines: readonly Machine[], hub: Hub, skews: readonly number[]): Promise<void> {
  for (let round = 0; round < 8; round++) {
    let count = 0
    for (const [i, machine] of machines.entries()) {
      const { sent, received, forgotten } = await sync(machine, hub, BEGIN + 30 * DAY + (skews[i] ?? 0))
      count += sent + received + forgotten
    }
    if (count === 0) return
  }
  throw new Error('the machines do not come to rest')
}

async function take(step: Step, machine: Machine, hub: Hub, now: number): Promise<void> {
  const id = testMemoryId(step.subject)
  const memory = memoriesOf(machine).find((each) => each.id === id)
  switch (step.kind) {
    case 'learn':
      live(machine, learnsPrices(`${machine.name}-${now}`, now))
      return
    case 'state':
      if (memory === undefined) {
        change(machine, now, { kind: 'memory.stored', memory: statementOf(step.subject, `Rule of ${machine.name}`) })
      }
      return
    case 'sync':
      if (readTeam(machine.store) !== undefined) await sync(machine, hub, now)
      return
    case 'crash':
      if (readTeam(machine.store) !== undefined) await sync(machine, failingHub(hub, step), now).catch(ignoreCrash)
      return
    case 'join':
      await join(machine, hub, now)
      return
    case 'leave':
      if (readTeam(machine.store)?.hasLeft === false) await leaveHub(machine.store, now)
      return
    default:
      if (memory !== undefined) changeMemory(step, machine, memory, now)
  }
}

function changeMemory({ kind, subject }: Step, machine: Machine, memory: Memory, now: number): void {
  const { id } = memory
  if (kind === 'edit') {
    change(machine, now, {
      kind: 'memory.updated',
      change: { memory: id, content: `Text of ${machine.name} at ${now}` },
    })
  } else if (kind === 'use') change(machine, now, { kind: 'memory.accessed', memories: [id] })
  else if (kind === 'supersede') {
    const supersededBy = testMemoryId((subject % SUBJECTS) + 1)
    change(machine, now, { kind: 'memory.updated', change: { memory: id, supersededBy } })
  } else if (kind === 'restore') {
    change(machine, now, { kind: 'memory.updated', change: { memory: id, supersededBy: null } })
  } else if (kind === 'delete') change(machine, now, { kind: 'memory.deleted', memories: [id] })
  else if (kind === 'forget') eraseEverywhere(machine.store, { memories: [id] }, { now })
  else if (kind === 'private') {
    change(machine, now, { kind: 'memory.stored', memory: { ...memory, privacy: 'private', agentId: 'a1' } })
  }
}

/** A hub whose connection ends at one call: before the hub has done it, or after. */
function failingHub(hub: Hub, { call, isDone }: Step): Hub {
  let calls = 0
  const cut = async <Value>(run: () => Promise<Value>): Promise<Value> => {
    calls++
    if (calls === call && !isDone) throw new HubError('DATABASE_UNREACHABLE')
    const value = await run()
    if (calls >= call) throw new HubError('DATABASE_UNREACHABLE')
    return value
  }
  return {
    describe: () => cut(() => hub.describe()),
    lastPushed: (project, replica) => cut(() => hub.lastPushed(project, replica)),
    push: (...given) => cut(() => hub.push(...given)),
    pull: (project, after, limit) => cut(() => hub.pull(project, after, limit)),
    close: () => hub.close(),
  }
}

function ignoreCrash(error: unknown): void {
  if ((error as { readonly code?: string }).code !== 'DATABASE_UNREACHABLE') throw error
}
