// Two people change the same memory: each line of the table in docs/team.md, and what happens to what is on its way.

import { expect, test } from 'vitest'
import { eraseEverywhere } from '../../../src/broker/forget/eraseEverywhere.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { readTeam } from '../../../src/broker/team/hubStatus.ts'
import { leaveHub } from '../../../src/broker/team/membership.ts'
import { HUB_VERSIONS } from '../../../src/database/postgresHub.ts'
import type { EventBody } from '../../../src/model/event.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { writeJsonFile } from '../../../src/store/disk/jsonFile.ts'
import { readJson } from '../../../src/store/disk/readJson.ts'
import { readManifest } from '../../../src/store/snapshot/snapshotReader.ts'
import { BEGIN, DAY, HOUR, testMemoryId } from '../../testData.ts'
import { searchFolder } from '../forget/searchHome.ts'
import {
  change,
  hubText,
  join,
  learnsPrices,
  lessonOf,
  live,
  type Machine,
  memoriesOf,
  newMachine,
  newTeam,
  newUuid,
  saidRule,
  statementOf,
  sync,
  type TeamHub,
  useHub,
} from './teamWorld.ts'

const ID = testMemoryId(1)
const newHub = useHub()

const edit = (content: string): EventBody => ({ kind: 'memory.updated', change: { memory: ID, content } })
const supersede = (n: number): EventBody => ({
  kind: 'memory.updated',
  change: { memory: ID, supersededBy: testMemoryId(n) },
})
const uses = (times: number): EventBody[] =>
  Array.from({ length: times }, () => ({ kind: 'memory.accessed', memories: [ID] }))
const stored = (given: Partial<Memory> = {}): EventBody => ({
  kind: 'memory.stored',
  memory: statementOf(1, 'as it was', given),
})
const find = (machine: Machine): Memory | undefined => memoriesOf(machine).find(({ id }) => id === ID)

/** Aki and Ben have the same memory, which Aki wrote. */
async function newPair() {
  const hub = newHub()
  const [aki, ben] = await newTeam(hub, 'Aki', 'Ben')
  change(aki, BEGIN - DAY, stored({ created: new Date(BEGIN - DAY).toISOString() }))
  await exchange(hub, aki, ben)
  return { hub, aki, ben }
}

const lostBy = ({ store }: Machine) => readTeam(store)?.lost

/** When they exchange, each time an hour later: what is private is released after weeks. */
let now = BEGIN + 9 * DAY
const later = (): number => {
  now += HOUR
  return now
}

/** Both until nothing is left. */
async function exchange(hub: TeamHub, aki: Machine, ben: Machine): Promise<(Memory | undefined)[]> {
  for (const machine of [aki, ben, aki]) await sync(machine, hub, later())
  expect(await sync(ben, hub, later())).toMatchObject({ sent: 0, received: 0, waiting: 0 })
  return [find(aki), find(ben)]
}

test('team: the later edit wins, although the machine of the earlier one syncs last', async () => {
  const { hub, aki, ben } = await newPair()
  change(aki, BEGIN, edit('by Aki, without a network'))
  change(ben, BEGIN + HOUR, edit('by Ben'))
  await sync(ben, hub)
  expect(await exchange(hub, aki, ben)).toMatchObject([{ content: 'by Ben' }, { content: 'by Ben' }])
  // Aki is told, keeps the text, and can take it over.
  expect(lostBy(aki)).toMatchObject([{ memory: ID, text: 'by Aki, without a network', by: 'Ben' }])
  expect(lostBy(ben)).toEqual([])
  change(aki, later(), edit('by Aki, without a network'))
  expect(lostBy(aki)).toEqual([])
  expect(await exchange(hub, aki, ben)).toMatchObject([
    { content: 'by Aki, without a network' },
    { content: 'by Aki, without a network' },
  ])
  expect(lostBy(ben)).toMatchObject([{ text: 'by Ben', by: 'Aki' }])
  eraseEverywhere(aki.store, { memories: [ID] }, { now: later() })
  await exchange(hub, aki, ben)
  expect(lostBy(ben)).toEqual([])
})

test('team: whoever has seen a text can edit it, although their clock is days behind', async () => {
  const { hub, aki, ben } = await newPair()
  change(ben, BEGIN - 9 * DAY, edit('by Ben'))
  expect(await exchange(hub, aki, ben)).toMatchObject([{ content: 'by Ben' }, { content: 'by Ben' }])
})

