// A hub that is down, slow, full, read-only or of another version costs one line; a machine that dies anywhere loses
// nothing and sends nothing twice.
import { expect, test } from 'vitest'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { readHubStatus } from '../../../src/broker/team/hubStatus.ts'
import { syncProjects } from '../../../src/broker/team/syncProjects.ts'
import { HUB_VERSIONS } from '../../../src/database/postgresHub.ts'
import { MemoryError } from '../../../src/model/memoryError.ts'
import type { Hub, TeamRow } from '../../../src/team/teamRow.ts'
import { burdenDead, DEATHS, dyingDisk } from '../../crash/dying.ts'
import { BEGIN, DAY, testMemoryId } from '../../testData.ts'
import { searchFolder } from '../forget/searchHome.ts'
import {
  change,
  hubText,
  join,
  type Machine,
  memoriesOf,
  newMachine,
  newUuid,
  rebuilt,
  sharedView,
  statementOf,
  sync,
  type TeamHub,
  useHub,
} from './teamWorld.ts'

const newHub = useHub()

const stored = (n: number, text: string) => ({ kind: 'memory.stored', memory: statementOf(n, text) }) as const

/** One machine with two statements that the hub does not have yet. */
async function newSender(hub: TeamHub, name = 'Aki'): Promise<Machine> {
  const machine = newMachine(name)
  await join(machine, hub)
  change(machine, BEGIN, stored(1, 'Use pnpm in this repository.'), stored(2, 'テストは毎回すべて実行する。'))
  return machine
}

const env = { MEMCTL_DATABASE_URL: 'postgresql://aki@localhost/memctl', USER: 'Aki' }
const syncWith = ({ store }: Machine, openHub: () => Promise<Hub>) =>
  syncProjects([store], {
    env,
    openHub: async () => ({ hub: await openHub(), versions: HUB_VERSIONS }),
    now: () => BEGIN + DAY,
    newId: newUuid,
  })

const failing = (code: 'DATABASE_UNREACHABLE' | 'DATABASE_FULL' | 'DATABASE_TIMEOUT' | 'DATABASE_ACCESS') => () => {
  throw new MemoryError(code, `the hub answered ${code}`, { hint: 'Wait.' })
}

test.each<[string, (hub: Hub) => Hub]>([
  ['DATABASE_UNREACHABLE', (hub) => ({ ...hub, describe: failing('DATABASE_UNREACHABLE') })],
  ['DATABASE_FULL', (hub) => ({ ...hub, push: failing('DATABASE_FULL') })],
  ['DATABASE_TIMEOUT', (hub) => ({ ...hub, pull: failing('DATABASE_TIMEOUT') })],
  ['DATABASE_ACCESS', (hub) => ({ ...hub, describe: failing('DATABASE_ACCESS') })],
  ['DATABASE_VERSION', (hub) => ({ ...hub, describe: async () => ({ ...(await hub.describe()), version: 99 }) })],
  ['HUB_CHANGED', (hub) => ({ ...hub, describe: async () => ({ ...(await hub.describe()), hub: newUuid() }) })],
])('team: a hub that fails with %s leaves the memories as they are, and one line', async (code, break_) => {
  const hub = newHub()
  const machine = await newSender(hub)
  const before = memoriesOf(machine).map(({ content }) => content)
  const [result] = await syncWith(machine, async () => break_(hub.hub))
  expect(result?.fault).toMatchObject({ code, hint: expect.stringMatching(/./) })
  expect(readHubStatus(machine.store, {})).toMatchObject({ fault: { code }, lastSync: null })
  expect(memoriesOf(machine).map(({ content }) => content)).toEqual(before)
  // The next one makes up for it.
  const [later] = await syncWith(machine, async () => hub.hub)
  expect(later?.fault).toBeUndefined()
  expect(readHubStatus(machine.store, {})).toMatchObject({ fault: null, waiting: 0 })
  expect(JSON.parse(await hubText(hub))).toHaveLength(2)
})

test('team: of a hub that may only be read everything is received, and one line says what waits', async () => {
  const hub = newHub()
  const [aki, ben] = [await newSender(hub), newMachine('Ben')]
  await join(ben, hub)
  await sync(aki, hub)
  change(ben, BEGIN, stored(3, 'Ben likes tabs.'))
  const readOnly = { ...hub.hub, describe: async () => ({ ...(await hub.hub.describe()), canWrite: false }) }
  const report = await sync(ben, { hub: readOnly })
  expect(report).toMatchObject({ sent: 0, waiting: 1, fault: { code: 'DATABASE_READ_ONLY' } })
  expect(memoriesOf(ben)).toHaveLength(3)
  expect((await sync(ben, hub)).sent).toBeGreaterThan(0)
  // What a reader has counted is no fault.
  change(ben, BEGIN + 2 * DAY, { kind: 'memory.accessed', memories: [testMemoryId(1)] })
  const [read] = await syncWith(ben, async () => readOnly)
  expect(read?.report).toMatchObject({ sent: 0, waiting: 0 })
  expect(read?.fault).toBeUndefined()
  expect(readHubStatus(ben.store, {}, loadProjection(ben.store).projection)).toMatchObject({ waiting: 0, fault: null })
})

