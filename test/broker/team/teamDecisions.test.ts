// What the owner of a hub decides reaches every machine: texts that wait are sent once, kinds leave only after a person
// was shown them, pinned rules are pinned everywhere, and a removed project stays where it was learned.
import { expect, test } from 'vitest'
import { isInTeam, readHubStatus, readTeam } from '../../../src/broker/team/hubStatus.ts'
import { joinTeam, leaveHub, previewSharing, readSharedKinds } from '../../../src/broker/team/membership.ts'
import { syncStore } from '../../../src/broker/team/syncStore.ts'
import { grantAccess } from '../../../src/database/hubAccess.ts'
import { changePolicy, listWaiting, pinForTeam, removeFromHub, review } from '../../../src/database/hubTeam.ts'
import { createPostgresHub, HUB_VERSIONS } from '../../../src/database/postgresHub.ts'
import { asRole } from '../../database/hub/databaseRole.ts'
import { BEGIN, DAY, iso, testMemoryId } from '../../testData.ts'
import {
  change,
  hubText,
  type Machine,
  memoriesOf,
  newMachine,
  newTeam,
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
/** Accepts or rejects the first text that waits. */
async function decide({ database, project }: TeamHub, isAccepted: boolean): Promise<void> {
  const [waiting] = await listWaiting(database, project)
  await review(database, { project, number: waiting?.number ?? 0 }, isAccepted)
}
const textsOf = (machine: Machine) => memoriesOf(machine).map(({ content }) => content)

test('team: a text that waits is sent once, arrives when it was accepted, and then counts for all', async () => {
  const hub = newHub()
  const { database, project } = hub
  const [aki, ben] = await newTeam(hub, 'Aki', 'Ben')
  await database.query(`do $$ begin create role writer_of_team; exception when duplicate_object then null; end $$`)
  await grantAccess(database, { project, role: 'writer_of_team', canWrite: true })
  await changePolicy(database, project, { needsReview: true })
  const asWriter = createPostgresHub(asRole(database, 'writer_of_team'))
  const syncAki = () =>
    syncStore(aki.store, { hub: asWriter, versions: HUB_VERSIONS, now: () => BEGIN + DAY, newId: newUuid })
  change(aki, BEGIN, stored(1, 'Use pnpm in this repository.'))
  expect(await syncAki()).toMatchObject({ waiting: 0, reviews: 1 })
  // Nothing more to send, also after a rebuild; a changed text waits in its place.
  expect(await syncAki()).toMatchObject({ sent: 0, waiting: 0, reviews: 1 })
  const view = sharedView(aki)
  rebuilt(aki, BEGIN + DAY)
  expect(sharedView(aki)).toEqual(view)
  expect(await syncAki()).toMatchObject({ sent: 0, waiting: 0 })
  await sync(ben, hub)
  expect(textsOf(ben)).toEqual([])
  expect(await hubText(hub)).toBe('[]')
  await decide(hub, true)
  await sync(ben, hub)
  expect(textsOf(ben)).toEqual(['Use pnpm in this repository.'])
  await syncAki()
  expect(await syncAki()).toMatchObject({ sent: 0, received: 0, waiting: 0, reviews: 0 })
  await sync(ben, hub)
  expect(memoriesOf(ben)[0]?.team).toMatchObject({ people: 1, own: false })
  // A rejected edit stays on its machine, and is not sent again.
  change(aki, BEGIN + DAY, { kind: 'memory.updated', change: { memory: testMemoryId(1), content: 'Use npm here.' } })
  expect(await syncAki()).toMatchObject({ reviews: 1 })
  await decide(hub, false)
  expect(await syncAki()).toMatchObject({ sent: 0, waiting: 0, reviews: 0 })
  await sync(ben, hub)
  expect([textsOf(aki), textsOf(ben)]).toEqual([['Use npm here.'], ['Use pnpm in this repository.']])
})

test("team: the owner's kinds count for all; a new one leaves after a person has joined again", async () => {
  const hub = newHub()
  const { database, project } = hub
  const aki = newMachine('Aki')
  const member = { project, replica: newUuid(), name: 'Aki' }
  const joinAki = async () => {
    const kinds = (await readSharedKinds(hub.hub, member)) ?? []
    await joinTeam(aki.store, { hub: hub.hub, project, name: 'Aki', kinds, now: BEGIN, newId: newUuid })
  }
  await changePolicy(database, project, { kinds: ['lesson'] })
  await joinAki()
  change(aki, BEGIN, stored(1, 'Use pnpm in this repository.'))
  await sync(aki, hub)
  expect(await hubText(hub)).toBe('[]')
  await changePolicy(database, project, { kinds: null })
  await sync(aki, hub)
  expect(await hubText(hub)).toBe('[]')
  await changePolicy(database, project, { kinds: ['lesson', 'preference', 'not-known-here'] })
  await sync(aki, hub)
  expect(await hubText(hub)).toBe('[]')
  expect(readHubStatus(aki.store, {})?.newKinds).toEqual(['preference'])
  expect(previewSharing(aki.store, (await readSharedKinds(hub.hub, member)) ?? []).shared).toHaveLength(1)
  await joinAki()
  await sync(aki, hub)
  expect(await hubText(hub)).toContain('pnpm')
  expect(readHubStatus(aki.store, {})?.newKinds).toEqual([])
})

test('team: what the team has pinned is pinned on each, until it is unpinned or the machine leaves', async () => {
  const hub = newHub()
  const { database, project } = hub
  const [aki, ben] = await newTeam(hub, 'Aki', 'Ben')
  change(aki, BEGIN, stored(1, 'Never push to main.'))
  await sync(aki, hub)
  await pinForTeam(database, { project, id: testMemoryId(1) }, true)
  for (const machine of [aki, ben]) {
    await sync(machine, hub)
    expect(memoriesOf(machine)).toMatchObject([{ pinned: { reason: 'pinned by the team' }, importance: 1 }])
    rebuilt(machine, BEGIN + DAY)
    expect(memoriesOf(machine)).toMatchObject([{ pinned: { reason: 'pinned by the team' } }])
  }
  expect(await sync(aki, hub)).toMatchObject({ sent: 0, received: 0 })
  await leaveHub(aki.store, BEGIN + DAY)
  expect(memoriesOf(aki)[0]?.pinned).toBeUndefined()
  await pinForTeam(database, { project, id: testMemoryId(1) }, false)
  await sync(ben, hub)
  expect(memoriesOf(ben)[0]?.pinned).toBeUndefined()
})

test('team: who may write another project only is a reader here, and what they have counted is no fault', async () => {
  const hub = newHub()
  const { database, project } = hub
  const [aki, ben] = await newTeam(hub, 'Aki', 'Ben')
  await database.query('create role reader_of_team')
  await grantAccess(database, { project, role: 'reader_of_team', canWrite: false })
  await grantAccess(database, { project: `${project}-other`, role: 'reader_of_team', canWrite: true })
  const asReader = { hub: createPostgresHub(asRole(database, 'reader_of_team')) }
  change(aki, BEGIN, stored(1, 'Use pnpm in this repository.'))
  await sync(aki, hub)
  await sync(ben, asReader)
  change(ben, BEGIN + DAY, { kind: 'memory.accessed', memories: [testMemoryId(1)] })
  const counted = await sync(ben, asReader)
  expect(counted).toMatchObject({ sent: 0, waiting: 0, canWrite: false })
  expect(counted.fault).toBeUndefined()
  change(ben, BEGIN + DAY, stored(2, 'Never push to main.'))
  expect(await sync(ben, asReader)).toMatchObject({ waiting: 1, fault: { code: 'DATABASE_READ_ONLY' } })
})

test('team: of a removed project each machine keeps what it has learned itself, and says it once', async () => {
  const hub = newHub()
  const { database, project } = hub
  const [aki, ben, cai] = await newTeam(hub, 'Aki', 'Ben', 'Cai')
  change(aki, BEGIN, stored(1, 'Use pnpm in this repository.'))
  for (const machine of [aki, ben, cai]) await sync(machine, hub)
  await removeFromHub(database, project, undefined)
  await leaveHub(cai.store, BEGIN + DAY)
  for (const machine of [aki, ben, cai]) {
    await expect(sync(machine, hub)).rejects.toMatchObject({ code: 'HUB_CHANGED' })
    expect(isInTeam(readTeam(machine.store))).toBe(false)
  }
  expect([textsOf(aki), textsOf(ben), textsOf(cai)]).toEqual([['Use pnpm in this repository.'], [], []])
  expect(await hubText(hub)).toBe('[]')
})

test('team: a text of a clock that goes wrong is no later than its arrival', async () => {
  const hub = newHub()
  const [aki, ben] = await newTeam(hub, 'Aki', 'Ben')
  const future = '9998-01-01T00:00:00.000Z'
  const memory = { ...statementOf(1, 'Use pnpm in this repository.'), created: future, updated: future }
  change(aki, BEGIN, { kind: 'memory.stored', memory })
  await sync(aki, hub)
  await sync(ben, hub)
  expect(memoriesOf(ben)[0]).toMatchObject({ created: iso(BEGIN + DAY), updated: iso(BEGIN + DAY) })
})
