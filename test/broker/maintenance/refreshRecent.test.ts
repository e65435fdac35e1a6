// The recent segment: what open sessions have learned, and what changed since the snapshot, before a session ends.
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { replaySessions } from '../../../bench/fixture/replaySessions.ts'
import { checkSnapshot } from '../../../src/broker/checks/checkStore.ts'
import { rememberStatement } from '../../../src/broker/commands/statements.ts'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { isRecentCurrent, refreshRecent, refreshRecentSoon } from '../../../src/broker/maintenance/refreshRecent.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { listCoveredMemories, loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { listMemories } from '../../../src/broker/queries/browse.ts'
import type { EventBody } from '../../../src/model/event.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { acquireLock } from '../../../src/store/disk/lock.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { openSnapshotReader, readManifest } from '../../../src/store/snapshot/snapshotReader.ts'
import {
  BEGIN,
  buildMemory,
  createTestStore,
  DAY,
  type ExampleSession,
  exampleSession,
  loadMemories,
  loadRecordings,
  MINUTE,
  runHookPayloads,
  testMemoryId,
} from '../../testData.ts'
import { storedEvent } from '../../tools/events.ts'

const COMMAND = 'npm run check'
const ERROR = 'Error: Cannot find module "../dist/prices.json"\n    at check.js:4'

const fixed = (session: string, start: number): ExampleSession =>
  exampleSession(session, start)
    .starts()
    .asks('Make the check pass again')
    .fails(COMMAND, ERROR)
    .runs('npm run build:prices')
    .runs(COMMAND, 'ok')

const readActive = (store: Store): Memory[] => listCoveredMemories(store).filter(({ status }) => status === 'active')

const lessonsOf = (store: Store): Memory[] => readActive(store).filter(({ kind }) => kind === 'lesson')

/** What a start in a new window shows, 'startup' or another source. */
const startIn = (store: Store, session: string, start: number): string =>
  runHookPayloads(store, exampleSession(session, start).starts().recorded)[0]?.context ?? ''

test('recent segment: a failure and its fix can be recalled while their session is open', () => {
  const store = createTestStore()
  const session = fixed('window-a', BEGIN)
  runHookPayloads(store, session.recorded)
  expect(lessonsOf(store)).toEqual([])
  expect(refreshRecent(store, session.now())).toBe('refreshed')
  expect(lessonsOf(store).map(({ content }) => content)).toEqual([expect.stringContaining('npm run build:prices')])
  const other = exampleSession('window-b', session.now() + MINUTE)
    .starts()
    .asks('Check it')
    .fails(COMMAND, ERROR)
  const shown = runHookPayloads(store, other.recorded).map(({ context }) => context ?? '')
  expect(shown.join('\n')).toContain('npm run build:prices')
})

test.each([
  ['From now on, always run the linter before you commit.', 'linter'],
  ['コミットする前に必ずリンターを実行してください。', 'リンター'],
])('recent segment: a statement of an open session reaches the start of another window: %s', (said, word) => {
  const store = createTestStore()
  const session = exampleSession('window-a').starts().asks(said).answers('Understood.')
  runHookPayloads(store, session.recorded)
  expect(startIn(store, 'window-b', session.now() + MINUTE)).not.toContain(word)
  refreshRecent(store, session.now())
  expect(startIn(store, 'window-c', session.now() + 2 * MINUTE)).toContain(word)
})

test('recent segment: an open session has no summary', () => {
  const store = createTestStore()
  const session = fixed('window-a', BEGIN)
    .edits('src/check.ts')
    .answers('The check passes again, the prices were missing.')
  runHookPayloads(store, session.recorded)
  refreshRecent(store, session.now())
  expect(readActive(store).map(({ kind }) => kind)).not.toContain('summary')
  expect(startIn(store, 'window-b', session.now() + MINUTE)).not.toContain('The check passes again')
})

