// The memory table answers like a scan of all memories.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { MemoryId } from '../../src/model/id.ts'
import { MEMORY_KINDS, type Memory } from '../../src/model/memory.ts'
import { headOfMemory } from '../../src/model/memoryHead.ts'
import type { Policy } from '../../src/model/policy.ts'
import { isPrivate } from '../../src/model/privacy.ts'
import { applyAging, expireWorkingMemories, listDueReleases } from '../../src/organize/lifecycle.ts'
import type { MemorySource } from '../../src/organize/memoryIndexes.ts'
import { MemoryTable } from '../../src/organize/memoryTable.ts'
import { organizeSession } from '../../src/organize/organizeSession.ts'
import { arbitraryMemory } from '../arbitraries.ts'
import {
  BEGIN,
  buildMemory,
  DAY,
  exampleSession,
  HOUR,
  iso,
  recordEvents,
  sessionId,
  testMemoryId,
} from '../testData.ts'

const FILES = ['src/a.ts', 'src/b.ts', 'src/c.ts']
const SLOWER: Policy = {
  ...DEFAULT_POLICY,
  tiers: { ...DEFAULT_POLICY.tiers, hotDays: 20, warmDays: 60, experiencesMax: 4 },
}

const arbitraryPut = fc
  .tuple(arbitraryMemory, fc.nat(14), fc.subarray(FILES), fc.option(fc.constantFrom('E1', 'E2')), fc.boolean())
  .map(([one, n, files, error, kept]) => ({
    ...one,
    id: testMemoryId(n),
    files,
    ...(error === null ? {} : { errorSignature: error }),
    ...(kept && { archiveExempt: true as const }),
  }))

type Step = (known: MemoryTable) => void

/** Compares, then applies the aging, or leaves it as a preview does. */
const ages = (hours: number, policy: Policy, isKept: boolean): Step => {
  const now = BEGIN + hours * HOUR
  return (known) => {
    const found = applyAging(known, policy, now)
    const sought = applyAging(new Map(known), policy, now)
    const byId = (all: readonly Memory[]) => [...all].sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(byId(found)).toEqual(byId(sought))
    // New ones in the same order: it becomes their rank.
    const news = (all: readonly Memory[]) => all.filter((one) => !known.has(one.id)).map((one) => one.id)
    expect(news(found)).toEqual(news(sought))
    for (const kind of MEMORY_KINDS) {
      const active = [...known.values()].filter(
        (one) => one.kind === kind && one.status === 'active' && !isPrivate(one),
      )
      expect(known.listActiveIds(kind)).toEqual(active.map(({ id }) => id).sort())
    }
    // Kept between two looks, until a memory changes.
    expect(known.heads()).toBe(known.heads())
    expect(known.heads().map((head) => head.load())).toEqual([...known.values()])
    const { releaseDays } = policy.privacy
    expect(listDueReleases(known, releaseDays, now)).toEqual(listDueReleases(new Map(known), releaseDays, now))
    expect(expireWorkingMemories(known, 's1', now)).toEqual(expireWorkingMemories(new Map(known), 's1', now))
    if (isKept) for (const one of found) known.set(one.id, one)
  }
}

const organizes = (n: number, file: string, fails: boolean): Step => {
  const told = exampleSession(`session-${n}`, BEGIN + n * HOUR)
    .starts()
    .asks(`Why is ${file} wrong?`)
    .edits(file)
  if (fails) told.fails('npm test', 'Error: prices are not built').runs('npm run build:prices').runs('npm test', 'ok')
  else if (n % 2 === 0) told.runs('npm test', 'ok')
  const part = { session: sessionId(`session-${n}`), events: recordEvents(told.ends().recorded) }
  return (known) => {
    const made = organizeSession(part, known, DEFAULT_POLICY)
    expect(made).toEqual(organizeSession(part, new Map(known), DEFAULT_POLICY))
    for (const one of made) known.set(one.id, one)
  }
}

const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: arbitraryPut.map((one) => (known: MemoryTable) => void known.set(one.id, one)) },
  { weight: 1, arbitrary: fc.nat(14).map((n) => (known: MemoryTable) => void known.delete(testMemoryId(n))) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.integer({ min: -400 * 24, max: 60 * 24 }),
        fc.constantFrom(DEFAULT_POLICY, DEFAULT_POLICY, SLOWER),
        fc.boolean(),
      )
      .map(([hours, policy, isKept]) => ages(hours, policy, isKept)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat(5), fc.constantFrom(...FILES), fc.boolean())
      .map(([n, file, fails]) => organizes(n, file, fails)),
  },
)

test('organize: the table answers like a full scan while memories are added, removed and aged', () => {
  fc.assert(
    fc.property(fc.array(arbitraryStep, { maxLength: 24 }), (steps) => {
      const known = new MemoryTable()
      for (const step of steps) step(known)
    }),
    { numRuns: 300 },
  )
})

/** A snapshot of these memories, as the store has one. */
const snapshotOf = (memories: readonly Memory[]): MemorySource => ({
  find: (id) => memories.findIndex((one) => one.id === id) + 1 || undefined,
  places: () => memories.map((_, i) => i + 1),
  headAt: (place) => headOfMemory(memories[place - 1]!),
  orderAt: (place) => place,
  load: (place) => memories[place - 1]!,
  listRead: () => [],
  keep: () => {},
  findByTerms: () => memories.map((_, i) => i + 1),
})