test('team: an edit and a replacement at the same time both hold', async () => {
  const { hub, aki, ben } = await newPair()
  change(aki, BEGIN, edit('by Aki'))
  change(ben, BEGIN + HOUR, supersede(2))
  for (const memory of await exchange(hub, aki, ben))
    expect(memory).toMatchObject({ content: 'by Aki', supersededBy: testMemoryId(2), status: 'archived' })
})

test('team: a text that a teammate replaces by their own is named to its person, until they use it again', async () => {
  const { hub, aki, ben } = await newPair()
  const other: EventBody = { kind: 'memory.stored', memory: statementOf(2, 'the other way round') }
  change(ben, BEGIN, supersede(2), other)
  await exchange(hub, aki, ben)
  expect(lostBy(aki)).toMatchObject([{ memory: ID, text: 'as it was', by: 'Ben' }])
  expect(lostBy(ben)).toEqual([])
  change(aki, later(), { kind: 'memory.updated', change: { memory: ID, supersededBy: null } })
  expect(await exchange(hub, aki, ben)).toMatchObject([{ status: 'active' }, { status: 'active' }])
  expect([lostBy(aki), lostBy(ben)]).toEqual([[], []])
})

test('team: what a person replaced on another machine of theirs is no news', async () => {
  const hub = newHub()
  const [first, second] = await newTeam(hub, 'Aki', 'Aki')
  change(first, BEGIN, stored())
  await exchange(hub, first, second)
  change(second, BEGIN, supersede(2), { kind: 'memory.stored', memory: statementOf(2, 'the other way round') })
  await exchange(hub, first, second)
  expect(find(first)).toMatchObject({ status: 'archived' })
  expect(lostBy(first)).toEqual([])
})

test('team: a deletion wins over an edit at the same time; what is learned again is there again', async () => {
  const { hub, aki, ben } = await newPair()
  change(ben, BEGIN, { kind: 'memory.deleted', memories: [ID] })
  change(aki, BEGIN + HOUR, edit('by Aki'))
  expect(await exchange(hub, aki, ben)).toEqual([undefined, undefined])
  expect(lostBy(aki)).toMatchObject([{ text: 'by Aki', by: '' }])
  change(aki, BEGIN + 2 * HOUR, stored({ content: 'learned again' }))
  expect(await exchange(hub, aki, ben)).toMatchObject([{ content: 'learned again' }, { content: 'learned again' }])
})

test('team: a text that its person has replaced is no news when a teammate deletes it', async () => {
  for (const who of ['aki', 'ben'] as const) {
    const { hub, ...people } = await newPair()
    const { aki, ben } = people
    change(people[who], BEGIN, supersede(2), { kind: 'memory.stored', memory: statementOf(2, 'the other way round') })
    if (who === 'ben') await exchange(hub, aki, ben)
    change(ben, BEGIN + HOUR, { kind: 'memory.deleted', memories: [ID] })
    await exchange(hub, ben, aki)
    expect(find(aki)).toBeUndefined()
    expect(lostBy(aki)).toMatchObject(who === 'aki' ? [] : [{ text: 'as it was', by: '' }])
  }
})

test('team: uses that are not sent yet are kept; leaving takes off only those of others', async () => {
  const { hub, aki, ben } = await newPair()
  change(aki, BEGIN, ...uses(1))
  change(ben, BEGIN, ...uses(3))
  expect(await exchange(hub, aki, ben)).toMatchObject([{ accessCount: 4 }, { accessCount: 4 }])
  await leaveHub(aki.store, BEGIN + DAY)
  expect(find(aki)).toMatchObject({ accessCount: 1 })
  await join(aki, hub, BEGIN + DAY)
  expect(await exchange(hub, aki, ben)).toMatchObject([{ accessCount: 4 }, { accessCount: 4 }])
})

test('team: who has edited a text before they left finds their text when they return', async () => {
  const { hub, aki, ben } = await newPair()
  change(ben, BEGIN, edit('corrected by Ben'))
  await exchange(hub, aki, ben)
  await leaveHub(ben.store, BEGIN + DAY)
  await sync(ben, hub, BEGIN + DAY)
  await join(ben, hub, BEGIN + 2 * DAY)
  expect(await exchange(hub, aki, ben)).toMatchObject([
    { content: 'corrected by Ben' },
    { content: 'corrected by Ben' },
  ])
})

