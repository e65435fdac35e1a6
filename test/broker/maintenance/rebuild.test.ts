// Rebuild: the log is the truth. In however many parts its events are applied, the result is the same.
import fs from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RecordedPayload, replaySessions } from '../../../bench/fixture/replaySessions.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { readActivePolicy } from '../../../src/broker/policy/activePolicy.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { type RecallRequest, recallMemories } from '../../../src/broker/search/recallMemories.ts'
import type { Policy } from '../../../src/model/policy.ts'
import { RECALL_MOMENTS } from '../../../src/model/recallQuery.ts'
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

const TEXTS = [
  'npm test is red again',
  'the prices are missing',
  'add a discount to the cart',
  'テストが失敗します',
  'コミットメッセージ',
  'rounding in src/money.js',
  'integer cents',
  'where are the prices read?',
]
const COMMANDS = ['npm test', 'npm run build:prices', 'go test ./...']
const ERRORS = ["Error: Cannot find module '../dist/prices.json'", 'TypeError: amount.toLocalString is not a function']

/** Requests of every moment and kind. */
const requests = (now: number): RecallRequest[] =>
  Array.from({ length: 24 }, (_, i) => ({
    text: TEXTS[i % TEXTS.length]!,
    moment: RECALL_MOMENTS[i % RECALL_MOMENTS.length]!,
    role: i % 7 === 0 ? 'Explore' : 'main',
    branch: i % 5 === 0 ? 'feature/receipt' : 'main',
    now,
    ...(i % 3 === 0 ? { command: COMMANDS[i % COMMANDS.length]! } : {}),
    ...(i % 4 === 0 ? { error: ERRORS[i % ERRORS.length]! } : {}),
  }))

interface State {
  readonly memories: unknown
  readonly policy: { policy: Policy; version: number }
  readonly sessions: unknown
  readonly judged: unknown
  readonly answers: readonly { readonly text: string }[]
}

function stateOf(store: Store, now: number): State {
  const { projection } = loadProjection(store)
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
  return {
    memories: loadMemories(store),
    policy: readActivePolicy(store),
    sessions: plain([...projection.sessions]),
    judged: plain([
      projection.judged,
      projection.baselines,
      projection.trials,
      projection.base,
      projection.frozen,
      projection.learned,
      projection.history,
    ]),
    answers: requests(now).map((request) => {
      const { shown, others, text } = recallMemories(store, request)
      // Scores are sums of floats in different orders: equal but for the last digits.
      const rounded = ({ id, score }: { id: string; score: number }) => [id, score.toFixed(6)]
      return {
        text,
        shown: shown.map(({ memory, score }) => rounded({ id: memory.id, score })),
        others: others.map(rounded),
      }
    }),
  }
}

/** The number of requests with a result. */
const countAnswered = (state: State): number => state.answers.filter((answer) => answer.text !== '').length

/** Removes everything but the log. */
function removeDerived(store: Store): void {
  for (const name of fs.readdirSync(store.layout.folder)) {
    if (name !== 'events') fs.rmSync(`${store.layout.folder}/${name}`, { recursive: true, force: true })
  }
}

/** A rebuild from the log alone gives the same state. */
function expectSameAfterRebuild(store: Store, now: number): void {
  const before = stateOf(store, now)
  removeDerived(store)
  rebuildStore(store, now)
  expect(stateOf(store, now)).toEqual(before)
}

/** Runs hooks one by one, with maintenance after some of them, as when sessions run in parallel. */
function replayWithMaintenance(store: Store, recorded: readonly RecordedPayload[], maintenanceEvery: number): void {
  recorded.forEach((payload, i) => {
    const [output] = runHookPayloads(store, [payload])
    if (output?.needsMaintenance || i % maintenanceEvery === maintenanceEvery - 1)
      runMaintenance(store, { now: payload.at })
  })
}

const endOf = (sessions: readonly (readonly RecordedPayload[])[]): number =>
  Math.max(...sessions.flat().map(({ at }) => at))

test('broker: a rebuild from the log alone gives the same memories, policy and answers', () => {
  fc.assert(
    fc.property(arbitraryHistory, (sessions) => {
      const store = createTestStore()
      for (const session of sessions) replaySessions(store, [session])
      const now = endOf(sessions) + HOUR
      expectSameAfterRebuild(store, now)
    }),
    { numRuns: 8 },
  )
}, 120_000)

test('broker: parallel sessions, saved and loaded between any two hooks, give what a rebuild gives', () => {
  fc.assert(
    fc.property(
      arbitraryHistory,
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      (sessions, maintenanceEvery, isParallel) => {
        const store = createTestStore()
        const recorded = isParallel ? sessions.flat().sort((a, b) => (a.at % HOUR) - (b.at % HOUR)) : sessions.flat()
        const now = endOf(sessions) + 2 * DAY
        replayWithMaintenance(store, recorded, maintenanceEvery)
        runMaintenance(store, { now })
        expectSameAfterRebuild(store, now)
      },
    ),
    { numRuns: 6 },
  )
}, 120_000)

test('broker: the recordings, replayed and then rebuilt, give the same memories, policy and answers', () => {
  const store = createTestStore()
  const sessions = loadRecordings().map(({ session }) => session)
  for (const session of sessions) replaySessions(store, [session])
  const now = endOf(sessions) + HOUR
  const before = stateOf(store, now)
  expect(countAnswered(before)).toBeGreaterThan(9)
  removeDerived(store)
  rebuildStore(store, now)
  expect(stateOf(store, now)).toEqual(before)
})

test('broker: months of work, in which memories are used again, age and are archived, rebuild to the same', () => {
  const store = createTestStore()
  const sessions = Array.from({ length: 28 }, (_, i) => {
    const session = exampleSession(`session-${i}`, BEGIN + i * 3 * DAY)
      .starts()
      .asks(`Work on part ${i % 9} of the shop, step ${i}.`, 'feature/receipt')
    session
      .fails('npm test', ERRORS[i % 2]!)
      .edits(`src/part${i % 9}.js`, `const step = ${i} // of part ${i % 9}`)
      .runs('npm test')
    if (i % 4 === 0) session.asks(`From now on keep rule ${i % 12} in mind.`)
    return session.answers(`Step ${i} is done.`).ends().recorded
  })
  for (let at = 0; at < sessions.length; at += 4) replaySessions(store, sessions.slice(at, at + 4))
  const now = endOf(sessions) + HOUR
  const before = stateOf(store, now)
  expect(countAnswered(before)).toBeGreaterThan(3)
  removeDerived(store)
  rebuildStore(store, now)
  expect(stateOf(store, now)).toEqual(before)
}, 60_000)