test('team: what was stored since the last exchange, or in spite of one that failed, waits', async () => {
  const hub = newHub()
  const machine = await newSender(hub)
  const waiting = () => readHubStatus(machine.store, {}, loadProjection(machine.store).projection)?.waiting
  expect(waiting()).toBe(2)
  await syncWith(machine, async () => ({ ...hub.hub, push: failing('DATABASE_UNREACHABLE') }))
  expect(waiting()).toBe(2)
  await syncWith(machine, async () => hub.hub)
  expect(waiting()).toBe(0)
  change(machine, BEGIN + DAY, stored(3, 'Aki likes tabs.'))
  expect(waiting()).toBe(1)
})

test('team: who may not write to the project receives all the same, and one line says so', async () => {
  const hub = newHub()
  const [aki, ben] = [await newSender(hub), newMachine('Ben')]
  await join(ben, hub)
  await sync(aki, hub)
  change(ben, BEGIN, stored(3, 'Ben likes tabs.'))
  const [result] = await syncWith(ben, async () => ({ ...hub.hub, push: failing('DATABASE_ACCESS') }))
  expect(result?.fault).toMatchObject({ code: 'DATABASE_ACCESS' })
  expect(memoriesOf(ben)).toHaveLength(3)
})

test('team: what is no row is left out and counted; the rest is received, without secrets', async () => {
  const hub = newHub()
  const [aki, ben] = [await newSender(hub), newMachine('Ben')]
  await join(ben, hub)
  await sync(aki, hub)
  const secret = 'ghp_0123456789abcdefABCDEF0123456789abcd'
  const pull: Hub['pull'] = async (...given) => {
    const page = await hub.hub.pull(...given)
    const text = JSON.stringify(page.rows).replaceAll('Use pnpm', `GITHUB_TOKEN=${secret} use pnpm`)
    return { ...page, rows: [...JSON.parse(text), { memory: 'x' }, null] }
  }
  expect(await sync(ben, { hub: { ...hub.hub, pull } })).toMatchObject({ refused: 2, received: 2 })
  expect(memoriesOf(ben).some(({ content }) => content.includes('use pnpm'))).toBe(true)
  expect(searchFolder(ben.home, secret)).toEqual([])
})

test('team: one teammate’s texts take a part of the store at most; of others all is received', async () => {
  const hub = newHub()
  const [aki, ben] = [await newSender(hub), newMachine('Ben')]
  await join(ben, hub)
  await sync(aki, hub)
  const content = 'a word '.repeat(1_143).slice(0, 8_000)
  let flood: readonly object[] | undefined
  const pull: Hub['pull'] = async (...given) => {
    const page = await hub.hub.pull(...given)
    const [row] = page.rows as readonly TeamRow[]
    const eve = { ...row, by: 'Eve', fields: { ...row?.fields, content } }
    flood ??= Array.from({ length: 2_050 }, (_, n) => ({ ...eve, memory: testMemoryId(100 + n) }))
    return { ...page, rows: [...flood, ...page.rows] }
  }
  const report = await sync(ben, { hub: { ...hub.hub, pull } })
  expect(report).toMatchObject({ refused: 78, received: 1_974 })
  // What is there already may change, and the part stays full.
  expect(await sync(ben, { hub: { ...hub.hub, pull } })).toMatchObject({ refused: 78 })
}, 60_000)

test('team: only one process at a time exchanges changes', async () => {
  const hub = newHub()
  const machine = await newSender(hub)
  const first = syncWith(machine, async () => hub.hub)
  await expect(syncWith(machine, async () => hub.hub)).rejects.toMatchObject({ code: 'STORE_BUSY' })
  expect((await first)[0]?.fault).toBeUndefined()
})

test.each(DEATHS)(
  'team: a machine that dies at any write (%s) gets the same memories from the next sync',
  async (death) => {
    const [expected, writes] = await surviveDeath(0, death)
    const step = process.env['MEMCTL_LONG'] ? 1 : 5
    for (let at = 1; at <= writes; at += step) {
      const [view] = await surviveDeath(at, death)
      expect({ at, view }).toEqual({ at, view: expected })
    }
  },
  120_000,
)

/** Two machines exchange; the second one dies at a write of its first sync, and syncs again. 0: it does not die. */
async function surviveDeath(at: number, death: (typeof DEATHS)[number]): Promise<[view: unknown, writes: number]> {
  const hub = newHub()
  const [aki, ben] = [await newSender(hub), newMachine('Ben')]
  await join(ben, hub)
  change(ben, BEGIN, stored(5, 'Run the linter first.'))
  await sync(aki, hub)
  change(aki, BEGIN + 2 * DAY, { kind: 'memory.deleted', memories: [testMemoryId(2)] })
  await sync(aki, hub, BEGIN + 2 * DAY)
  const disk = dyingDisk(at, death)
  const dying = { ...ben, store: { ...ben.store, files: disk.files } }
  await sync(dying, hub, BEGIN + 3 * DAY).catch(() => undefined)
  burdenDead(ben.store.layout.lock)
  await sync(ben, hub, BEGIN + 4 * DAY)
  await sync(aki, hub, BEGIN + 4 * DAY)
  expect(sharedView(ben)).toEqual(sharedView(aki))
  const { before, after } = rebuilt(ben, BEGIN + 5 * DAY) as { before: unknown; after: unknown }
  expect(after).toEqual(before)
  const contents = memoriesOf(ben).map(({ id, content }) => [id, content])
  const rows = JSON.parse(await hubText(hub)) as { memory: string; state: string }[]
  return [
    { contents: contents.sort(), rows: rows.map(({ memory, state }) => `${memory} ${state}`).sort() },
    disk.count(),
  ]
}
