// Segments of a grown store: what a save writes follows what changed, and readers find each memory once.
import { expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { runMaintenance, saveCheckpoint } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { refreshRecent } from '../../../src/broker/maintenance/refreshRecent.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { applyLogTail, loadProjection, openProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { listMemories } from '../../../src/broker/queries/browse.ts'
import { countMemories } from '../../../src/broker/queries/storeStatus.ts'
import type { Event } from '../../../src/model/event.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { openSnapshotReader, readManifest } from '../../../src/store/snapshot/snapshotReader.ts'
import { BEGIN, buildMemory, createTestStore, loadMemories, MINUTE, testMemoryId } from '../../testData.ts'
import { storedEvent } from '../../tools/events.ts'

/** So many that rows of the first segment are patched. */
const FIRST = 450
const ROUNDS = 12

const memory = (n: number, given: Partial<Memory> = {}): Memory =>
  buildMemory(n, { content: `tide table ${n} of harbour${n % 7} with pier${n}`, ...given })

/** A day's work: ten new memories; of earlier ones two are edited, one archived, restored, deleted and read. */
function changes(round: number, at: number): Event[] {
  const first = 10 * round
  const added = Array.from({ length: 10 }, (_, i) => memory(FIRST + first + i))
  const edited = [first, FIRST + first - 5].map((n) =>
    memory(Math.max(1, n), { content: `paraffin lamp${n} ${round}` }),
  )
  const moved = [
    memory(first + 3, { status: 'archived', tier: 'cold' }),
    memory(Math.max(3, first - 7), { content: `restored ${round}` }),
  ]
  return [
    ...[...added, ...edited, ...moved].map((each) => storedEvent(each, at)),
    systemEvent({ kind: 'memory.deleted', memories: [testMemoryId(first + 5)] }, { now: at, key: [String(round)] }),
    systemEvent({ kind: 'memory.accessed', memories: [testMemoryId(first + 8)] }, { now: at, key: [`used ${round}`] }),
  ]
}

/**
 * The content of every memory that hooks find by a word, and of every memory that commands list, each by its id; and
 * how often those that hooks find were used.
 */
function readEveryWay(store: Store) {
  const reader = openSnapshotReader(store.files, store.layout)
  try {
    const words = ['tide', 'paraffin', 'restor'].map((term) => ({ term, weight: 1, group: 0 }))
    const found = reader
      .score(words)
      .topDocs(9_999, (segment, doc) => reader.hasDoc({ segment, doc }))
      .map((ref) => reader.memoryAt(ref))
    return { found: byId(found), listed: byId(listMemories(store)), used: usesById(found) }
  } finally {
    reader.close()
  }
}

const usesById = (memories: readonly Memory[]): Record<string, number> =>
  Object.fromEntries(memories.map(({ id, accessCount }) => [id, accessCount]))

function byId(memories: readonly Memory[]): Record<string, string> {
  expect(new Set(memories.map(({ id }) => id)).size).toBe(memories.length)
  return Object.fromEntries(memories.map(({ id, status, content }) => [id, `${status}: ${content}`]))
}

test('segments: a save writes what changed, and every reader finds each memory once, as it is now', () => {
  const store = createTestStore()
  const { files, layout } = store
  const append = (events: readonly Event[]): void => void appendEvents(files, layout.events, events)
  append(Array.from({ length: FIRST }, (_, n) => storedEvent(memory(n + 1), BEGIN)))
  runMaintenance(store, { now: BEGIN })
  const sizes = () =>
    new Map(files.list(layout.segments).map((name) => [name, files.size(`${layout.segments}/${name}`)!]))
  const whole = [...sizes().values()].reduce((sum, size) => sum + size, 0)
  const counts = new Set<number>()
  let written = 0
  for (let round = 0; round < ROUNDS; round++) {
    const at = BEGIN + round * MINUTE
    append(changes(round, at))
    const before = sizes()
    // In some rounds, hooks read the changes from the recent segment first.
    const isRead = round % 4 === 3
    if (isRead) refreshRecent(store, at)
    const recent = isRead ? readEveryWay(store) : undefined
    runMaintenance(store, { now: at })
    for (const [name, size] of sizes()) if (!before.has(name) && !/-r\d/.test(name)) written += size
    const memories = Object.values(loadMemories(store))
    const all = byId(memories)
    const active = memories.filter(({ status }) => status === 'active')
    const organized = readEveryWay(store)
    expect(organized.used).toEqual(usesById(active))
    for (const each of [recent ?? organized, organized]) {
      expect(each.found).toEqual(byId(active))
      expect(each.listed).toEqual(all)
    }
    expect(countMemories(openProjection(store).projection.memories)).toMatchObject({ total: memories.length })
    const { segments } = readManifest(files, layout)
    counts.add(segments.length)
    if (round === 0) expect(segments[0]?.patch).toBeDefined()
  }
  expect(counts.size).toBeGreaterThan(1)
  expect(Math.max(...counts)).toBeLessThan(8)
  expect(written / ROUNDS).toBeLessThan(whole / 6)
  const grown = loadMemories(store)
  expect(grown[testMemoryId(8)]).toMatchObject({ accessCount: 1 })
  rebuildStore(store, BEGIN + 100 * MINUTE)
  expect(loadMemories(store)).toEqual(grown)
  expect(readManifest(files, layout).segments.map(({ removed }) => removed)).toEqual([undefined, undefined])
})

test('segments: checkpoints of a long change give the same memories as one save at its end', () => {
  const [often, once] = [createTestStore(), createTestStore()]
  const append = (events: readonly Event[]): void => {
    for (const { files, layout } of [often, once]) appendEvents(files, layout.events, events)
  }
  append(Array.from({ length: FIRST }, (_, n) => storedEvent(memory(n + 1), BEGIN)))
  for (const store of [often, once]) runMaintenance(store, { now: BEGIN })
  const starts = often.files.read(often.layout.hot)
  let loaded = loadProjection(often)
  // More than segments stay.
  for (let round = 0; round < 20; round++) {
    append(changes(round, BEGIN + round * MINUTE))
    applyLogTail(often, loaded)
    // Another process has saved meanwhile, or this one was killed and begins again.
    if (round === 5) runMaintenance(often, { now: BEGIN })
    if (round === 10) loaded = loadProjection(often)
    if (round === 10) applyLogTail(often, loaded)
    saveCheckpoint(often, loaded, BEGIN + round * MINUTE)
    expect(loaded.projection.memories.changed).toBe(0)
    if (round < 5) expect(often.files.read(often.layout.hot)).toEqual(starts)
  }
  append(changes(20, BEGIN + 20 * MINUTE))
  for (const store of [often, once]) runMaintenance(store, { now: BEGIN + 20 * MINUTE })
  expect(loadMemories(often)).toEqual(loadMemories(once))
  expect(readEveryWay(often)).toEqual(readEveryWay(once))
  expect(readManifest(often.files, often.layout).segments.length).toBeLessThan(8)
})
