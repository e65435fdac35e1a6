// Withheld by lot: ranked, logged, not said; never what a person asked for; and counted apart, so that the effect of showing is measured.
import { beforeAll, expect, test } from 'vitest'
import { systemEvent } from '../../src/broker/commit/systemEvent.ts'
import { toldOf } from '../../src/broker/hook/tell.ts'
import { improveReport } from '../../src/broker/improveReport.ts'
import { SHIPPED } from '../../src/broker/policy/served.ts'
import { ask } from '../../src/broker/search/ask.ts'
import type { Store } from '../../src/broker/store.ts'
import { rebuild, upkeep } from '../../src/broker/upkeep.ts'
import { load } from '../../src/broker/view/save.ts'
import type { EventOf } from '../../src/model/event.ts'
import type { EventId } from '../../src/model/id.ts'
import type { Memory } from '../../src/model/memory.ts'
import { disk } from '../../src/store/files.ts'
import { appendEvents } from '../../src/store/log.ts'
import { readLog } from '../../src/store/logRead.ts'
import { BEGIN, cue, freshStore, HOUR, hooksOf, iso, memory, session, tale } from '../build.ts'

const NO_MODULE = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const SESSIONS = 90

let store: Store
const said: { at: string; text: string | undefined }[] = []
const recalls = (): EventOf<'recalled'>[] =>
  readLog(disk, store.layout.events).events.filter((event): event is EventOf<'recalled'> => event.kind === 'recalled')

beforeAll(() => {
  store = freshStore()
  const chosen = { kind: 'policy.chosen', name: 'half', values: { 'recall.withholdShare': 0.5 } } as const
  const half = systemEvent(chosen, { now: BEGIN - 1 })
  appendEvents(store.files, store.layout.events, [half])
  upkeep(store, { now: BEGIN })
  for (let i = 0; i < SESSIONS; i++) {
    const told = tale(`session-${i}`, BEGIN + i * HOUR)
      .starts()
      .asks('Get the tests to run, please.')
      .fails('npm test', NO_MODULE)
    told.runs('npm run build:prices').runs('npm test').answers('They run.').ends()
    hooksOf(store, told.recorded).forEach(({ context }, step) => {
      said.push({ at: iso(told.recorded[step]!.at), text: context })
    })
    upkeep(store, { now: told.now() })
  }
})

test('broker: a withheld recall is logged with what it would have shown, and nothing of it is said', () => {
  const withheld = recalls().filter((one) => one.withheld)
  expect(withheld.length).toBeGreaterThan(30)
  const heard = new Set(said.flatMap(({ at, text }) => (text ? [at] : [])))
  for (const one of recalls()) {
    expect(one.shown.length).toBeGreaterThan(0)
    expect(one.share).toBe(0.5)
    expect(heard.has(one.at), one.moment).toBe(
      !one.withheld || recalls().some((two) => two.at === one.at && !two.withheld),
    )
  }
  const share = withheld.length / recalls().length
  expect(share).toBeGreaterThan(0.35)
  expect(share).toBeLessThan(0.65)
})

test('broker: the report counts every recall that was drawn, and is the same after a rebuild', () => {
  const report = improveReport(store)
  expect(report).toMatchObject({ share: 0.5, shown: recalls().filter((one) => !one.withheld).length })
  expect(report.shown + report.withheld).toBe(recalls().length)
  expect(report.effects?.map((one) => one.name)).toEqual(['failure rate', 'known errors again', 'tool calls', 'time'])
  // Every session went the same way whatever was shown: there is no effect to be found.
  expect(report.effects?.every((one) => one.verdict === 'not known yet')).toBe(true)
  const { view } = load(store)
  rebuild(store, BEGIN + 1000 * HOUR)
  expect(load(store).view.trials).toEqual(view.trials)
  expect(improveReport(store)).toEqual(report)
})

test('broker: a withheld memory gains and loses nothing by it', () => {
  const shown = new Map<string, number>()
  for (const one of recalls()) {
    for (const { memory: id } of one.withheld ? [] : one.shown) shown.set(id, (shown.get(id) ?? 0) + 1)
  }
  for (const one of load(store).view.memories.values()) expect(one.help.shown, one.kind).toBe(shown.get(one.id) ?? 0)
})

const policy = { ...SHIPPED, recall: { ...SHIPPED.recall, withholdShare: 0.5 } }
const recallOf = (one: Memory, n: number, held = false) =>
  toldOf({
    recall: { shown: [{ memory: one, score: 1, features: {}, breakdown: {} }], others: [], text: one.content },
    cue: cue('failure'),
    cause: { id: n.toString(16).padStart(16, '0') as EventId, session: session('s') },
    policy,
    policyVersion: 1,
    isHeld: held,
  })

test('broker: what a person said, wrote or pinned, and a call they want held, is never withheld', () => {
  const asked: Memory[] = [
    memory(1, { kind: 'preference' }),
    memory(2, { kind: 'decision' }),
    memory(3, { kind: 'entry' }),
    memory(4, { kind: 'lesson', tags: ['correction'] }),
    memory(5, { kind: 'lesson', tags: ['remember'] }),
    memory(6, { pinned: { reason: 'I want it', at: '2026-03-02T09:00:00.000Z' } }),
  ]
  for (const one of asked) {
    for (let n = 0; n < 60; n++) {
      const { text, event } = recallOf(one, n)
      expect([text, event?.withheld, event?.share]).toEqual([one.content, false, undefined])
    }
  }
  for (let n = 0; n < 60; n++)
    expect(recallOf(memory(9), n, true)).toMatchObject({ text: memory(9).content, event: { withheld: false } })
  const others = Array.from({ length: 200 }, (_, n) => recallOf(memory(9), n).text)
  expect(others.filter((text) => text === '').length).toBeGreaterThan(60)
})

test('broker: with a share of 0 nothing is withheld, and what somebody asks for never is', () => {
  const none = { ...policy, recall: { ...policy.recall, withholdShare: 0 } }
  for (let n = 0; n < 100; n++) {
    const cause = { id: n.toString(16).padStart(16, '0') as EventId, session: session('s') }
    const recall = { shown: [{ memory: memory(9), score: 1, features: {}, breakdown: {} }], others: [], text: 'told' }
    const outcome = toldOf({ recall, cue: cue('failure'), cause, policy: none, policyVersion: 1 })
    expect(outcome).toMatchObject({ text: 'told', event: { withheld: false } })
  }
  for (let n = 0; n < 20; n++) {
    expect(ask(store, { text: 'npm test', error: NO_MODULE, now: BEGIN + 1000 * HOUR + n }).text).not.toBe('')
  }
})
