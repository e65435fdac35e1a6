// Snapshots: a long session writes them, and hooks go on when the log is shorter than the snapshot says.
import { expect, test } from 'vitest'
import { type RecordedPayload, replaySessions } from '../../../bench/fixture/replaySessions.ts'
import type { HookOutput } from '../../../src/broker/handlers/hookContext.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { listMemories } from '../../../src/broker/queries/browse.ts'
import { hookPayloadFromValue } from '../../../src/record/hookPayload.ts'
import { countBytesAfter, LOG_HEADER, logFileName } from '../../../src/store/log/eventLog.ts'
import { readManifest } from '../../../src/store/snapshot/snapshotReader.ts'
import { BEGIN, createTestStore, loadMemories } from '../../testData.ts'

const MEBIBYTE = 1_048_576

test('broker: a session with a long log tail gets a new snapshot at its next prompt, and is organized as usual', () => {
  const store = createTestStore()
  const tailBytes = () =>
    countBytesAfter(store.files, store.layout.events, readManifest(store.files, store.layout).cursor)
  const tails: number[] = []
  replaySessions(store, [longSession()], {
    onOutput: ({ payload }, { needsMaintenance }) => {
      if (payload.hook_event_name === 'UserPromptSubmit') tails.push(needsMaintenance ? tailBytes() : -1)
    },
  })
  // The first prompt finds a short log; the second one more than a mebibyte.
  expect(tails[0]).toBe(-1)
  expect(tails[1]).toBeGreaterThan(MEBIBYTE)
  expect(tailBytes()).toBe(0)
  const summary = listMemories(store).find((memory) => memory.kind === 'summary')
  expect(summary?.content).toContain('Count every file')
  expect(summary?.searchText).toContain('And now the last one')
})

test('broker: hooks go on with a log that is shorter than the snapshot says, such as a restored copy', () => {
  const store = createTestStore()
  replaySessions(store, [longSession()])
  const before = Object.keys(loadMemories(store))
  const log = `${store.layout.events}/${logFileName(1)}`
  store.files.truncate(log, LOG_HEADER.length)
  const outputs: HookOutput[] = []
  const next = longSession().map(({ at, payload }) => ({
    at: at + 86_400_000,
    payload: { ...payload, session_id: 'next' },
  }))
  replaySessions(store, [next.slice(0, 3)], { onOutput: (_, output) => outputs.push(output) })
  expect(outputs).toHaveLength(3)
  expect(
    countBytesAfter(store.files, store.layout.events, readManifest(store.files, store.layout).cursor),
  ).toBeGreaterThanOrEqual(0)
  // The end of a session keeps what the snapshot has.
  const now = BEGIN + 2 * 86_400_000
  runMaintenance(store, { now, sessions: 'all' })
  expect(runMaintenance(store, { now, sessions: 'all' }).organized).toEqual([])
  expect(Object.keys(loadMemories(store))).toEqual(expect.arrayContaining(before))
  expect(() => rebuildStore(store, now)).toThrow('missing')
})

function longSession(): RecordedPayload[] {
  let at = BEGIN
  const next = (fields: object): RecordedPayload => {
    at += 1_000
    return { at, payload: hookPayloadFromValue({ session_id: 'long', cwd: '/home/dev/shop', ...fields })! }
  }
  const calls = Array.from({ length: 900 }, (_, n) =>
    next({
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: `call-${n}`,
      tool_input: { command: `wc -l src/part-${n}.js` },
      tool_response: { stdout: `${n} lines of ${'something quite long '.repeat(60)}`, stderr: '' },
    }),
  )
  return [
    next({ hook_event_name: 'SessionStart', source: 'startup' }),
    next({ hook_event_name: 'UserPromptSubmit', prompt: 'Count every file there is, one by one.' }),
    ...calls,
    next({ hook_event_name: 'UserPromptSubmit', prompt: 'And now the last one, please, and then stop.' }),
    next({ hook_event_name: 'SessionEnd', reason: 'other' }),
  ]
}
