// Memories that are read when they are used: the same answers as from a store that was read as a whole.
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { openLiveStore, openLiveStoreInSteps } from '../../../src/broker/live/liveStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { refreshRecent } from '../../../src/broker/maintenance/refreshRecent.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { loadProjection, openProjection, saveProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { listMemories } from '../../../src/broker/queries/browse.ts'
import { withReader } from '../../../src/broker/search/liveIndex.ts'
import { runToEnd } from '../../../src/model/longCall.ts'
import { MEMORY_KINDS, type Memory } from '../../../src/model/memory.ts'
import type { MemoryHead } from '../../../src/model/memoryHead.ts'
import { MemoryTable } from '../../../src/organize/memoryTable.ts'
import { writeJsonFile } from '../../../src/store/disk/jsonFile.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { readManifest } from '../../../src/store/snapshot/snapshotReader.ts'
import { arbitraryMemory } from '../../arbitraries.ts'
import { BEGIN, buildMemory, createTestStore, DAY, testMemoryId } from '../../testData.ts'
import { storedEvent } from '../../tools/events.ts'

const FILES = ['src/a.ts', 'src/b.ts', 'docs/a.ts']
const WHEN = [{ at: 'call' as const, tool: 'Bash', has: ['npm'] }]

const knowledge = (author: 'person' | 'rule'): Memory['knowledge'] => ({
  ...{ type: 'rule', scope: 'project', author, state: 'standing', line: 'Use pnpm', when: WHEN },
  record: {
    met: 0,
    cost: 0,
    shown: 0,
    obeyed: 0,
    broken: 0,
    sessions: [],
    lastMet: new Date(BEGIN).toISOString(),
  } as never,
})

const arbitraryStored = fc
  .tuple(
    arbitraryMemory,
    fc.nat(30),
    fc.subarray(FILES),
    fc.option(fc.constantFrom('E1', 'E2')),
    fc.option(fc.constantFrom('person' as const, 'rule' as const)),
  )
  .map(
    ([one, n, files, error, author]): Memory => ({
      ...one,
      // The last has an id that only its text has.
      id: n === 30 ? ('not-a-uuid' as never) : testMemoryId(n + 1),
      files,
      ...(error !== null && { errorSignature: error }),
      ...(author !== null && { kind: 'preference', knowledge: knowledge(author) }),
      ...(n % 7 === 0 && { supersededBy: testMemoryId(2) }),
    }),
  )

/** A step of a store: a memory, one that is gone, or a use of two. */
const arbitraryStep = fc.oneof(
  { weight: 6, arbitrary: arbitraryStored.map((memory) => ({ memory })) },
  { weight: 1, arbitrary: fc.nat(30).map((n) => ({ deleted: testMemoryId(n + 1) })) },
  { weight: 1, arbitrary: fc.nat(30).map((n) => ({ used: testMemoryId(n + 1) })) },
)
type Step = { memory?: Memory; deleted?: Memory['id']; used?: Memory['id'] }

function append(store: Store, steps: readonly Step[], first: number): void {
  const events = steps.map(({ memory, deleted, used }, i) => {
    const origin = { now: BEGIN + first + i, key: [String(first + i)] }
    if (memory) return storedEvent(memory, first + i + 1)
    if (deleted) return systemEvent({ kind: 'memory.deleted', memories: [deleted] }, origin)
    return systemEvent({ kind: 'memory.accessed', memories: used ? [used] : [] }, origin)
  })
  if (events.length > 0) appendEvents(store.files, store.layout.events, events)
}

/** Every lookup of a table, as JSON: what is undefined is not on disk. */
const LOOKUPS: readonly ((table: MemoryTable) => unknown)[] = [
  (table) => [...table.values()],
  (table) => [...table.keys()],
  (table) => [table.size, table.has(testMemoryId(3)), table.get(testMemoryId(4)), table.get('not-a-uuid' as never)],
  (table) => table.findByFilesOrErrors(FILES.slice(0, 2), ['E1']),
  (table) => table.findByFilesOrErrors([], ['E2']).map(({ id }) => id),
  (table) =>
    table
      .findByFileName('a.ts')
      .map(({ id }) => id)
      .toSorted(),
  (table) => (['knowledge', 'hidden', 'working'] as const).map((group) => table.listGroup(group)),
  (table) =>
    table
      .listDecayingExperiences()
      .map(({ id }) => id)
      .toSorted(),
  (table) => MEMORY_KINDS.map((kind) => table.listRecent(kind, 3, new Set([testMemoryId(5)]))),
  (table) => table.listCreated('summary').toSorted(),
  (table) => table.heads().map(headFields),
  (table) => table.select(({ isSuperseded, isOfPerson, isRequested }) => isSuperseded || isOfPerson || isRequested),
]

const headFields = ({ id, kind, status, privacy, tier, importance, updatedMs, createdMs, idStart }: MemoryHead) => [
  ...[id, kind, status, privacy, tier, importance, updatedMs, createdMs],
  String(id).includes('-8') ? idStart : 0,
]

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const searchEveryWord = (store: Store) =>
  withReader(store, (reader) =>
    reader
      .score(['learnt', 'number', 'test', 'fix'].map((term) => ({ term, weight: 1, group: 0 })))
      .topDocs(99, (segment, doc) => reader.hasDoc({ segment, doc }))
      .map((ref) => [reader.memoryAt(ref), reader.rowAt(ref, new Map()).importance, reader.answerTypesAt(ref)]),
  )

/** A store with two snapshots and a tail. */
function createStore(parts: readonly (readonly Step[])[]): Store {
  const store = createTestStore()
  parts.forEach((steps, i) => {
    append(store, steps, 1_000 * i)
    if (i < 2) runMaintenance(store, { now: BEGIN + (i + 1) * DAY, sessions: [] })
  })
  return store
}

const arbitraryParts = fc.tuple(
  fc.array(arbitraryStep, { minLength: 1, maxLength: 40 }),
  fc.array(arbitraryStep, { maxLength: 10 }),
  fc.array(arbitraryStep, { maxLength: 10 }),
)

test('read when used: whatever is looked up first, the answers are those of a store that was read as a whole', () => {
  fc.assert(
    fc.property(arbitraryParts, fc.shuffledSubarray([...LOOKUPS], { minLength: LOOKUPS.length }), (parts, lookups) => {
      const store = createStore(parts)
      const whole = new MemoryTable(runToEnd(openLiveStoreInSteps(store)).memories().values())
      const used = openLiveStore(store).memories()
      for (const look of lookups) expect(asJson(look(used))).toEqual(asJson(look(whole)))
      // After a change, too.
      for (const table of [used, whole]) {
        table.set(testMemoryId(3), buildMemory(3, { files: ['src/a.ts'], kind: 'summary' }))
        table.delete(testMemoryId(4))
      }
      for (const look of lookups) expect(asJson(look(used))).toEqual(asJson(look(whole)))
    }),
    { numRuns: 40 },
  )
})

test('read when used: lists and searches of a tail are those of the snapshot with it', () => {
  fc.assert(
    fc.property(arbitraryParts, (parts) => {
      const store = createStore(parts)
      const [listed, found] = [listMemories(store), searchEveryWord(store)]
      refreshRecent(store, BEGIN + 4 * DAY)
      expect(asJson(listMemories(store))).toEqual(asJson(listed))
      const ids = (hits: typeof found) => hits.map(([memory]) => (memory as Memory).id).toSorted()
      expect(ids(searchEveryWord(store))).toEqual(ids(found))
    }),
    { numRuns: 20 },
  )
})

/** Takes from the rows of the snapshot what earlier versions did not write. */
function makeEarlier({ files, layout }: Store): void {
  const manifest = readManifest(files, layout)
  for (const { rows } of manifest.segments) {
    const file = path.join(layout.segments, rows)
    const bytes = fs.readFileSync(file)
    for (let at = 155; at < bytes.length; at += 160) bytes.fill(0, at, at + 5)
    fs.writeFileSync(file, bytes)
  }
  const segments = manifest.segments.map(({ sums: _, ...entry }) => entry)
  writeJsonFile(files, layout.manifest, { ...manifest, segments })
}

test('read when used: rows of an earlier version give the same, and the next save completes them', () => {
  fc.assert(
    fc.property(arbitraryParts, (parts) => {
      const [store, earlier] = [createStore(parts), createStore(parts)]
      makeEarlier(earlier)
      for (const look of LOOKUPS)
        expect(asJson(look(openLiveStore(earlier).memories()))).toEqual(asJson(look(openLiveStore(store).memories())))
      const rowsOf = (saved: Store): Buffer[] => {
        saveProjection(saved, loadProjection(saved), BEGIN + 5 * DAY)
        const { stored, manifest } = openProjection(saved)
        return manifest.segments.map(({ name }) => stored.segment(name)!.bytes)
      }
      expect(rowsOf(earlier)).toEqual(rowsOf(store))
    }),
    { numRuns: 20 },
  )
})

test('read when used: what an entry says is read without the rest, whatever else its memory has', () => {
  const forged = { ...knowledge('person'), line: 'forged' }
  const memories: readonly Memory[] = [
    { ...buildMemory(1), knowledge: knowledge('rule') },
    { ...buildMemory(2), knowledge: knowledge('person'), metadata: { knowledge: forged } },
    { ...buildMemory(3), knowledge: { ...knowledge('person')!, line: '\\"knowledge":{"line":"…",\n"record":{' } },
    { ...buildMemory(4), metadata: { knowledge: forged } },
  ]
  const store = createStore([memories.map((memory) => ({ memory })), [], []])
  const linesOf = (read: (head: MemoryHead) => string | undefined) =>
    openProjection(store).projection.memories.heads().map(read)
  const lines = linesOf((head) => (head.hasKnowledge ? head.readLine()?.line : undefined))
  expect(lines).toEqual(memories.map((memory) => memory.knowledge?.line))
  expect(lines).toEqual(linesOf((head) => head.load().knowledge?.line))
})

test('read when used: a text that was changed on disk is refused when it is read, and never saved', () => {
  const store = createStore([Array.from({ length: 40 }, (_, i) => ({ memory: buildMemory(i + 1) })), [], []])
  const [entry] = readManifest(store.files, store.layout).segments
  const file = path.join(store.layout.segments, `${entry!.name}.txt`)
  const bytes = fs.readFileSync(file)
  bytes[bytes.indexOf('number 7"') + 7] = 0x38
  fs.writeFileSync(file, bytes)
  const { memories } = openProjection(store).projection
  expect(memories.get(testMemoryId(8))?.content).toBe('what was learnt number 8')
  expect(() => memories.get(testMemoryId(7))).toThrow('is not as it was written')
  expect(() => loadProjection(store)).toThrow('is not as it was written')
})