test('team: another project of the hub is joined when what was shared is taken back and forgotten there', async () => {
  const { hub, aki } = await newPair()
  const other = { ...hub, project: `${hub.project}-other` }
  await expect(join(aki, other)).rejects.toMatchObject({ code: 'HUB_CHANGED', hint: expect.stringMatching(/leave/) })
  eraseEverywhere(aki.store, { memories: [ID] }, { now: later() })
  await leaveHub(aki.store, later())
  await expect(join(aki, other)).rejects.toMatchObject({ code: 'HUB_CHANGED' })
  await sync(aki, hub, later())
  expect(await hubText(hub)).not.toContain('as it was')
  await join(aki, other)
  expect(readTeam(aki.store)?.project).toBe(other.project)
})

test('team: what its writer makes private stays with whoever has it too, and with nobody else', async () => {
  const { hub, aki, ben } = await newPair()
  change(aki, BEGIN, stored({ privacy: 'private' }))
  expect(await exchange(hub, aki, ben)).toMatchObject([{ privacy: 'private' }, undefined])
  expect(await hubText(hub)).not.toContain('as it was')
  const second = await newPair()
  change(second.ben, BEGIN, edit('by Ben'))
  await exchange(second.hub, second.aki, second.ben)
  change(second.aki, BEGIN + HOUR, stored({ privacy: 'private' }))
  const both = await exchange(second.hub, second.aki, second.ben)
  expect(both).toMatchObject([{ privacy: 'private' }, { privacy: 'public', content: 'by Ben' }])
})

test('team: forgetting wins over an edit, and who has not seen it yet does not bring it back', async () => {
  const { hub, aki, ben } = await newPair()
  eraseEverywhere(ben.store, { memories: [ID] }, { now: later() })
  change(aki, BEGIN + HOUR, edit('by Aki'))
  expect(await exchange(hub, aki, ben)).toEqual([undefined, undefined])
  expect(await hubText(hub)).not.toMatch(/by Aki|as it was/)
})

test('team: who met the same later does not become its author, and all are told how often it was met', async () => {
  const hub = newHub()
  const [aki, ben, cai] = await newTeam(hub, 'Aki', 'Ben', 'Cai')
  for (const n of [1, 2, 3]) live(aki, learnsPrices(`aki-${n}`, BEGIN + n * HOUR))
  await sync(aki, hub)
  live(ben, learnsPrices('ben', BEGIN + DAY))
  for (const machine of [ben, aki, cai, ben]) await sync(machine, hub, BEGIN + 2 * DAY)
  for (const machine of [aki, ben, cai])
    expect(lessonOf(machine)).toMatchObject({ knowledge: { record: { met: 4 } }, team: { by: 'Aki', people: 2 } })
})

test('team: what is said once as if it were a rule, and what was imported, stays here', async () => {
  const hub = newHub()
  const [aki] = await newTeam(hub, 'Aki')
  const doubtful = { ...saidRule('maybe a rule'), asked: undefined, state: 'proposed' } as const
  change(aki, BEGIN, stored({ knowledge: doubtful }), {
    kind: 'memory.stored',
    memory: statementOf(2, 'imported from elsewhere', { source: 'import' }),
  })
  expect(await sync(aki, hub)).toMatchObject({ sent: 0 })
  expect(await hubText(hub)).toBe('[]')
})

/** A hub whose answers to changes are lost. */
const deaf = ({ hub }: TeamHub): TeamHub['hub'] => ({
  ...hub,
  push: async (...given) => {
    await hub.push(...given)
    throw new Error('connection lost')
  },
})

test('team: an answer that is lost is no loss: what was sent is there once', async () => {
  const { hub, aki, ben } = await newPair()
  change(aki, BEGIN, edit('by Aki'), ...uses(2))
  await expect(sync(aki, { hub: deaf(hub) })).rejects.toThrow('connection lost')
  expect(await sync(aki, hub)).toMatchObject({ waiting: 0 })
  expect(await exchange(hub, aki, ben)).toMatchObject([
    { content: 'by Aki', accessCount: 2 },
    { content: 'by Aki', accessCount: 2 },
  ])
})