test('recent segment: the end of the session gives the same memories as without a refresh', () => {
  const [refreshed, plain] = [createTestStore(), createTestStore()]
  const session = fixed('window-a', BEGIN)
  for (const recorded of session.recorded) {
    for (const store of [refreshed, plain]) runHookPayloads(store, [recorded])
    refreshRecent(refreshed, recorded.at)
  }
  const lessons = lessonsOf(refreshed).map(({ id }) => id)
  expect(lessons).toHaveLength(1)
  for (const store of [refreshed, plain]) runMaintenance(store, { now: session.now(), sessions: 'all' })
  expect(loadMemories(refreshed)).toEqual(loadMemories(plain))
  expect(lessonsOf(refreshed).map(({ id }) => id)).toEqual(lessons)
})

test('recent segment: nothing of it is in the log, and no rebuild differs after the session', () => {
  const store = createTestStore()
  const session = fixed('window-a', BEGIN)
  runHookPayloads(store, session.recorded)
  refreshRecent(store, session.now())
  expect(readManifest(store.files, store.layout).recent?.memories).toBeGreaterThan(0)
  expect(loadMemories(store)).toEqual({})
  runMaintenance(store, { now: session.now(), sessions: 'all' })
  expect(readManifest(store.files, store.layout).recent).toBeUndefined()
  const before = loadMemories(store)
  rebuildStore(store, session.now())
  expect(loadMemories(store)).toEqual(before)
})

test('recent segment: a snapshot that is written while a session is open has it, too', () => {
  const store = createTestStore()
  const session = fixed('window-a', BEGIN)
  runHookPayloads(store, session.recorded)
  runMaintenance(store, { now: session.now(), sessions: [] })
  expect(lessonsOf(store)).toHaveLength(1)
  const recent = readManifest(store.files, store.layout).recent
  rebuildStore(store, session.now())
  expect(readManifest(store.files, store.layout).recent).toMatchObject({
    memories: recent?.memories,
    cursor: recent?.cursor,
  })
})

test('recent segment: what was stored, changed or deleted since the snapshot is current for hooks', () => {
  const store = createTestStore()
  const at = (minutes: number) => BEGIN + minutes * MINUTE
  const stored = [1, 2].map((n) => buildMemory(n, { content: `tide table ${n}` }))
  appendEvents(
    store.files,
    store.layout.events,
    stored.map((memory) => storedEvent(memory, at(0))),
  )
  runMaintenance(store, { now: at(1) })
  const contents = () => readActive(store).map(({ content }) => content)
  expect(contents()).toEqual(['tide table 1', 'tide table 2'])
  appendEvents(store.files, store.layout.events, [
    storedEvent(buildMemory(3, { content: 'tide table 3' }), at(2)),
    storedEvent({ ...buildMemory(1), content: 'paraffin lamps' }, at(2)),
    systemEvent({ kind: 'memory.deleted', memories: [testMemoryId(2)] }, { now: at(3) }),
  ])
  expect(refreshRecent(store, at(4))).toBe('refreshed')
  expect(contents()).toEqual(['paraffin lamps', 'tide table 3'])
  const reader = openSnapshotReader(store.files, store.layout)
  expect(
    reader.score([{ term: 'tabl', weight: 1, group: 0 }]).topDocs(9, (segment, doc) => reader.hasDoc({ segment, doc })),
  ).toHaveLength(1)
  reader.close()
})

test('recent segment: a missing or truncated file means the snapshot as it was', () => {
  for (const damage of ['missing', 'truncated', 'empty'] as const) {
    for (const part of ['txt', 'idx', 'row'] as const) {
      const store = createTestStore()
      appendEvents(store.files, store.layout.events, [storedEvent(buildMemory(1, { content: 'before' }), BEGIN)])
      runMaintenance(store, { now: BEGIN })
      appendEvents(store.files, store.layout.events, [storedEvent(buildMemory(1, { content: 'after' }), BEGIN + 1)])
      refreshRecent(store, BEGIN + 2)
      const recent = readManifest(store.files, store.layout).recent!
      const file = `${store.layout.segments}/${part === 'row' ? recent.rows : `${recent.name}.${part}`}`
      if (damage === 'missing') store.files.remove(file)
      else store.files.truncate(file, damage === 'empty' ? 0 : store.files.size(file)! - 5)
      expect(
        readActive(store).map(({ content }) => content),
        `${part} ${damage}`,
      ).toEqual(['before'])
    }
  }
})

