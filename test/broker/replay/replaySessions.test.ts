// The recordings replayed: a lesson of one session is shown in the next, at the moment it helps.
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { HookOutput } from '../../../src/broker/handlers/hookContext.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { parseRecording, type RecordedPayload, replaySessions } from '../../../src/broker/replay/replaySessions.ts'
import type { Event, EventOf } from '../../../src/model/event.ts'
import type { MemoryId } from '../../../src/model/id.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { arbitraryHistory } from '../../arbitraries.ts'
import {
  BEGIN,
  createTestStore,
  DAY,
  exampleSession,
  HOUR,
  loadMemories,
  loadRecordings,
  runHookPayloads,
} from '../../testData.ts'

const ERROR = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const SILENT = ['Stop', 'SubagentStop', 'PreCompact', 'PostCompact', 'SessionEnd', 'PostToolUse']

interface Told {
  readonly name: string
  readonly recorded: RecordedPayload
  readonly answer: HookOutput
}

/** What each hook said, file by file. */
function answersIn(
  sessions: readonly { readonly name: string; readonly session: readonly RecordedPayload[] }[],
  store = createTestStore(),
): Told[] {
  const results: Told[] = []
  for (const { name, session } of sessions) {
    replaySessions(store, [session], { onOutput: (recorded, answer) => results.push({ name, recorded, answer }) })
  }
  return results
}

describe('recordings', () => {
  let results: Told[]
  let store: Store
  const said = (name: string, event: string): string[] =>
    results.flatMap((item) =>
      item.name.includes(name) && item.recorded.payload.hook_event_name === event && item.answer.context
        ? [item.answer.context]
        : [],
    )
  beforeAll(() => {
    store = createTestStore()
    results = answersIn(loadRecordings(), store)
  })

  test('story: a later session has the fix of the first error before it recurs, and only once', () => {
    expect(said('fresh-clone', 'PostToolUseFailure')).toEqual([])
    const notesOf = (name: string): string =>
      ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUseFailure']
        .flatMap((event) => said(name, event))
        .join()
    expect(said('red-again', 'SessionStart').join()).toContain('Run `npm run build:prices` before `npm test`')
    expect(notesOf('red-again').split('npm run build:prices')).toHaveLength(2)
    expect(notesOf('before-the-weekend')).toContain('npm run build:prices')
  })

  test('story: every later start shows the user’s requests in their original language', () => {
    expect(said('fresh-clone', 'SessionStart')).toEqual([])
    expect(said('integer-cents', 'SessionStart').join()).toContain('Keep your answers short')
    expect(said('receipt-ja', 'SessionStart').join()).not.toContain('今後はコミットメッセージを日本語で')
    expect(said('stock-cut-short', 'SessionStart').join()).toContain('今後はコミットメッセージを日本語で書いてください')
    expect(said('before-the-weekend', 'SessionStart').join()).toContain(
      '今後はコミットメッセージを日本語で書いてください',
    )
  })

  test('story: the open failure of a killed session is shown in the next session', () => {
    expect(said('stock-finished', 'SessionStart').join()).toContain('open: tests fail')
  })

  test('story: after a compaction the session gets its state', () => {
    const [, afterwards] = said('untested-functions', 'SessionStart')
    expect(afterwards).toContain('this session before the compaction')
  })

  test('story: a resumed session gets neither what it has already nor its own actions', () => {
    const notes = (name: string) =>
      said(name, 'SessionStart').flatMap((text) => text.split('\n').filter((line) => line.startsWith('- ')))
    const first = notes('12-09-discount')
    const again = notes('discount-continued')
    expect(first.length).toBeGreaterThan(0)
    for (const note of again) expect(first).not.toContain(note)
    expect(again.join('\n')).not.toContain('session 3e011988')
  })

  test('broker: hooks whose output the client ignores print nothing', () => {
    for (const { recorded, answer } of results) {
      if (SILENT.includes(recorded.payload.hook_event_name)) expect(answer.context).toBeUndefined()
    }
  })

  test('broker: no secret of a recording is in the log, in a memory or in output', () => {
    const log = readLog(realDisk, store.layout.events).events
    expect(
      JSON.stringify([
        log,
        [...loadProjection(store).projection.memories.values()],
        results.map((item) => item.answer),
      ]),
    ).not.toContain('FAKEFAKE')
    expect(log.length).toBeGreaterThan(200)
  })
})