test('organize: a table of a snapshot answers like a full scan, whatever was changed before what is asked', () => {
  const arbitraryMemories = fc.uniqueArray(arbitraryPut, { selector: ({ id }) => id, maxLength: 8 })
  const finds = fc.constantFrom(...FILES, 'E1', 'E2').map((sought) => (known: MemoryTable) => {
    const all = [...known.values()]
    const isAbout = (one: Memory) => one.files.includes(sought) || one.errorSignature === sought
    const isActive = ({ kind, status }: Memory) => status === 'active' && (kind === 'experience' || kind === 'lesson')
    expect(known.findByFilesOrErrors([sought], [sought]).map(({ id }) => id)).toEqual(
      all
        .filter((one) => isAbout(one) && isActive(one))
        .map(({ id }) => id)
        .sort(),
    )
    const met = all.some(({ errorSignature }) => errorSignature === sought)
    expect(known.findMetErrors(new Set([sought, 'E3']))).toEqual(new Set(met ? [sought] : []))
  })
  fc.assert(
    fc.property(arbitraryMemories, fc.array(fc.oneof(arbitraryStep, finds), { maxLength: 16 }), (memories, steps) => {
      const known = MemoryTable.of(snapshotOf(memories))
      for (const step of steps) step(known)
    }),
    { numRuns: 300 },
  )
})

test('organize: each hour the table checks only memories that time can have changed', () => {
  const kinds = MEMORY_KINDS.filter((kind) => kind !== 'experience')
  const known = new MemoryTable(
    Array.from({ length: 700 }, (_, n) => buildMemory(n, { kind: kinds[n % kinds.length]!, created: iso(BEGIN) })),
  )
  expect(known.listDueForAging(BEGIN, 'shipped', () => BEGIN).length).toBe(700)
  ages(1, DEFAULT_POLICY, true)(known)
  const numbers = JSON.stringify([DEFAULT_POLICY.tiers, DEFAULT_POLICY.strength, DEFAULT_POLICY.privacy])
  expect(known.listDueForAging(BEGIN + 2 * HOUR, numbers, () => BEGIN)).toEqual([])
  expect(known.listDueForAging(BEGIN + DEFAULT_POLICY.tiers.hotDays * DAY, numbers, () => BEGIN).length).toBe(700)
})

test('organize: of a snapshot aging reads only memories that time can have changed', () => {
  const old = iso(BEGIN - 400 * DAY)
  const memories = [
    buildMemory(1, { kind: 'experience', created: old, tier: 'cold', status: 'archived' }),
    buildMemory(2, { kind: 'lesson', created: old, tier: 'cold' }),
    buildMemory(3, { kind: 'entry', created: iso(BEGIN), expires: iso(BEGIN + DAY) }),
    buildMemory(4, { kind: 'entry', created: iso(BEGIN), expires: iso(BEGIN) }),
    buildMemory(5, { kind: 'lesson', created: old, tier: 'warm' }),
    buildMemory(6, { kind: 'experience', created: iso(BEGIN) }),
  ]
  const source = snapshotOf(memories)
  const read: number[] = []
  const load = (place: number) => {
    read.push(place)
    return source.load(place)
  }
  const known = MemoryTable.of({ ...source, load })
  const changed = applyAging(known, DEFAULT_POLICY, BEGIN)
  expect(changed.map(({ id }) => id)).toEqual([memories[3]!.id, memories[4]!.id])
  expect([...new Set(read)].sort()).toEqual([4, 5, 6])
})

test('organize: the latest memories of a kind are correct after any change of memories and times', () => {
  const arbitraryChange = fc.tuple(fc.nat(599), fc.constantFrom('lesson', 'entry', 'gone'), fc.nat(900))
  fc.assert(
    fc.property(fc.array(arbitraryChange, { minLength: 200, maxLength: 900 }), fc.nat(60), (changes, left) => {
      const known = new MemoryTable()
      for (let n = 0; n < 600; n++)
        known.set(testMemoryId(n), buildMemory(n, { kind: 'lesson', created: iso(BEGIN + n * HOUR) }))
      changes.forEach(([n, kind, hours], i) => {
        if (i % 40 === 0) latestIsLatest(known, left)
        if (kind === 'gone') known.delete(testMemoryId(n))
        else known.set(testMemoryId(n), buildMemory(n, { kind: kind as 'lesson', created: iso(BEGIN + hours * HOUR) }))
      })
      latestIsLatest(known, left)
    }),
    // Shrinking six hundred memories takes minutes and tells no more than the random seed does.
    { numRuns: 40, endOnFailure: true },
  )
})

function latestIsLatest(known: MemoryTable, left: number): void {
  for (const kind of ['lesson', 'entry'] as const) {
    const all = [...known.values()].filter((one) => one.kind === kind)
    all.sort((a, b) => (a.created === b.created ? (a.id > b.id ? -1 : 1) : a.created > b.created ? -1 : 1))
    const except: ReadonlySet<MemoryId> = new Set(all.slice(0, 4 * left).map((one) => one.id))
    const sought = all.filter((one) => !except.has(one.id)).slice(0, 40)
    expect(known.listRecent(kind, 40, except).map((one) => one.id)).toEqual(sought.map((one) => one.id))
  }
}