test('recent segment: doctor says what it has, and warns of a damaged one', () => {
  const store = createTestStore()
  const session = fixed('window-a', BEGIN)
  runHookPayloads(store, session.recorded)
  refreshRecent(store, session.now())
  const check = () => checkSnapshot(store).filter(({ name }) => name === 'recent segment')
  expect(check()).toMatchObject([{ state: 'ok' }])
  const { name, textBytes } = readManifest(store.files, store.layout).recent!
  store.files.truncate(`${store.layout.segments}/${name}.txt`, textBytes - 1)
  expect(check()).toMatchObject([{ state: 'warn' }])
  store.files.remove(`${store.layout.segments}/${name}.idx`)
  expect(check()).toMatchObject([{ state: 'warn' }])
})

test.each([ERROR, 'エラー: モジュール「prices」が見つかりません\n    at check.js:4'])(
  'recent segment: twelve equal failures of an open session teach nothing until they are overcome, then one entry: %s',
  (error) => {
    const store = createTestStore()
    const session = exampleSession('window-a').starts().asks('Make the check pass again')
    for (let count = 0; count < 12; count++) session.fails(COMMAND, error)
    const learned = (): Memory[] => {
      runHookPayloads(store, session.recorded.splice(0))
      refreshRecent(store, session.now())
      return lessonsOf(store)
    }
    expect(learned()).toEqual([])
    session.runs('npm run build:prices').runs(COMMAND, 'ok')
    const [entry, ...others] = learned()
    expect(others).toEqual([])
    expect(entry?.knowledge).toMatchObject({ line: expect.stringContaining('build:prices'), record: { failed: 12 } })
    runMaintenance(store, { now: session.now(), sessions: 'all' })
    expect(lessonsOf(store)).toMatchObject([{ id: entry?.id, knowledge: { record: { failed: 12 } } }])
  },
)

test('recent segment: files of earlier ones are removed', () => {
  const store = createTestStore()
  const session = fixed('window-a', BEGIN)
  for (const recorded of session.recorded) {
    runHookPayloads(store, [recorded])
    refreshRecent(store, recorded.at)
  }
  const { segments, recent } = readManifest(store.files, store.layout)
  const parts = [...segments, recent!].flatMap(({ name, rows }) => [`${name}.txt`, `${name}.idx`, rows])
  expect([...store.files.list(store.layout.segments)].sort()).toEqual(parts.sort())
})

test('refresh: reading only what is needed gives the same files as reading all memories', () => {
  const recordings = loadRecordings().map(({ session }) => session)
  for (let open = 2; open < recordings.length; open += 3) {
    const [partial, full] = [createTestStore(), createTestStore()]
    replaySessions(partial, recordings.slice(0, open))
    const last = recordings[open] ?? []
    runHookPayloads(partial, last.slice(0, -1))
    const now = last.at(-1)?.at ?? 0
    const [first, second, third] = listMemories(partial, { status: 'active' })
    appendEvents(partial.files, partial.layout.events, [
      storedEvent({ ...first!, content: 'changed since the snapshot' }, 1),
      systemEvent({ kind: 'memory.deleted', memories: [second!.id] }, { now }),
      systemEvent({ kind: 'memory.scored', memory: third!.id, score: 1, previous: 0, reason: 'it is' }, { now }),
    ])
    fs.cpSync(partial.layout.folder, full.layout.folder, { recursive: true })
    expect(refreshRecent(partial, now)).toBe('refreshed')
    expect(refreshRecent(full, now, loadProjection(full))).toBe('refreshed')
    for (const name of ['hot', 'knowledge'] as const)
      expect(JSON.parse(String(partial.files.read(partial.layout[name])))).toEqual(
        JSON.parse(String(full.files.read(full.layout[name]))),
      )
    const [ours, theirs] = [partial, full].map((store) => readManifest(store.files, store.layout).recent)
    expect(ours?.replaced).toEqual(theirs?.replaced)
    expect(ours?.memories).toBeGreaterThan(1)
    const byId = (store: Store) => readActive(store).sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(byId(partial)).toEqual(byId(full))
  }
})