/** A subagent's conversation is its own. */
const conversationKey = ({ session, agentId }: Event): string => `${session} ${agentId ?? ''}`

test('broker: nothing is shown twice in a conversation, except after a compaction', () => {
  fc.assert(
    fc.property(arbitraryHistory, (sessions) => {
      const store = createTestStore()
      replaySessions(store, sessions)
      const result = new Map<string, Set<MemoryId>>()
      for (const event of readLog(realDisk, store.layout.events).events) {
        if (event.kind === 'session.started' && ['compact', 'clear'].includes(event.source))
          result.delete(conversationKey(event))
        if (event.kind !== 'recalled' || event.withheld) continue
        const before = result.get(conversationKey(event)) ?? new Set()
        result.set(conversationKey(event), before)
        for (const { memory } of event.shown) {
          expect(before).not.toContain(memory)
          before.add(memory)
        }
      }
    }),
    { numRuns: 15 },
  )
}, 60_000)

test('broker: a hook prints only memories that its event lists as shown', () => {
  fc.assert(
    fc.property(arbitraryHistory, (sessions) => {
      const store = createTestStore()
      const lines: string[] = []
      replaySessions(store, sessions, {
        onOutput: (_recorded, answer) => void (answer.context && lines.push(answer.context)),
      })
      const recalls = readLog(realDisk, store.layout.events).events.filter(
        (event): event is EventOf<'recalled'> => event.kind === 'recalled',
      )
      const notes = lines
        .filter((text) => !text.includes('before the compaction'))
        .map((text) => text.split('\n- ').length - 1)
      expect(notes).toEqual(recalls.flatMap((event) => (event.withheld ? [] : [event.shown.length])))
    }),
    { numRuns: 10 },
  )
}, 60_000)

describe('maintenance', () => {
  const organizedIn = (events: readonly Event[]): Event[] =>
    events.filter((event) => event.kind === 'session.organized')

  /** The hooks run, nothing is organised. */
  function killed() {
    const store = createTestStore()
    const session = exampleSession()
      .starts()
      .asks('Make the tests pass, please.')
      .fails('npm test', ERROR)
      .runs('npm run build:prices')
      .runs('npm test')
    runHookPayloads(store, session.recorded)
    return { store, end: session.now() }
  }

  test('broker: later maintenance organizes a killed session after a long silence', () => {
    const { store, end } = killed()
    expect(runMaintenance(store, { now: end + 29 * 60_000 })).toMatchObject({ organized: [], memories: 0 })
    expect(runMaintenance(store, { now: end + 31 * 60_000 }).organized).toEqual(['session-one'])
    const kinds = new Set([...loadProjection(store).projection.memories.values()].map((item) => item.kind))
    expect([...kinds].sort()).toEqual(['experience', 'lesson', 'summary'])
  })

  test('broker: running maintenance twice equals running it once', () => {
    const { store, end } = killed()
    runMaintenance(store, { now: end + HOUR })
    const [log, memories] = [readLog(realDisk, store.layout.events).events, loadMemories(store)]
    expect(runMaintenance(store, { now: end + HOUR })).toMatchObject({ organized: [], busy: false })
    expect(runMaintenance(store, { now: end + DAY })).toMatchObject({ organized: [], busy: false })
    expect(readLog(realDisk, store.layout.events).events).toEqual(log)
    expect(organizedIn(log)).toHaveLength(1)
    expect(loadMemories(store)).toEqual(memories)
  })

  test('broker: events after a session was organized are organized next time', () => {
    const { store, end } = killed()
    runMaintenance(store, { now: end + HOUR })
    const later = exampleSession('session-one', end + 2 * HOUR)
      .starts('resume')
      .asks('And now round to cents.')
      .edits('src/money.js')
      .ends()
    runHookPayloads(store, later.recorded)
    expect(runMaintenance(store, { now: later.now() }).organized).toEqual(['session-one'])
    const summary = [...loadProjection(store).projection.memories.values()].find((item) => item.kind === 'summary')
    expect(summary?.content).toContain('Make the tests pass')
    expect(summary?.content).toContain('round to cents')
  })

  test('broker: an active session is not organized when another one ends', () => {
    const store = createTestStore()
    const session = exampleSession('one').starts().asks('Make the tests pass, please.').ends()
    const two = exampleSession('two').starts().asks('Add a discount to the cart.')
    runHookPayloads(store, [...session.recorded, ...two.recorded])
    expect(runMaintenance(store, { now: two.now() }).organized).toEqual(['one'])
  })
})

