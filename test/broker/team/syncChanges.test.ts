// An exchange costs what has changed, not what exists: other memories are neither read nor compared.
import { expect, test } from 'vitest'
import type { LearnerState } from '../../../src/broker/projection/projectionFiles.ts'
import { syncStore } from '../../../src/broker/team/syncStore.ts'
import { HUB_VERSIONS } from '../../../src/database/postgresHub.ts'
import { type Files, type OpenFile, realDisk } from '../../../src/store/disk/files.ts'
import { writeJsonFile } from '../../../src/store/disk/jsonFile.ts'
import { readJson } from '../../../src/store/disk/readJson.ts'
import { readManifest } from '../../../src/store/snapshot/snapshotReader.ts'
import { BEGIN, DAY } from '../../testData.ts'
import { change, join, newMachine, newTeam, newUuid, rebuilt, statementOf, sync, useHub } from './teamWorld.ts'

const newHub = useHub()

test('team: an exchange reads no text of a memory that has not changed since the last one', async () => {
  const hub = newHub()
  const read: { readonly file: string; readonly bytes: number }[] = []
  const open: Files['open'] = (file) => {
    const opened = realDisk.open(file)
    const readAt: OpenFile['readAt'] = (position, bytes) => {
      read.push({ file, bytes })
      return opened?.readAt(position, bytes) ?? Buffer.alloc(0)
    }
    return opened && { size: opened.size, readAt, close: () => opened.close() }
  }
  const machine = newMachine('Aki', { ...realDisk, open })
  await join(machine, hub)
  const statements = Array.from({ length: 40 }, (_, n) => statementOf(n, `Part ${n} has tests of its own.`))
  change(machine, BEGIN, ...statements.map((memory) => ({ kind: 'memory.stored', memory }) as const))
  expect(await sync(machine, hub)).toMatchObject({ sent: 40 })
  change(machine, BEGIN + 1, { kind: 'memory.stored', memory: statementOf(41, 'Part 41 has no tests.') })
  read.length = 0
  const { store } = machine
  const options = { hub: hub.hub, versions: HUB_VERSIONS, now: () => BEGIN + DAY, newId: newUuid }
  expect(await syncStore(store, options)).toMatchObject({ sent: 1, waiting: 0 })
  const texts = read.filter(({ file }) => file.endsWith('.txt')).reduce((sum, { bytes }) => sum + bytes, 0)
  expect(texts).toBeGreaterThan(0)
  expect(texts).toBeLessThan(2 * JSON.stringify(statements[0]).length)
})

test('team: what was changed while an earlier version saved the store, or before a rebuild, is sent', async () => {
  const hub = newHub()
  const [aki, ben] = await newTeam(hub, 'Aki', 'Ben')
  const store = (n: number) => {
    change(aki, BEGIN + n, { kind: 'memory.stored', memory: statementOf(n, `Part ${n} has tests.`) })
  }
  store(1)
  await sync(aki, hub)
  store(2)
  const { files, layout } = aki.store
  const file = layout.work(readManifest(files, layout).generation)
  const { unsent: _, ...earlier } = readJson<LearnerState>(files, file) ?? expect.unreachable()
  writeJsonFile(files, file, earlier)
  expect(await sync(aki, hub)).toMatchObject({ sent: 1 })
  store(3)
  rebuilt(aki, BEGIN + DAY)
  expect(await sync(aki, hub)).toMatchObject({ sent: 1 })
  expect(await sync(ben, hub)).toMatchObject({ received: 3 })
})
