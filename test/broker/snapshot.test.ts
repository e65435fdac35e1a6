import { expect, test } from 'vitest'
import { memoriesOf } from '../../src/broker/browse.ts'
import type { Answer } from '../../src/broker/hook/visit.ts'
import { type Recorded, replay } from '../../src/broker/replay.ts'
import { rebuild, upkeep } from '../../src/broker/upkeep.ts'
import { asPayload } from '../../src/record/payload.ts'
import { bytesPast, logFileName } from '../../src/store/log.ts'
import { LOG_HEADER } from '../../src/store/logLine.ts'
import { readManifest } from '../../src/store/shelf.ts'
import { BEGIN, freshStore, memoriesIn } from '../build.ts'

const MEBIBYTE = 1_048_576

test('broker: a session that outgrows the view gets a new one at its next prompt, and is organised as ever', () => {
  const store = freshStore()
  const past = () => bytesPast(store.files, store.layout.events, readManifest(store.files, store.layout).cursor)
  const tails: number[] = []
  replay(store, [longSession()], {
    onAnswer: ({ payload }, { background }) => {
      if (payload.hook_event_name === 'UserPromptSubmit') tails.push(background ? past() : -1)
    },
  })
  // The first prompt finds a short log; the second one more than a mebibyte.
  expect(tails[0]).toBe(-1)
  expect(tails[1]).toBeGreaterThan(MEBIBYTE)
  expect(past()).toBe(0)
  const summary = memoriesOf(store).find((memory) => memory.kind === 'summary')
  expect(summary?.content).toContain('Count every file')
  expect(summary?.content).toContain('And now the last one')
})

test('broker: hooks go on with a log that is shorter than the view knows, as one put back from a copy is', () => {
  const store = freshStore()
  replay(store, [longSession()])
  const log = `${store.layout.events}/${logFileName(1)}`
  store.files.truncate(log, LOG_HEADER.length)
  const answers: Answer[] = []
  const next = longSession().map(({ at, payload }) => ({
    at: at + 86_400_000,
    payload: { ...payload, session_id: 'next' },
  }))
  replay(store, [next.slice(0, 3)], { onAnswer: (_, answer) => answers.push(answer) })
  expect(answers).toHaveLength(3)
  expect(
    bytesPast(store.files, store.layout.events, readManifest(store.files, store.layout).cursor),
  ).toBeGreaterThanOrEqual(0)
  // And a session's end makes the view anew from what the log says now, once.
  const now = BEGIN + 2 * 86_400_000
  upkeep(store, { now, sessions: 'all' })
  expect(upkeep(store, { now, sessions: 'all' }).organized).toEqual([])
  const before = memoriesIn(store)
  rebuild(store, now)
  expect(memoriesIn(store)).toEqual(before)
})

function longSession(): Recorded[] {
  let at = BEGIN
  const next = (fields: object): Recorded => {
    at += 1_000
    return { at, payload: asPayload({ session_id: 'long', cwd: '/home/dev/shop', ...fields })! }
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
