// A hub that is down, slow, full, read-only or of another version costs one line; a machine that dies anywhere, or a
// copy of it, loses nothing and sends nothing twice.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { eraseEverywhere } from '../../../src/broker/forget/eraseEverywhere.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { readHubResult } from '../../../src/broker/team/hubResult.ts'
import { syncProjects } from '../../../src/broker/team/syncProject.ts'
import { readTeam } from '../../../src/broker/team/teamStore.ts'
import { MemoryError } from '../../../src/model/memoryError.ts'
import type { Hub } from '../../../src/team/hub.ts'
import { burdenDead, DEATHS, dyingDisk } from '../../crash/dying.ts'
import { createMemoryHub, type MemoryHub } from '../../team/memoryHub.ts'
import { newFolder } from '../../tempFolders.ts'
import { BEGIN, DAY, testMemoryId } from '../../testData.ts'
import { searchFolder } from '../forget/searchHome.ts'
import {
  change,
  join,
  type Machine,
  memoriesOf,
  newMachine,
  newUuid,
  PROJECT,
  rebuilt,
  sharedView,
  statementOf,
  sync,
} from './teamWorld.ts'

const stored = (n: number, text: string) => ({ kind: 'memory.stored', memory: statementOf(n, text) }) as const

/** One machine with two statements that the hub does not have yet. */
async function newSender(hub: Hub, name = 'Aki'): Promise<Machine> {
  const machine = newMachine(name)
  await join(machine, hub)
  change(machine, BEGIN, stored(1, 'Use pnpm in this repository.'), stored(2, 'テストは毎回すべて実行する。'))
  return machine
}

const config = { url: 'postgresql://aki@localhost/memctl', name: 'Aki', from: 'config.yaml' } as const
const syncWith = ({ store }: Machine, openHub: () => Promise<Hub>) =>
  syncProjects([store], {
    config,
    openHub: async () => ({ hub: await openHub(), versions: { min: 1, max: 1 } }),
    now: () => BEGIN + DAY,
    newId: newUuid,
  })

const failing = (code: 'DATABASE_FULL' | 'DATABASE_TIMEOUT' | 'DATABASE_ACCESS') => () => {
  throw new MemoryError(code, `the hub answered ${code}`, { hint: 'Wait.' })
}

test.each<[string, (hub: MemoryHub) => Hub]>([
  ['DATABASE_UNREACHABLE', (hub) => createMemoryHub({ ...hub.faults, down: true })],
  ['DATABASE_FULL', (hub) => ({ ...hub, push: failing('DATABASE_FULL') })],
  ['DATABASE_TIMEOUT', (hub) => ({ ...hub, pull: failing('DATABASE_TIMEOUT') })],
  ['DATABASE_ACCESS', (hub) => ({ ...hub, describe: failing('DATABASE_ACCESS') })],
  ['DATABASE_VERSION', (hub) => ({ ...hub, describe: async () => ({ ...(await hub.describe()), version: 2 }) })],
  ['HUB_CHANGED', (hub) => ({ ...hub, describe: async () => ({ ...(await hub.describe()), hub: newUuid() }) })],
])('team: a hub that fails with %s leaves the memories as they are, and one line', async (code, break_) => {
  const hub = createMemoryHub()
  const machine = await newSender(hub)
  const before = memoriesOf(machine).map(({ content }) => content)
  const [result] = await syncWith(machine, async () => break_(hub))
  expect(result?.fault).toMatchObject({ code, hint: expect.stringMatching(/./) })
  expect(readHubResult(machine.store)).toMatchObject({ fault: { code } })
  expect(memoriesOf(machine).map(({ content }) => content)).toEqual(before)
  // The next one makes up for it.
  const [later] = await syncWith(machine, async () => hub)
  expect(later?.fault).toBeUndefined()
  expect(readHubResult(machine.store)?.fault).toBeUndefined()
  expect(hub.stored(PROJECT).filter(({ kind }) => kind === 'put')).toHaveLength(2)
})

test('team: of a hub that may only be read everything is received, and nothing is collected', async () => {
  const hub = createMemoryHub()
  const [aki, ben] = [await newSender(hub), newMachine('Ben')]
  await join(ben, hub)
  await sync(aki, hub)
  change(ben, BEGIN, stored(3, 'Ben likes tabs.'))
  hub.faults.readOnly = true
  expect(await sync(ben, hub)).toMatchObject({ sent: 0, waiting: 0 })
  expect(memoriesOf(ben)).toHaveLength(3)
  hub.faults.readOnly = false
  expect((await sync(ben, hub)).sent).toBeGreaterThan(0)
})

