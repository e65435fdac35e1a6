// A hub that is restored from a backup lacks what was pushed since, and gives its positions again: nothing is lost, and
// nothing counts twice, whoever syncs first.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eraseEverywhere } from '../../../src/broker/forget/eraseEverywhere.ts'
import { readTeam } from '../../../src/broker/team/teamStore.ts'
import { FIRST_EPOCH, type Hub } from '../../../src/team/hub.ts'
import { startTestHub } from '../../database/hub/hubServer.ts'
import { createMemoryHub } from '../../team/memoryHub.ts'
import { BEGIN, DAY, HOUR, testMemoryId } from '../../testData.ts'
import {
  change,
  join,
  learnsPrices,
  live,
  type Machine,
  newMachine,
  PROJECT,
  rebuilt,
  sharedView,
  statementOf,
  sync,
} from './teamWorld.ts'

const SECRET = 'the key hangs behind the green cupboard'
const stored = (n: number, text: string) => ({ kind: 'memory.stored', memory: statementOf(n, text) }) as const

/** More new memories than the changes that are lost. */
const NUMBERS = Array.from({ length: 16 }, (_, n) => n)

interface Plan {
  /** Who syncs after the backup, and who after the restore: numbers of machines. */
  readonly lost: readonly number[]
  readonly later: readonly number[]
  /** Which machines have something new between backup and restore, and after the restore. */
  readonly tells: readonly boolean[]
  readonly adds: readonly boolean[]
}

interface RestorableHub {
  readonly hub: Hub
  backup(): Promise<void>
  restore(): Promise<void>
}

const inMemory = (): RestorableHub & { readonly hub: ReturnType<typeof createMemoryHub> } => {
  const hub = createMemoryHub()
  let saved = hub.backup()
  return {
    hub,
    backup: async () => {
      saved = hub.backup()
    },
    restore: async () => hub.restore(saved),
  }
}

/** What all machines, and one that joins at the end, have after the plan; the same for all. */
async function runPlan({ hub, backup, restore }: RestorableHub, plan: Plan, isRestored: boolean) {
  const machines = ['Aki', 'Ben', '智子'].map((name) => newMachine(name))
  for (const machine of machines) await join(machine, hub)
  let now = BEGIN + DAY
  const exchange = (machine: Machine | undefined) => {
    now += HOUR
    return machine && sync(machine, hub, now)
  }
  for (const [i, machine] of machines.entries()) {
    live(machine, learnsPrices(`first-${i}`, BEGIN + i * HOUR))
    change(machine, BEGIN + i * HOUR, stored(i + 1, `Rule ${i} of ${machine.name}.`))
  }
  change(machines[0]!, BEGIN, stored(9, SECRET))
  for (const machine of [...machines, ...machines]) await exchange(machine)
  await backup()
  now += DAY
  for (const [i, machine] of machines.entries()) {
    if (!plan.tells[i]) continue
    live(machine, learnsPrices(`second-${i}`, now + i * HOUR))
    const edit = { memory: testMemoryId(i + 1), content: `Edited by ${machine.name}.` }
    change(machine, now, { kind: 'memory.updated', change: edit }, stored(10 + i, `Told by ${machine.name}.`))
    change(machine, now, { kind: 'memory.accessed', memories: [testMemoryId(2)] })
    if (i === 0) change(machine, now, { kind: 'memory.deleted', memories: [testMemoryId(3)] })
    if (i === 0) eraseEverywhere(machine.store, { memories: [testMemoryId(9)] }, { now })
  }
  for (const who of plan.lost) await exchange(machines[who])
  if (isRestored) await restore()
  now += DAY
  for (const [i, machine] of machines.entries())
    if (plan.adds[i]) change(machine, now, ...NUMBERS.map((n) => stored(20 * (i + 1) + n, `Added ${n} by ${i}.`)))
  for (const who of plan.later) await exchange(machines[who])
  for (let round = 0; round < 3; round++) for (const machine of machines) await exchange(machine)
  for (const machine of machines) expect(await exchange(machine)).toMatchObject({ sent: 0, received: 0, waiting: 0 })
  const newcomer = newMachine('Newcomer')
  await join(newcomer, hub)
  await exchange(newcomer)
  const views = [...machines, newcomer].map(sharedView)
  for (const view of views) expect(view).toEqual(views[0])
  for (const machine of machines) {
    const { before, after } = rebuilt(machine, now) as { before: unknown; after: unknown }
    expect(after).toEqual(before)
  }
  return views[0]?.map((memory) => ({ ...memory, at: undefined }))
}

