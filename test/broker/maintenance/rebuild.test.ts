// Rebuild: the log alone is the truth. However it was folded, in however many parts, it comes to the same memory.
import fs from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { readActivePolicy } from '../../../src/broker/policy/activePolicy.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { type RecordedPayload, replaySessions } from '../../../src/broker/replay/replaySessions.ts'
import { type RecallRequest, recallMemories } from '../../../src/broker/search/recallMemories.ts'
import type { Policy } from '../../../src/model/policy.ts'
import { RECALL_MOMENTS } from '../../../src/model/recallQuery.ts'
import { BEGIN, DAY, freshStore, HOUR, hooksOf, memoriesIn, recordings, tale } from '../../build.ts'
import { arbitraryHistory } from '../../generate.ts'

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

/** Fifty questions, at every moment, of every kind. */
const questions = (now: number): RecallRequest[] =>
  Array.from({ length: 50 }, (_, i) => ({
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
    memories: memoriesIn(store),
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
    answers: questions(now).map((question) => {
      const { shown, others, text } = recallMemories(store, question)
      // A score is a sum of floats over what lies in one segment or in five: equal but for the last digits.
      const place = (one: { id: string; score: number }) => [one.id, one.score.toFixed(6)]
      return {
        text,
        shown: shown.map((one) => place({ id: one.memory.id, score: one.score })),
        others: others.map(place),
      }
    }),
  }
}

/** That the questions are of some use: most of them are answered. */
const answered = (state: State): number => state.answers.filter((answer) => answer.text !== '').length

/** Everything but the log is gone. */
function forgetDerived(store: Store): void {
  for (const name of fs.readdirSync(store.layout.folder)) {
    if (name !== 'events') fs.rmSync(`${store.layout.folder}/${name}`, { recursive: true, force: true })
  }
}

/** What a rebuild comes to from the log alone is what there was. */
function expectSameAnew(store: Store, now: number): void {
  const before = stateOf(store, now)
  forgetDerived(store)
  rebuildStore(store, now)
  expect(stateOf(store, now)).toEqual(before)
}

/** Hooks run one after the other, with upkeep after some of them, as it happens when sessions run side by side. */
function live(store: Store, recorded: readonly RecordedPayload[], upkeepEvery: number): void {
  recorded.forEach((one, i) => {
    const [answer] = hooksOf(store, [one])
    if (answer!.needsMaintenance || i % upkeepEvery === upkeepEvery - 1) runMaintenance(store, { now: one.at })
  })
}

const endOf = (sessions: readonly (readonly RecordedPayload[])[]): number =>
  Math.max(...sessions.flat().map((one) => one.at))

test('broker: a rebuild from the log alone comes to the same memories, policy and answers', () => {
  fc.assert(
    fc.property(arbitraryHistory, (sessions) => {
      const store = freshStore()
      for (const session of sessions) replaySessions(store, [session])
      const now = endOf(sessions) + HOUR
      expectSameAnew(store, now)
    }),
    { numRuns: 25 },
  )
}, 120_000)

test('broker: sessions side by side, saved and loaded between any two hooks, come to what a rebuild comes to', () => {
  fc.assert(
    fc.property(arbitraryHistory, fc.integer({ min: 1, max: 9 }), fc.boolean(), (sessions, upkeepEvery, sideBySide) => {
      const store = freshStore()
      const recorded = sideBySide ? sessions.flat().sort((a, b) => (a.at % HOUR) - (b.at % HOUR)) : sessions.flat()
      const now = endOf(sessions) + 2 * DAY
      live(store, recorded, upkeepEvery)
      runMaintenance(store, { now })
      expectSameAnew(store, now)
    }),
    { numRuns: 15 },
  )
}, 120_000)

test('broker: the recordings, replayed and then rebuilt, give the same memories, policy and answers', () => {
  const store = freshStore()
  const sessions = recordings().map((one) => one.session)
  for (const session of sessions) replaySessions(store, [session])
  const now = endOf(sessions) + HOUR
  const before = stateOf(store, now)
  expect(answered(before)).toBeGreaterThan(20)
  forgetDerived(store)
  rebuildStore(store, now)
  expect(stateOf(store, now)).toEqual(before)
})

test('broker: months of work, in which memories are met again, age and fold, rebuild to the same', () => {
  const store = freshStore()
  const sessions = Array.from({ length: 45 }, (_, i) => {
    const told = tale(`session-${i}`, BEGIN + i * 3 * DAY)
      .starts()
      .asks(`Work on part ${i % 9} of the shop, step ${i}.`, 'feature/receipt')
    told
      .fails('npm test', ERRORS[i % 2]!)
      .edits(`src/part${i % 9}.js`, `const step = ${i} // of part ${i % 9}`)
      .runs('npm test')
    if (i % 4 === 0) told.asks(`From now on keep rule ${i % 12} in mind.`)
    return told.answers(`Step ${i} is done.`).ends().recorded
  })
  for (let at = 0; at < sessions.length; at += 4) replaySessions(store, sessions.slice(at, at + 4))
  const now = endOf(sessions) + HOUR
  const before = stateOf(store, now)
  expect(answered(before)).toBeGreaterThan(20)
  forgetDerived(store)
  rebuildStore(store, now)
  expect(stateOf(store, now)).toEqual(before)
}, 60_000)