test('team: what was sent without an answer, and is then deleted or forgotten here, does not come back', async () => {
  for (const end of ['deleted', 'forgotten'] as const) {
    const hub = newHub()
    const [aki, ben] = await newTeam(hub, 'Aki', 'Ben')
    change(aki, BEGIN, stored({ content: 'The key hangs behind the cupboard' }))
    await expect(sync(aki, { hub: deaf(hub) })).rejects.toThrow('connection lost')
    await sync(ben, hub)
    if (end === 'deleted') change(aki, BEGIN, { kind: 'memory.deleted', memories: [ID] })
    else eraseEverywhere(aki.store, { memories: [ID] }, { now: later() })
    expect(await exchange(hub, aki, ben)).toEqual([undefined, undefined])
    expect(await hubText(hub)).not.toContain('cupboard')
    if (end === 'forgotten')
      for (const { home } of [aki, ben]) expect(searchFolder(home, 'behind the cupboard')).toEqual([])
  }
})

test('team: a copied store takes part as another machine, and counts nothing twice', async () => {
  const { hub, aki, ben } = await newPair()
  change(aki, BEGIN, ...uses(2))
  await exchange(hub, aki, ben)
  const before = await hub.database.query('select distinct copy from hub_counts where project_id = $1', [hub.project])
  // As a copy has it: the same log in another folder.
  const events = `${aki.store.layout.folder}/events`
  const { cpSync, renameSync } = await import('node:fs')
  cpSync(events, `${events}.copy`, { recursive: true })
  renameSync(events, `${events}.old`)
  renameSync(`${events}.copy`, events)
  change(aki, BEGIN + DAY, ...uses(1))
  expect(await exchange(hub, aki, ben)).toMatchObject([{ accessCount: 3 }, { accessCount: 3 }])
  const after = await hub.database.query('select distinct copy from hub_counts where project_id = $1', [hub.project])
  expect([before.rowCount, after.rowCount]).toEqual([1, 2])
})

const TABLES = ['hub_projects', 'hub_rows', 'hub_counts', 'hub_copies']

async function backUp({ database, project }: TeamHub): Promise<void> {
  for (const table of TABLES)
    await database.query(`create table saved_${table} as select * from ${table} where project_id = '${project}'`)
}

const restore = ({ database, project }: TeamHub) =>
  database.query(
    `begin; set local session_replication_role = replica; ${TABLES.map(
      (table) => `delete from ${table} where project_id = '${project}';
        insert into ${table} select * from saved_${table}; drop table saved_${table};`,
    ).join('\n')} commit`,
  )

test('team: a deletion that an earlier version has not sent yet is sent after the update', async () => {
  for (const place of ['deleted', 'outbox'] as const) {
    const { hub, aki, ben } = await newPair()
    change(ben, BEGIN, { kind: 'memory.deleted', memories: [ID] })
    // As the earlier version stored what it knew.
    const { store } = ben
    const file = store.layout.work(readManifest(store.files, store.layout).generation)
    const { crc: _, ...state } = readJson<{ crc?: string; team: { membership: object } }>(store.files, file)!
    const earlier = {
      membership: state.team.membership,
      ...{ hasLeft: false, erasing: [], states: [[ID, { puts: {} }]], deleted: [], outbox: [] },
      [place]: [place === 'deleted' ? ID : { kind: 'delete', memory: ID }],
    }
    writeJsonFile(store.files, file, { ...state, team: earlier })
    expect(await exchange(hub, aki, ben)).toEqual([undefined, undefined])
  }
})

test('team: what an earlier version knew of the rows is read after the update', async () => {
  const { hub, aki, ben } = await newPair()
  const { store } = ben
  const file = store.layout.work(readManifest(store.files, store.layout).generation)
  const { crc: _, ...state } = readJson<{ crc?: string; team: Record<string, unknown> }>(store.files, file)!
  const { file: __, latest: ___, ahead: ____, ...team } = state.team
  const entries = [...loadProjection(store).projection.team!.entries]
  writeJsonFile(store.files, file, { ...state, team: { ...team, entries } })
  change(aki, BEGIN + HOUR, edit('edited by Aki'))
  await sync(aki, hub, later())
  expect(await sync(ben, hub, later())).toMatchObject({ sent: 0, received: 1 })
})