test('team: who may not write to the project receives all the same, and one line says so', async () => {
  const hub = createMemoryHub()
  const [aki, ben] = [await newSender(hub), newMachine('Ben')]
  await join(ben, hub)
  await sync(aki, hub)
  change(ben, BEGIN, stored(3, 'Ben likes tabs.'))
  const [result] = await syncWith(ben, async () => ({ ...hub, push: failing('DATABASE_ACCESS') }))
  expect(result?.fault).toMatchObject({ code: 'DATABASE_ACCESS' })
  expect(memoriesOf(ben)).toHaveLength(3)
})

test('team: what another process forgets during a sync gets a number of its own', async () => {
  const hub = createMemoryHub()
  const machine = await newSender(hub)
  const forgetting: Hub = {
    ...hub,
    push: async (...given) => {
      const answer = await hub.push(...given)
      if (hub.stored(PROJECT).length === 4)
        eraseEverywhere(machine.store, { memories: [testMemoryId(1)] }, { now: BEGIN + DAY })
      return answer
    },
  }
  await sync(machine, forgetting)
  change(machine, BEGIN + 2 * DAY, stored(3, 'Written afterwards.'))
  await sync(machine, hub, BEGIN + 2 * DAY)
  expect(JSON.stringify(hub.stored(PROJECT))).not.toContain('pnpm')
  expect(JSON.stringify(hub.stored(PROJECT))).toContain('Written afterwards.')
})

test('team: a sync whose time is over sends what fits, and says that it is not complete', async () => {
  const hub = createMemoryHub()
  const machine = await newSender(hub)
  let now = BEGIN + DAY
  const slow: Hub = {
    ...hub,
    lastPushed: (...given) => {
      now += 60_000
      return hub.lastPushed(...given)
    },
  }
  const [result] = await syncProjects([machine.store], {
    config,
    openHub: async () => ({ hub: slow, versions: { min: 1, max: 1 } }),
    ...{ now: () => now, newId: newUuid, deadline: BEGIN + DAY + 30_000 },
  })
  expect(result?.report).toMatchObject({ sent: 0, isComplete: false, waiting: 4 })
  expect((await sync(machine, hub)).sent).toBe(4)
})

test('team: an answer of the hub that is lost sends nothing twice', async () => {
  const hub = createMemoryHub({ lostAnswers: 1 })
  const machine = await newSender(hub)
  await expect(sync(machine, hub)).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' })
  const [ids, again] = [hub.stored(PROJECT).map(({ id }) => id), await sync(machine, hub)]
  expect(hub.stored(PROJECT).map(({ id }) => id)).toEqual(ids)
  expect(again).toMatchObject({ sent: 0, waiting: 0 })
})

test('team: what is no operation is left out and counted; the rest is received', async () => {
  const hub = createMemoryHub()
  const [aki, ben] = [await newSender(hub), newMachine('Ben')]
  await join(ben, hub)
  await sync(aki, hub)
  const pull: Hub['pull'] = async (...given) => {
    const batch = await hub.pull(...given)
    const [first, ...rest] = batch.operations
    return { ...batch, operations: first ? [{ ...first, memory: 'x' } as never, null as never, ...rest] : [] }
  }
  expect(await sync(ben, { ...hub, pull })).toMatchObject({ refused: 2, received: 3 })
  expect(memoriesOf(ben)).toHaveLength(1)
})

test('team: a secret that another program has sent is in no byte of the store that receives it', async () => {
  const hub = createMemoryHub()
  const [aki, ben] = [await newSender(hub), newMachine('Ben')]
  await join(ben, hub)
  await sync(aki, hub)
  const secret = 'ghp_0123456789abcdefABCDEF0123456789abcd'
  const pull: Hub['pull'] = async (...given) => {
    const batch = await hub.pull(...given)
    const text = JSON.stringify(batch.operations).replaceAll('Use pnpm', `GITHUB_TOKEN=${secret} use pnpm`)
    return { ...batch, operations: JSON.parse(text) }
  }
  expect(await sync(ben, { ...hub, pull })).toMatchObject({ refused: 0 })
  expect(memoriesOf(ben).some(({ content }) => content.includes('use pnpm'))).toBe(true)
  expect(searchFolder(ben.home, secret)).toEqual([])
})

