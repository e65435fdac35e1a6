// memctl status: what is true now, and not as of the last snapshot.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryFromInput } from '../../../src/broker/commands/newMemory.ts'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { recordFault } from '../../../src/hook/recordFault.ts'
import type { MemoryId } from '../../../src/model/id.ts'
import { MemoryError } from '../../../src/model/memoryError.ts'
import { newWorld } from '../testContext.ts'

let world: ReturnType<typeof newWorld>
beforeAll(() => {
  world = newWorld()
})
afterAll(() => world.end())

const store = () => openStore(path.join(world.folder, 'project'), { MEMCTL_HOME: path.join(world.folder, 'home') })
const storeText = (content: string, privacy: 'public' | 'private' = 'public'): void => {
  const id = crypto.randomUUID() as MemoryId
  const now = Date.now()
  const fields = { contentType: 'text', retention: 'long_term', tags: [], metadata: {}, privacy, session: 's' } as const
  const memory = memoryFromInput({ ...fields, id, content, now } as never)
  openLiveStore(store()).commit({ kind: 'memory.stored', memory }, { now, nonce: id, session: undefined })
}

test('status: what a running server has stored counts at once, and what is private never', async () => {
  expect(await world.json('status')).toMatchObject({ memories: { total: 0 } })
  storeText('The lamp is green')
  storeText('The pier is closed')
  storeText('A secret of one agent', 'private')
  expect(await world.json('status')).toMatchObject({ memories: { total: 2, byKind: { entry: 2 }, byTier: { hot: 2 } } })
})

test('status: what a person replaced counts as archived at once, and after the next snapshot the same', async () => {
  await world.memctl('remember', 'Use tabs in all Makefiles')
  await world.memctl('remember', 'Use tabs in all Makefiles, never spaces')
  const counts = { memories: { total: 4, archived: 1 } }
  expect(await world.json('status')).toMatchObject(counts)
  await world.memctl('rebuild')
  expect(await world.json('status')).toMatchObject(counts)
})

test('status: it says that nothing is recorded as long as no hooks are installed', async () => {
  expect(await world.json('status')).toMatchObject({ hooks: 'not installed' })
  const line = /^hooks {2,}not in the settings: sessions are recorded after/m
  expect((await world.memctl('status')).out).toMatch(line)
  await world.memctl('init')
  expect(await world.json('status')).toMatchObject({ hooks: 'installed' })
  expect((await world.memctl('status')).out).toMatch(/^hooks +installed$/m)
})

test('status: settings without effect, and a home that is no folder, are named before a session starts', async () => {
  const config = path.join(world.folder, 'home', 'config.yaml')
  for (const [text, said] of [
    ['warnings: blok\n', /^config +warnings is blok in .*line 1\n +Use one of inject, block/m],
    ['shw: full\n', /^config +shw in line 1 is unknown/m],
    ['a: [\n', /^config +.*config\.yaml, line 2/m],
  ] as const) {
    fs.writeFileSync(config, text)
    expect((await world.memctl('status')).out).toMatch(said)
  }
  fs.rmSync(config)
  expect((await world.memctl('status')).out).not.toMatch(/^config/m)
  const file = path.join(world.folder, 'file')
  fs.writeFileSync(file, '')
  const other = newWorld({ MEMCTL_HOME: file })
  expect((await other.memctl('status')).out).toMatch(/^home +.*file is no folder$/m)
  other.end()
})

test('status: payloads that did not arrive are counted, however many other faults follow', async () => {
  const { layout } = store()
  recordFault(store(), 'Stop', new MemoryError('PAYLOAD_INCOMPLETE', 'A payload ended', { hint: 'None.' }))
  for (let i = 0; i < 600; i++) recordFault(store(), 'worker', new Error(`fault ${i}`))
  expect(fs.statSync(layout.faults).size).toBeLessThan(400_000)
  const { faults } = (await world.json('status')) as { faults: { count: number; incomplete: number } }
  expect(faults.incomplete).toBe(1)
  expect(faults.count).toBeLessThan(600)
  expect((await world.memctl('status')).out).toContain('1 payload did not arrive in time')
})
