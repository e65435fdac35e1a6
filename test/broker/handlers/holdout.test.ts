// Randomized holdout: a withheld recall is ranked and logged, not shown, and counted apart to measure the effect.
// Explicit queries are never withheld.
import { beforeAll, expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { buildRecallOutcome } from '../../../src/broker/handlers/recallOutcome.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { DEFAULT_POLICY } from '../../../src/broker/policy/activePolicy.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { readExperimentReport } from '../../../src/broker/queries/effectReports.ts'
import { recallMemories } from '../../../src/broker/search/recallMemories.ts'
import type { EventOf } from '../../../src/model/event.ts'
import type { EventId } from '../../../src/model/id.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import {
  BEGIN,
  buildMemory,
  buildQuery,
  createTestStore,
  exampleSession,
  HOUR,
  iso,
  runHookPayloads,
  sessionId,
} from '../../testData.ts'

const NO_MODULE = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const SESSIONS = 48

let store: Store
const results: { at: string; text: string | undefined }[] = []
const recalls = (): EventOf<'recalled'>[] =>
  readLog(realDisk, store.layout.events).events.filter(
    (event): event is EventOf<'recalled'> => event.kind === 'recalled',
  )

beforeAll(() => {
  store = createTestStore()
  const chosen = { kind: 'policy.chosen', name: 'half', values: { 'recall.withholdShare': 0.5 } } as const
  const half = systemEvent(chosen, { now: BEGIN - 1 })
  appendEvents(store.files, store.layout.events, [half])
  runMaintenance(store, { now: BEGIN })
  for (let i = 0; i < SESSIONS; i++) {
    const session = exampleSession(`session-${i}`, BEGIN + i * HOUR)
      .starts()
      .asks('Get the tests to run, please.')
      .fails('npm test', NO_MODULE)
    session.runs('npm run build:prices').runs('npm test').answers('They run.').ends()
    runHookPayloads(store, session.recorded).forEach(({ context }, step) => {
      results.push({ at: iso(session.recorded[step]!.at), text: context })
    })
    runMaintenance(store, { now: session.now() })
  }
})

test('broker: a withheld recall is logged with its memories, and nothing is shown', () => {
  const withheld = recalls().filter((item) => item.withheld)
  expect(withheld.length).toBeGreaterThan(20)
  const heard = new Set(results.flatMap(({ at, text }) => (text ? [at] : [])))
  for (const item of recalls()) {
    expect(item.shown.length).toBeGreaterThan(0)
    expect(item.share).toBe(0.5)
    expect(heard.has(item.at), item.moment).toBe(
      !item.withheld || recalls().some((other) => other.at === item.at && !other.withheld),
    )
  }
  const share = withheld.length / recalls().length
  expect(share).toBeGreaterThan(0.35)
  expect(share).toBeLessThan(0.65)
})

test('broker: the report counts every randomized recall, and is the same after a rebuild', () => {
  const report = readExperimentReport(store)
  expect(report).toMatchObject({ holdoutShare: 0.5, shown: recalls().filter((item) => !item.withheld).length })
  expect(report.shown + report.withheld).toBe(recalls().length)
  expect(report.effects?.map((item) => item.name)).toEqual(['failure rate', 'known errors again', 'tool calls', 'time'])
  // Every session had the same course for any shown memories, so there is no effect.
  expect(report.effects?.every((item) => item.verdict === 'not known yet')).toBe(true)
  const { projection } = loadProjection(store)
  rebuildStore(store, BEGIN + 1000 * HOUR)
  expect(loadProjection(store).projection.trials).toEqual(projection.trials)
  expect(readExperimentReport(store)).toEqual(report)
})

test('broker: a withheld memory keeps its scores unchanged', () => {
  const shown = new Map<string, number>()
  for (const item of recalls()) {
    for (const { memory: id } of item.withheld ? [] : item.shown) shown.set(id, (shown.get(id) ?? 0) + 1)
  }
  for (const item of loadProjection(store).projection.memories.values())
    expect(item.help.shown, item.kind).toBe(shown.get(item.id) ?? 0)
})

const policy = { ...DEFAULT_POLICY, recall: { ...DEFAULT_POLICY.recall, withholdShare: 0.5 } }
const recallOf = (memory: Memory, n: number, held = false) =>
  buildRecallOutcome({
    recall: { shown: [{ memory, score: 1, features: {}, breakdown: {} }], others: [], text: memory.content },
    cue: buildQuery('failure'),
    cause: { id: n.toString(16).padStart(16, '0') as EventId, session: sessionId('s') },
    policy,
    policyVersion: 1,
    isHeld: held,
  })

test('broker: a user’s statements, entries, pins and blocked calls are never withheld', () => {
  const memories: Memory[] = [
    buildMemory(1, { kind: 'preference' }),
    buildMemory(2, { kind: 'decision' }),
    buildMemory(3, { kind: 'entry' }),
    buildMemory(4, { kind: 'lesson', tags: ['correction'] }),
    buildMemory(5, { kind: 'lesson', tags: ['remember'] }),
    buildMemory(6, { pinned: { reason: 'I want it', at: '2026-03-02T09:00:00.000Z' } }),
  ]
  for (const item of memories) {
    for (let n = 0; n < 60; n++) {
      const { text, event } = recallOf(item, n)
      expect([text, event?.withheld, event?.share]).toEqual([item.content, false, undefined])
    }
  }
  for (let n = 0; n < 60; n++)
    expect(recallOf(buildMemory(9), n, true)).toMatchObject({
      text: buildMemory(9).content,
      event: { withheld: false },
    })
  const others = Array.from({ length: 200 }, (_, n) => recallOf(buildMemory(9), n).text)
  expect(others.filter((text) => text === '').length).toBeGreaterThan(60)
})

test('broker: nothing is withheld with a share of 0, and explicit queries never are', () => {
  const none = { ...policy, recall: { ...policy.recall, withholdShare: 0 } }
  for (let n = 0; n < 100; n++) {
    const cause = { id: n.toString(16).padStart(16, '0') as EventId, session: sessionId('s') }
    const recall = {
      shown: [{ memory: buildMemory(9), score: 1, features: {}, breakdown: {} }],
      others: [],
      text: 'told',
    }
    const outcome = buildRecallOutcome({ recall, cue: buildQuery('failure'), cause, policy: none, policyVersion: 1 })
    expect(outcome).toMatchObject({ text: 'told', event: { withheld: false } })
  }
  for (let n = 0; n < 20; n++) {
    expect(recallMemories(store, { text: 'npm test', error: NO_MODULE, now: BEGIN + 1000 * HOUR + n }).text).not.toBe(
      '',
    )
  }
})
