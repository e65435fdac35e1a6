// Two people change the same memory: each line of the table in docs/team.md.
import { expect, test } from 'vitest'
import type { Memory } from '../../src/model/memory.ts'
import { BEGIN, DAY, HOUR, testMemoryId } from '../testData.ts'
import { createMemoryHub } from './memoryHub.ts'
import { ModelMachine, syncUntilRest } from './modelMachine.ts'

const ID = testMemoryId(1)
const TEN = BEGIN
const ELEVEN = BEGIN + HOUR
const NOON = BEGIN + 2 * HOUR

/** Aki and Ben have the same memory, which Aki wrote. `skew` is how far Ben's clock is off. */
async function newPair(skew = 0) {
  const hub = createMemoryHub()
  const [aki, ben] = [new ModelMachine(1), new ModelMachine(2, skew)]
  for (const machine of [aki, ben]) machine.join()
  aki.at(BEGIN - DAY).learn(1, 'as it was')
  const rest = async (): Promise<readonly (Memory | undefined)[]> => {
    await syncUntilRest(hub, [aki, ben])
    return [aki, ben].map(({ memories }) => memories.get(ID))
  }
  await rest()
  return { aki, ben, hub, rest }
}

const contents = (memories: readonly (Memory | undefined)[]) => memories.map((memory) => memory?.content)

test('team: the later edit wins, although the machine of the earlier one syncs last', async () => {
  const { aki, ben, hub, rest } = await newPair()
  aki.at(TEN).edit(ID, 'by Aki, without a network')
  ben.at(ELEVEN).edit(ID, 'by Ben')
  await ben.sync(hub)
  await aki.at(NOON).sync(hub)
  expect(contents(await rest())).toEqual(['by Ben', 'by Ben'])
})

test('team: whoever has seen a text can edit it, although their clock is days behind', async () => {
  const { ben, rest } = await newPair(-9 * DAY)
  ben.at(TEN).edit(ID, 'by Ben')
  expect(contents(await rest())).toEqual(['by Ben', 'by Ben'])
})

test('team: an edit and a replacement at the same time both hold', async () => {
  const { aki, ben, rest } = await newPair()
  aki.at(TEN).edit(ID, 'by Aki')
  ben.at(ELEVEN).supersede(ID, testMemoryId(2))
  for (const memory of await rest()) {
    expect(memory).toMatchObject({ content: 'by Aki', supersededBy: testMemoryId(2), status: 'archived' })
  }
})

test('team: a deletion wins over an edit at the same time, also over a later one', async () => {
  const { aki, ben, rest } = await newPair()
  ben.at(TEN).delete(ID)
  aki.at(ELEVEN).edit(ID, 'by Aki')
  expect(await rest()).toEqual([undefined, undefined])
})

test('team: what was deleted and is learned again is there again, for both', async () => {
  const { aki, ben, rest } = await newPair()
  ben.at(TEN).delete(ID)
  await rest()
  aki.at(NOON).learn(1, 'learned again')
  expect(contents(await rest())).toEqual(['learned again', 'learned again'])
})

test('team: a deletion that is not sent yet is not undone by what arrives', async () => {
  const { aki, ben, hub, rest } = await newPair()
  ben.at(ELEVEN).delete(ID)
  aki.at(TEN).use(ID)
  await aki.sync(hub)
  await ben.pull(hub)
  expect(ben.memories.get(ID)).toBeUndefined()
  expect(await rest()).toEqual([undefined, undefined])
})

test('team: uses that are not sent yet are kept when those of others arrive, and each counts once', async () => {
  const { aki, ben, hub, rest } = await newPair()
  for (let i = 0; i < 3; i++) aki.at(TEN).use(ID)
  await aki.sync(hub)
  for (let i = 0; i < 2; i++) ben.at(TEN).use(ID)
  await ben.pull(hub)
  expect(ben.memories.get(ID)?.accessCount).toBe(5)
  expect((await rest()).map((memory) => memory?.accessCount)).toEqual([5, 5])
})

test('team: of two replacements the later one wins, although the earlier one arrives first', async () => {
  const { aki, ben, hub, rest } = await newPair()
  aki.at(ELEVEN).supersede(ID, testMemoryId(3))
  ben.at(TEN).supersede(ID, testMemoryId(2))
  await ben.sync(hub)
  await aki.pull(hub)
  expect((await rest()).map((memory) => memory?.supersededBy)).toEqual([testMemoryId(3), testMemoryId(3)])
})

test('team: who leaves and comes back counts nothing twice', async () => {
  const { aki, ben, rest } = await newPair()
  aki.at(TEN).use(ID)
  for (let i = 0; i < 3; i++) ben.at(TEN).use(ID)
  await rest()
  aki.at(ELEVEN).leave()
  expect(aki.memories.get(ID)?.accessCount).toBe(1)
  aki.at(NOON).join()
  expect((await rest()).map((memory) => memory?.accessCount)).toEqual([4, 4])
})

test('team: what was forgotten does not come back', async () => {
  const { aki, ben, hub, rest } = await newPair()
  ben.at(TEN).forget(ID)
  aki.at(ELEVEN).edit(ID, 'by Aki')
  expect(await rest()).toEqual([undefined, undefined])
  expect(JSON.stringify(hub.stored('project'))).not.toContain('Aki')
})

test('team: what its writer makes private stays with whoever wrote it too, and with nobody else', async () => {
  const { aki, ben, rest } = await newPair()
  aki.at(TEN).makePrivate(ID, 'private')
  const [own, other] = await rest()
  expect([own?.privacy, other]).toEqual(['private', undefined])
  const second = await newPair()
  second.ben.at(TEN).edit(ID, 'by Ben')
  await second.rest()
  second.aki.at(NOON).makePrivate(ID, 'private')
  expect((await second.rest()).map((memory) => memory?.privacy)).toEqual(['private', 'public'])
  expect(ben.memories.size).toBe(0)
})