const who = fc.nat(2)
const three = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean())
const arbitraryPlan: fc.Arbitrary<Plan> = fc.record({
  lost: fc.array(who, { minLength: 2, maxLength: 5 }),
  later: fc.array(who, { maxLength: 6 }),
  tells: three,
  adds: three,
})

/** Aki sends, Ben receives it; then the third one, which noticed nothing, uses the positions again. */
const REUSED: Plan = { lost: [0, 1], later: [2, 1, 0], tells: [true, false, false], adds: [false, false, true] }

test('team: after a restore of the hub, whoever syncs first, all have what they had without it', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryPlan, async (plan) => {
      const world = inMemory()
      const restored = await runPlan(world, plan, true)
      expect(restored).toEqual(await runPlan(inMemory(), plan, false))
      if (plan.tells[0]) expect(JSON.stringify(world.hub.stored(PROJECT))).not.toContain(SECRET)
    }),
    { numRuns: process.env['MEMCTL_LONG'] ? 100 : 2, seed: 17, examples: [[REUSED]] },
  )
}, 600_000)

/** Two machines that have the same; then Aki sends one more change, and Ben receives it. The hub forgets it. */
async function loseOneChange(fails: (hub: Hub) => Partial<Hub> = () => ({})) {
  const { hub, backup, restore } = inMemory()
  const [aki, ben, chie] = [newMachine('Aki'), newMachine('Ben'), newMachine('智子')]
  for (const machine of [aki, ben, chie]) await join(machine, hub)
  change(aki, BEGIN, stored(1, 'Use pnpm in this repository.'))
  for (const machine of [aki, ben, chie]) await sync(machine, hub)
  await backup()
  change(aki, BEGIN + DAY, stored(2, 'Run the linter first.'))
  await sync(aki, { ...hub, ...fails(hub) }, BEGIN + 2 * DAY).catch(() => undefined)
  await sync(ben, hub, BEGIN + 2 * DAY)
  expect(sharedView(ben)).toHaveLength(2)
  await restore()
  return { hub, aki, ben, chie }
}

const TWO_MORE = [stored(3, 'Use tabs.'), stored(4, 'Use UTF-8.')] as const
const epochOf = async (hub: Hub): Promise<string> => (await hub.pull(PROJECT, 0, 1)).epoch

test('team: a machine that only received reads again when whoever had sent finds that it is lost', async () => {
  const { hub, aki, ben, chie } = await loseOneChange()
  // The positions that Ben has read are given again, to more than there was.
  change(chie, BEGIN + 3 * DAY, ...TWO_MORE)
  await sync(chie, hub, BEGIN + 4 * DAY)
  expect(await epochOf(hub)).toBe(FIRST_EPOCH)
  for (const machine of [aki, ben, chie]) await sync(machine, hub, BEGIN + 4 * DAY)
  expect(await epochOf(hub)).not.toBe(FIRST_EPOCH)
  expect(sharedView(ben).map(({ id }) => id)).toEqual([1, 2, 3, 4].map(testMemoryId))
  for (const machine of [aki, chie]) expect(sharedView(machine)).toEqual(sharedView(ben))
})

test('team: a machine that has read further than the hub goes reads again', async () => {
  // Aki’s machine dies before it has the answer: it sends the change again without knowing that it was there.
  const { hub, aki, ben, chie } = await loseOneChange((world) => ({
    push: async (...given) => {
      await world.push(...given)
      throw new Error('killed')
    },
    pull: () => Promise.reject(new Error('killed')),
  }))
  await sync(ben, hub, BEGIN + 3 * DAY)
  change(chie, BEGIN + 3 * DAY, ...TWO_MORE)
  for (const machine of [chie, aki, ben, chie]) await sync(machine, hub, BEGIN + 4 * DAY)
  expect(await epochOf(hub)).toBe(FIRST_EPOCH)
  expect(sharedView(ben).map(({ id }) => id)).toEqual([1, 2, 3, 4].map(testMemoryId))
  for (const machine of [aki, chie]) expect(sharedView(machine)).toEqual(sharedView(ben))
})