test.each([
  ['alone', []],
  ['after another change', ['deleted']],
  ['in every project', ['person']],
])('refresh: what a person asks to remember gives the same files as reading all memories: %s', (_, more) => {
  const [added, full] = [createTestStore(), createTestStore()]
  replaySessions(
    added,
    loadRecordings().map(({ session }) => session),
  )
  fs.cpSync(added.layout.folder, full.layout.folder, { recursive: true })
  const [first] = listMemories(added, { status: 'active' })
  const now = BEGIN + 400 * DAY
  for (const [at, text] of [
    'Use tabs',
    'Never push on a friday',
    'Use tabs.',
    'Prefer emus',
    'Ask a koala',
  ].entries()) {
    for (const store of [added, full]) {
      const liveStore = openLiveStore(store)
      const commit = (body: EventBody) => liveStore.commit(body, { now: now + at, nonce: 'test' })
      const writer = { liveStore, session: undefined, now: () => now + at, commit }
      const scope = more.includes('person') ? ('person' as const) : undefined
      rememberStatement(writer, { text, scope, ...(at === 3 && { scope: 'path', file: 'src/emu.ts' }) })
      if (more.includes('deleted') && at === 1) commit({ kind: 'memory.deleted', memories: [first!.id] })
      // Without one of the files all of them are written anew: in both the first time, because worth fades.
      if (store === full || at === 0) fs.rmSync(store.layout.hot)
      expect(refreshRecent(store, now + at, liveStore.loaded)).toBe('refreshed')
    }
    for (const name of ['hot', 'knowledge'] as const)
      expect(String(added.files.read(added.layout[name]))).toBe(String(full.files.read(full.layout[name])))
  }
  expect(startIn(added, 'window-b', now + MINUTE)).toContain('Ask a koala')
})

test('refresh: a log without news is left alone, so that a burst of triggers is one refresh', () => {
  const store = createTestStore()
  const session = fixed('window-a', BEGIN)
  runHookPayloads(store, session.recorded)
  expect(refreshRecent(store, session.now())).toBe('refreshed')
  const manifest = store.files.read(store.layout.manifest)
  for (let i = 0; i < 5; i++) expect(refreshRecent(store, session.now() + DAY)).toBe('current')
  expect(store.files.read(store.layout.manifest)).toEqual(manifest)
})

test('refresh: while another process holds the lock one process waits, and others leave it their events', async () => {
  const store = createTestStore()
  const session = fixed('window-a', BEGIN)
  runHookPayloads(store, session.recorded)
  const holder = acquireLock(store.files, store.layout.lock)!
  expect(refreshRecent(store, session.now())).toBe('busy')
  let pauses = 0
  const results: string[] = []
  const result = await refreshRecentSoon(store, session.now, async () => {
    // A second one comes after an event that the waiting one has not read.
    if (++pauses === 1) {
      runHookPayloads(store, session.answers('Done.').recorded.slice(-1))
      results.push(await refreshRecentSoon(store, session.now, async () => {}))
    } else holder.release()
  })
  expect([...results, result]).toEqual(['covered', 'refreshed'])
  expect(isRecentCurrent(store)).toBe(true)
  expect(store.files.size(store.layout.refreshLock)).toBeUndefined()
  expect(store.files.size(store.layout.lock)).toBeUndefined()
})