test('team: a restore is noticed although somebody else has sent more since than what was lost', async () => {
  const { hub, aki, ben } = await newPair()
  await backUp(hub)
  change(aki, BEGIN + HOUR, edit('edited after the backup'))
  change(aki, BEGIN + HOUR, { kind: 'memory.stored', memory: statementOf(2, 'said after the backup') })
  await sync(aki, hub, later())
  await restore(hub)
  const others = [4, 5, 6, 7, 8].map((n) => ({ kind: 'memory.stored', memory: statementOf(n, `of Ben ${n}`) }) as const)
  change(ben, BEGIN + DAY, ...others)
  await sync(ben, hub, later())
  await exchange(hub, aki, ben)
  for (const machine of [aki, ben]) {
    const texts = memoriesOf(machine).map(({ content }) => content)
    expect(texts).toHaveLength(7)
    expect(texts).toEqual(expect.arrayContaining(['edited after the backup', 'said after the backup']))
  }
})

test('team: a restore is noticed although the row that was sent last has been changed again since', async () => {
  const { hub, aki, ben } = await newPair()
  await backUp(hub)
  change(aki, BEGIN + HOUR, { kind: 'memory.stored', memory: statementOf(2, 'said after the backup') })
  await sync(aki, hub, later())
  change(aki, BEGIN + 2 * HOUR, edit('edited after the backup'))
  await sync(aki, hub, later())
  await restore(hub)
  change(ben, BEGIN + DAY, edit('edited after the restore'))
  await sync(ben, hub, later())
  await exchange(hub, aki, ben)
  for (const machine of [aki, ben]) {
    const texts = memoriesOf(machine).map(({ content }) => content)
    expect(texts.sort()).toEqual(['edited after the restore', 'said after the backup'])
  }
})

test('team: a hub that was restored from a backup gets what it has lost, whoever syncs first', async () => {
  for (const order of ['first', 'last'] as const) {
    const { hub, aki, ben } = await newPair()
    change(ben, BEGIN, { kind: 'memory.stored', memory: statementOf(3, 'The key hangs behind the cupboard') })
    await exchange(hub, aki, ben)
    await backUp(hub)
    change(aki, BEGIN + HOUR, edit('edited after the backup'), {
      kind: 'memory.stored',
      memory: statementOf(2, 'said after the backup'),
    })
    eraseEverywhere(ben.store, { memories: [testMemoryId(3)] }, { now: later() })
    await exchange(hub, aki, ben)
    await restore(hub)
    for (const machine of order === 'first' ? [aki, ben] : [ben, aki]) await sync(machine, hub, later())
    const newcomer = newMachine('Cai')
    await join(newcomer, hub)
    await exchange(hub, aki, ben)
    await sync(newcomer, hub, later())
    for (const machine of [aki, ben, newcomer]) {
      const texts = memoriesOf(machine).map(({ content }) => content)
      expect(texts.sort()).toEqual(['edited after the backup', 'said after the backup'])
    }
    const said = memoriesOf(newcomer).find(({ content }) => content === 'said after the backup')
    expect(said?.team).toMatchObject({ by: 'Aki', people: 1 })
    expect(await hubText(hub)).not.toContain('cupboard')
  }
})

test('team: 210 memories and their counts go in several batches, and a time limit stops between two', async () => {
  const hub = newHub()
  const [aki, ben] = await newTeam(hub, 'Aki', 'Ben')
  const bodies = Array.from(
    { length: 210 },
    (_, n): EventBody => ({
      kind: 'memory.stored',
      memory: statementOf(n + 1, `Rule number ${n} of the shop.`),
    }),
  )
  change(aki, BEGIN, ...bodies)
  const { store } = aki
  const limited = { hub: hub.hub, versions: HUB_VERSIONS, newId: newUuid }
  let calls = 0
  const { syncStore } = await import('../../../src/broker/team/syncStore.ts')
  const report = await syncStore(store, { ...limited, now: () => BEGIN + DAY + ++calls, deadline: BEGIN + DAY + 6 })
  expect(report).toMatchObject({ isComplete: false })
  expect(report.waiting).toBeGreaterThan(0)
  await sync(aki, hub, BEGIN + 2 * DAY)
  expect(await sync(ben, hub, BEGIN + 2 * DAY)).toMatchObject({ received: 210, waiting: 0 })
}, 120_000)