test('team: only one process at a time exchanges changes', async () => {
  const hub = createMemoryHub({ delayMs: 20 })
  const machine = await newSender(hub)
  const first = syncWith(machine, async () => hub)
  await expect(syncWith(machine, async () => hub)).rejects.toMatchObject({ code: 'STORE_BUSY' })
  expect((await first)[0]?.fault).toBeUndefined()
})

test('team: a copied home takes part as a machine of its own', async () => {
  const hub = createMemoryHub()
  const aki = await newSender(hub)
  await sync(aki, hub)
  const copied = copyOf(aki)
  change(aki, BEGIN + 2 * DAY, stored(3, 'Written on the first machine.'))
  change(copied, BEGIN + 2 * DAY, stored(4, 'コピーしたマシンで書いた。'))
  for (const machine of [copied, aki, copied]) await sync(machine, hub, BEGIN + 3 * DAY)
  expect(readTeam(copied.store)?.replica).not.toBe(readTeam(aki.store)?.replica)
  expect(sharedView(copied)).toEqual(sharedView(aki))
  expect(memoriesOf(aki)).toHaveLength(4)
  // What was counted before the copy counts once.
  expect(memoriesOf(copied).map(({ sessionCount }) => sessionCount)).toEqual([1, 1, 1, 1])
})

test('team: a restored backup takes part as a new machine, and overwrites nothing that is newer', async () => {
  const hub = createMemoryHub()
  const aki = await newSender(hub)
  await sync(aki, hub)
  const backup = copyOf(aki)
  const edit = { memory: testMemoryId(1), content: 'Use yarn in this repository.' }
  change(aki, BEGIN + 2 * DAY, { kind: 'memory.updated', change: edit })
  await sync(aki, hub, BEGIN + 2 * DAY)
  // In place: the folder of the log is the same, its content is older.
  const events = path.join(backup.store.layout.folder, 'events')
  for (const name of fs.readdirSync(aki.store.layout.events))
    fs.copyFileSync(path.join(events, name), path.join(aki.store.layout.events, name))
  for (const name of fs.readdirSync(aki.store.layout.folder))
    if (/^(?:manifest|work)/.test(name)) fs.rmSync(path.join(aki.store.layout.folder, name))
  for (const name of fs.readdirSync(backup.store.layout.folder))
    if (/^(?:manifest|work)/.test(name))
      fs.copyFileSync(path.join(backup.store.layout.folder, name), path.join(aki.store.layout.folder, name))
  fs.cpSync(backup.store.layout.segments, aki.store.layout.segments, { recursive: true })
  const old = readTeam(backup.store)?.replica
  await sync(aki, hub, BEGIN + 3 * DAY)
  expect(readTeam(aki.store)?.replica).not.toBe(old)
  expect(memoriesOf(aki).find(({ id }) => id === testMemoryId(1))?.content).toBe('Use yarn in this repository.')
})

/** The same machine in another folder, as a copy of the home gives it. */
function copyOf(machine: Machine): Machine {
  const folder = newFolder()
  fs.cpSync(machine.folder, folder, { recursive: true })
  const [root, home] = [path.join(folder, 'shop'), path.join(folder, '.memctl')]
  const project = fs.readdirSync(path.join(home, 'projects'))[0]!
  const store = openStore(root, { HOME: folder, MEMCTL_HOME: home })
  // The store of a folder without an origin is named by its path.
  fs.renameSync(path.join(home, 'projects', project), store.layout.folder)
  return { ...machine, folder, root, home, store }
}

test.each(DEATHS)(
  'team: a machine that dies at any write (%s) gets the same memories from the next sync',
  async (death) => {
    const [expected, writes] = await surviveDeath(0, death)
    const step = process.env['MEMCTL_LONG'] ? 1 : 3
    for (let at = 1; at <= writes; at += step) {
      const [view] = await surviveDeath(at, death)
      expect({ at, view }).toEqual({ at, view: expected })
    }
  },
  120_000,
)

/** Two machines exchange; the second one dies at a write of its first sync, and syncs again. 0: it does not die. */
async function surviveDeath(at: number, death: (typeof DEATHS)[number]): Promise<[view: unknown, writes: number]> {
  const hub = createMemoryHub()
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
  const operations = hub.stored(PROJECT).map(({ kind, memory }) => `${kind} ${memory}`)
  return [{ contents: contents.sort(), operations: operations.sort() }, disk.count()]
}