test('team: what came back from the hub was there, also if the answer to its push was lost', async () => {
  const { hub, aki, ben, chie } = await loseOneChange((world) => ({
    push: async (...given) => {
      await world.push(...given)
      throw new Error('the answer is lost')
    },
  }))
  change(chie, BEGIN + 3 * DAY, ...TWO_MORE)
  for (const machine of [chie, aki, ben, chie]) await sync(machine, hub, BEGIN + 4 * DAY)
  expect(await epochOf(hub)).not.toBe(FIRST_EPOCH)
  for (const machine of [aki, ben, chie]) expect(sharedView(machine)).toHaveLength(4)
})

test('team: who may not write reads again after a restore, and sends what was lost later', async () => {
  const { hub, backup, restore } = inMemory()
  const [aki, ben] = [newMachine('Aki'), newMachine('Ben')]
  for (const machine of [aki, ben]) await join(machine, hub)
  await backup()
  change(aki, BEGIN, stored(1, 'Use pnpm in this repository.'))
  await sync(aki, hub)
  await restore()
  change(ben, BEGIN, stored(2, 'Use tabs.'), stored(3, 'Use UTF-8.'))
  await sync(ben, hub)
  hub.faults.readOnly = true
  expect(await sync(aki, hub, BEGIN + 2 * DAY)).toMatchObject({ sent: 0, waiting: 2 })
  expect(sharedView(aki)).toHaveLength(3)
  expect(await sync(aki, hub, BEGIN + 3 * DAY)).toMatchObject({ received: 0, waiting: 2 })
  hub.faults.readOnly = false
  expect(await sync(aki, hub, BEGIN + 4 * DAY)).toMatchObject({ sent: 2, waiting: 0 })
  await sync(ben, hub, BEGIN + 4 * DAY)
  expect(sharedView(ben)).toEqual(sharedView(aki))
})

test('team: a machine that dies before it sends again still gives the project another epoch', async () => {
  const { hub, backup, restore } = inMemory()
  const [aki, ben] = [newMachine('Aki'), newMachine('Ben')]
  for (const machine of [aki, ben]) await join(machine, hub)
  await backup()
  change(aki, BEGIN, stored(1, 'Use pnpm in this repository.'))
  for (const machine of [aki, ben]) await sync(machine, hub)
  await restore()
  const dying: Hub = { ...hub, push: () => Promise.reject(new Error('killed')) }
  await expect(sync(aki, dying, BEGIN + 2 * DAY)).rejects.toThrow('killed')
  expect(readTeam(aki.store)).toMatchObject({ waiting: 2 })
  await sync(aki, hub, BEGIN + 3 * DAY)
  const epoch = await epochOf(hub)
  expect(epoch).not.toBe(FIRST_EPOCH)
  // Once is enough.
  await sync(aki, hub, BEGIN + 4 * DAY)
  expect(await epochOf(hub)).toBe(epoch)
})

test('team: on PostgreSQL, a restore of the tables loses nothing either', async () => {
  const { hub, database, close } = await startTestHub()
  const tables = ['hub_projects', 'hub_operations', 'hub_memories']
  const run = async (statement: (table: string) => string) => {
    for (const table of tables) await database.query(statement(table))
  }
  const world = {
    hub: { ...hub, describe: async () => ({ ...(await hub.describe()), version: 1 }) },
    backup: () => run((table) => `create table saved_${table} as table ${table}`),
    restore: async () => {
      await run((table) => `delete from ${table}`)
      await run((table) => `insert into ${table} select * from saved_${table}`)
    },
  }
  try {
    expect(await runPlan(world, REUSED, true)).toEqual(await runPlan(inMemory(), REUSED, false))
  } finally {
    await close()
  }
}, 120_000)
