// The screen of `memctl top`: it fits every terminal, controls none, and keys do what the help says.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { DEFAULT_POLICY } from '../../../src/broker/policy/activePolicy.ts'
import type { Activity, ActivityItem } from '../../../src/broker/queries/liveActivity.ts'
import { openLiveActivity } from '../../../src/broker/queries/liveActivity.ts'
import { renderTop, type TopScreen } from '../../../src/cli/top/renderTop.ts'
import { filterItems, pressKey, splitKeys, TOP_START, type TopState } from '../../../src/cli/top/topState.ts'
import type { MemoryId } from '../../../src/model/id.ts'
import { selectRankingModel } from '../../../src/model/policy.ts'
import { displayWidth } from '../../../src/report/fitText.ts'
import { createPalette } from '../../../src/report/palette.ts'
import { BEGIN, createTestStore, DAY, exampleSession, runHookPayloads } from '../../testData.ts'

const FAILED = "Error: Cannot find module '../dist/prices.json'"

/** A store with a lesson, and an open session that met its failure. */
function busyStore() {
  const store = createTestStore()
  const first = exampleSession().starts().asks('Run the tests').fails('npm test', FAILED)
  first.runs('npm run build:prices').runs('npm test').answers('Done.').ends()
  runHookPayloads(store, first.recorded)
  runMaintenance(store, { now: first.now(), sessions: 'all' })
  const second = exampleSession('session-two', BEGIN + DAY)
    .starts()
    .asks('テストを直して\u001b[31m')
    .fails('npm test', FAILED)
  runHookPayloads(store, second.recorded)
  return { store, now: second.now() }
}

const view = (activity: Activity, fields: Partial<TopScreen> = {}): TopScreen => ({
  activity,
  state: TOP_START,
  columns: 80,
  rows: 24,
  palette: createPalette({ write: () => {} }, {}),
  modelOf: (moment) => selectRankingModel(DEFAULT_POLICY.recall, moment),
  ...fields,
})

test('top: an open session, the note that it was shown and the failure with a known fix are listed', () => {
  const { store, now } = busyStore()
  const activity = openLiveActivity(store).read(now)
  const text = renderTop(view(activity)).join('\n')
  expect(text).toContain('Open sessions (1)')
  expect(text).toContain('テストを直して')
  expect(text).toMatch(/failed .*build:prices/)
  expect(text).toMatch(/note {3}.*build:prices/)
  expect(text).toContain("at the session's start: what every session here should know")
  expect(activity.perMinute.at(-1)).toBeGreaterThan(0)
  expect(activity.status.unorganized).toBe(1)
})

test('top: what is recorded later is read from the tail of the log, and nothing is written', () => {
  const { store, now } = busyStore()
  const live = openLiveActivity(store)
  const before = live.read(now)
  const third = exampleSession('session-three', now).starts().asks('新しい依頼')
  runHookPayloads(store, third.recorded)
  const manifest = store.files.read(store.layout.manifest)
  expect(live.read(third.now()).sessions.map(({ id }) => id)).toEqual(['session-three', 'session-two'])
  expect(before.sessions).toHaveLength(1)
  expect(store.files.read(store.layout.manifest)).toEqual(manifest)
})

test('top: a session without an event for half a day is not open', () => {
  const { store, now } = busyStore()
  expect(openLiveActivity(store).read(now + DAY).sessions).toEqual([])
})

const item = (fields: Partial<ActivityItem> = {}): ActivityItem => ({
  kind: 'note',
  at: '2026-03-02T09:00:00.000Z',
  session: 'one',
  cue: 'cue',
  memory: '11111111-0000-4000-8000-000000000000' as MemoryId,
  title: 'title',
  moment: 'prompt',
  features: {},
  ...fields,
})

test('top: every screen has as many lines as the terminal and none wider, whatever the texts are', () => {
  const { store, now } = busyStore()
  const activity = openLiveActivity(store).read(now)
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('長い日本語の題名が続く'.repeat(20), '👩‍👩‍👧 a'),
  )
  fc.assert(
    fc.property(
      fc.array(texts, { maxLength: 8 }),
      fc.integer({ min: 20, max: 200 }),
      fc.integer({ min: 3, max: 60 }),
      fc.constantFrom('list', 'help', 'memory'),
      (titles, columns, rows, page) => {
        const items = titles.map((title) => item({ title, cue: title }))
        const sessions = titles.map((prompt, i) => ({ ...activity.sessions[0]!, id: `${i}`, branch: prompt, prompt }))
        const state = { ...TOP_START, page } as TopState
        const lines = renderTop(view({ ...activity, items, sessions }, { columns, rows, state }))
        expect(lines.length).toBeLessThanOrEqual(rows)
        for (const line of lines) {
          expect(displayWidth(line)).toBeLessThanOrEqual(columns)
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
        }
      },
    ),
    { numRuns: 150 },
  )
})

test('top: keys select, filter, pause, show and quit', () => {
  const items = [item(), item({ title: '料金表' }), item({ title: 'third' })]
  const press = (keys: string, state = TOP_START): TopState =>
    splitKeys(keys).reduce((now, key) => pressKey(now, key, filterItems(items, now.filter).length), state)
  expect(press('j\u001b[Bj').selected).toBe(2)
  expect(press('jk\u001b[A').selected).toBe(0)
  expect(press('p').isPaused).toBe(true)
  expect(press('p ').isPaused).toBe(false)
  expect(press('/料金\r')).toMatchObject({ filter: '料金', isTyping: false })
  expect(filterItems(items, press('/料金').filter)).toEqual([items[1]])
  // While a filter is typed, keys are letters.
  expect(press('/q\u007fj')).toMatchObject({ filter: 'j', isDone: false })
  expect(press('/third\u001b')).toMatchObject({ filter: '', isTyping: false })
  expect(press('\r')).toMatchObject({ page: 'memory' })
  expect(press('\rq')).toMatchObject({ page: 'list', isDone: false })
  expect(press('?').page).toBe('help')
  expect(press('q').isDone).toBe(true)
  expect(press('/x\u0003').isDone).toBe(true)
  expect(press('\r', { ...TOP_START, filter: 'nothing' }).page).toBe('list')
})