const twice = (recorded: readonly RecordedPayload[], apart: number): RecordedPayload[] =>
  recorded.flatMap((item) => [item, { ...item, at: item.at + apart }])

/** Memories without the effects of being shown: of two recalling hooks, the second shows other memories. */
const madeIn = (store: ReturnType<typeof createTestStore>): unknown =>
  Object.values(loadMemories(store)).map(
    ({ id, kind, content, lessons, files, meetings, sessionCount, editedFiles, counts, events }) => ({
      ...{ id, kind, content, lessons, files, meetings, sessionCount, editedFiles, counts, events },
    }),
  )

test('broker: an event reported by both plugin and settings counts once', () => {
  fc.assert(
    fc.property(arbitraryHistory, fc.integer({ min: 1, max: 400 }), (sessions, apart) => {
      const [store, both] = [createTestStore(), createTestStore()]
      for (const session of sessions) {
        const ended = session.at(-1)!.at + HOUR
        runHookPayloads(store, session)
        runMaintenance(store, { now: ended, sessions: 'all' })
        runHookPayloads(both, twice(session, apart))
        runMaintenance(both, { now: ended, sessions: 'all' })
      }
      expect(madeIn(both)).toEqual(madeIn(store))
    }),
    { numRuns: 8, endOnFailure: true },
  )
}, 60_000)

test('broker: a recall triggered by both plugin and settings is attributed once', () => {
  const store = createTestStore()
  replaySessions(store, [
    exampleSession('one')
      .starts()
      .asks('Go.')
      .fails('npm test', ERROR)
      .runs('npm run build:prices')
      .runs('npm test')
      .ends().recorded,
  ])
  const again = exampleSession('two', BEGIN + DAY)
    .asks('Red.')
    .fails('npm test', ERROR)
    .runs('npm run build:prices')
    .runs('npm test')
    .ends()
  replaySessions(store, [twice(again.recorded, 30)])
  const lesson = Object.values(loadMemories(store)).find((item) => item.kind === 'lesson')
  expect(lesson).toMatchObject({ candidateCount: 1, accessCount: 1, help: { shown: 1, used: 1 } })
})

test('broker: an invalid line of a recording is reported with its position', () => {
  const line = JSON.stringify({ at: '2026-03-02T10:12:00.000Z', payload: { session_id: 's', hook_event_name: 'Stop' } })
  expect(parseRecording(`${line}\n\n${line}\n`, 'x')).toHaveLength(2)
  for (const wrong of ['{', '5', '{}', line.replace('2026', 'x'), line.replace('Stop', '')]) {
    expect(() => parseRecording(`${line}\n${wrong}`, 'x.jsonl')).toThrow(/x\.jsonl, line 2/)
  }
})

test('broker: a project is shown nothing of another project', () => {
  const [ours, theirs] = [createTestStore(), createTestStore()]
  replaySessions(
    ours,
    loadRecordings()
      .slice(0, 4)
      .map((item) => item.session),
  )
  const results = answersIn(
    [
      {
        name: 'theirs',
        session: exampleSession('s', BEGIN + 30 * DAY)
          .starts()
          .asks('npm test is red')
          .fails('npm test', ERROR)
          .ends().recorded,
      },
    ],
    theirs,
  )
  expect(results.filter((item) => item.answer.context)).toEqual([])
})
