// Commit: long lists keep their order, the config says when an append waits for the disk, and ids depend on the
// content.
import { expect, test } from 'vitest'
import { callerEvent, commitEvents, systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { hookConfigFile } from '../../../src/broker/open/hookConfig.ts'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { BEGIN, createTestStore, sessionId } from '../../testData.ts'

const frozen = (n: number) => systemEvent({ kind: 'policy.frozen', frozen: true }, { now: BEGIN, key: [String(n)] })

test('commit: a list longer than one write is in the log completely and in order', () => {
  const store = createTestStore()
  const events = Array.from({ length: 450 }, (_, n) => frozen(n))
  commitEvents(store, events)
  expect(readLog(realDisk, store.layout.events).events.map(({ id }) => id)).toEqual(events.map(({ id }) => id))
})

test('commit: without events nothing is written', () => {
  const store = createTestStore()
  commitEvents(store, [])
  expect(realDisk.list(store.layout.events)).toEqual([])
})

test.each([
  ['always', true],
  ['session', false],
])('commit: with log.sync %s every append waits for the disk: %s', (sync, waits) => {
  const synced: boolean[] = []
  const files: Files = {
    ...realDisk,
    append: (file, bytes, isSynced = false) => {
      synced.push(isSynced)
      realDisk.append(file, bytes, isSynced)
    },
  }
  const store = { ...createTestStore(files), home: createTestStore().layout.folder }
  realDisk.replace(hookConfigFile(store.home), Buffer.from(JSON.stringify({ log: { sync } })))
  commitEvents(store, [frozen(1)])
  expect(synced).toEqual([waits])
})

test('commit: an event id depends only on session, time, kind and key, not on the process', () => {
  const origin = { now: BEGIN, session: sessionId('one'), key: ['a'] }
  const event = systemEvent({ kind: 'memory.slept' }, origin)
  expect(event.id).toBe('a2a595477f2db9dc')
  expect(systemEvent({ kind: 'memory.slept' }, origin)).toEqual(event)
  const others = [
    systemEvent({ kind: 'memory.slept' }, { ...origin, now: BEGIN + 1 }),
    systemEvent({ kind: 'memory.slept' }, { ...origin, session: sessionId('two') }),
    systemEvent({ kind: 'memory.slept' }, { ...origin, key: ['b'] }),
    systemEvent({ kind: 'session.improved' }, origin),
    callerEvent({ kind: 'memory.slept' }, { now: BEGIN, nonce: 'a', session: 'one' }),
  ]
  expect(new Set([event, ...others].map(({ id }) => id)).size).toBe(6)
})
