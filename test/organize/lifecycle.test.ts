// Age: tiers, decay, release and the cap, by days elapsed.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { isSubjectToDecay, type Memory, type MemoryMap, TIERS } from '../../src/model/memory.ts'
import type { Policy } from '../../src/model/policy.ts'
import { applyAging, expireWorkingMemories } from '../../src/organize/lifecycle.ts'
import { arbitraryMemories } from '../arbitraries.ts'
import { BEGIN, buildMemory, buildMemoryMap, DAY, HOUR, iso } from '../testData.ts'

const after = (known: MemoryMap, days: number, policy: Policy = DEFAULT_POLICY): MemoryMap => {
  const next = new Map(known)
  for (const one of applyAging(known, policy, BEGIN + days * DAY)) next.set(one.id, one)
  return next
}
const experience = (n: number, given: Partial<Memory> = {}): Memory =>
  buildMemory(n, { kind: 'experience', importance: 0.9, ...given })

const days = fc.double({ min: 0, max: 120, noNaN: true })

test('organize: aging twice at the same time equals aging once', () => {
  fc.assert(
    fc.property(arbitraryMemories(12), days, (memories, at) => {
      const once = after(buildMemoryMap(...memories), at)
      expect(applyAging(once, DEFAULT_POLICY, BEGIN + at * DAY)).toEqual([])
      expect(after(once, at)).toEqual(once)
    }),
  )
})

test('organize: aging in many steps gives the same strength and tier as aging in one step', () => {
  fc.assert(
    fc.property(arbitraryMemories(8), fc.array(days, { maxLength: 6 }), days, (memories, steps, at) => {
      const known = buildMemoryMap(...memories)
      let stepwise: MemoryMap = known
      for (const step of steps.filter((one) => one < at).sort((a, b) => a - b)) stepwise = after(stepwise, step)
      stepwise = after(stepwise, at)
      const atOnce = after(known, at)
      for (const one of memories) {
        const [a, b] = [stepwise.get(one.id)!, atOnce.get(one.id)!]
        // A memory archived on the way is skipped from then on, and stays as it was.
        if (a.status === 'archived') continue
        expect(a.strength).toBeCloseTo(b.strength, 9)
        expect([a.tier, a.status]).toEqual([b.tier, b.status])
      }
    }),
    { numRuns: 200 },
  )
})

test('organize: aging never raises a strength, releases a memory, hides it or restores it', () => {
  fc.assert(
    fc.property(arbitraryMemories(12), days, (memories, at) => {
      for (const later of applyAging(buildMemoryMap(...memories), DEFAULT_POLICY, BEGIN + at * DAY)) {
        const before = memories.find((one) => one.id === later.id)
        if (!before) continue // A month's summary, made of what was folded.
        expect(later.strength).toBeLessThanOrEqual(before.strength)
        expect(later.privacy).toBe(before.privacy)
        expect(TIERS.indexOf(later.tier)).toBeGreaterThanOrEqual(TIERS.indexOf(before.tier))
        expect(before.status === 'archived' && later.status === 'active').toBe(false)
      }
    }),
  )
})

test('organize: only experiences decay; lessons, preferences, decisions and summaries stay', () => {
  fc.assert(
    fc.property(arbitraryMemories(12), fc.double({ min: 0, max: 4_000, noNaN: true }), (memories, at) => {
      const lasting = memories.filter((one) => one.expires === undefined && one.retention !== 'working')
      const standing = lasting.filter((one) => !isSubjectToDecay(one))
      const later = after(buildMemoryMap(...standing), at)
      for (const one of standing)
        expect(later.get(one.id)).toMatchObject({ status: one.status, strength: one.strength })
    }),
  )
})

test('organize: a working memory is archived at the end of its session, or 7 days after its last change', () => {
  const one = { ...experience(1), kind: 'entry', retention: 'working' } as const
  expect(after(buildMemoryMap(one), 6.9).get(one.id)!.status).toBe('active')
  expect(after(buildMemoryMap(one), 7).get(one.id)!.status).toBe('archived')
  expect(expireWorkingMemories(buildMemoryMap(one), one.session!, BEGIN)).toMatchObject([
    { id: one.id, status: 'archived' },
  ])
  expect(expireWorkingMemories(buildMemoryMap(one), 'another session', BEGIN)).toEqual([])
})

test('organize: a strength decays by the rate of its level per whole day', () => {
  const one = experience(1, { lastUsed: iso(BEGIN) })
  expect(applyAging(buildMemoryMap(one), DEFAULT_POLICY, BEGIN + 23 * HOUR)).toEqual([])
  expect(after(buildMemoryMap(one), 2.5).get(one.id)!.strength).toBeCloseTo(0.95 ** 2, 12)
  const used = experience(2, { accessCount: 15, strength: 2 })
  expect(after(buildMemoryMap(used), 3).get(used.id)).toMatchObject({ strength: 2 * 0.98 ** 3, consolidationLevel: 2 })
})

test('organize: an experience at or below the minimum strength is archived', () => {
  const weak = experience(1, { strength: 0.105 })
  expect(after(buildMemoryMap(weak), 0.5).get(weak.id)!.status).toBe('active')
  expect(after(buildMemoryMap(weak), 1).get(weak.id)!.status).toBe('archived')
})

test('organize: the warm tier keeps important experiences and folds the others; the cold tier folds all', () => {
  const [plain, telling] = [experience(1, { importance: 0.2 }), experience(2, { importance: 0.5, accessCount: 100 })]
  const statuses = (at: number) =>
    [plain, telling].map((one) => after(buildMemoryMap(plain, telling), at).get(one.id)!.status)
  expect(statuses(6)).toEqual(['active', 'active'])
  expect(statuses(8)).toEqual(['archived', 'active'])
  expect(statuses(31)).toEqual(['archived', 'archived'])
})

test('organize: a memory is archived when it expires, whatever its kind', () => {
  const entry = buildMemory(1, { kind: 'entry', expires: iso(BEGIN + DAY) })
  expect(after(buildMemoryMap(entry), 0.99).get(entry.id)!.status).toBe('active')
  expect(after(buildMemoryMap(entry), 1).get(entry.id)!.status).toBe('archived')
})

test('organize: over the cap the weakest experiences are archived first, and nothing else', () => {
  const policy = { ...DEFAULT_POLICY, tiers: { ...DEFAULT_POLICY.tiers, experiencesMax: 5 } }
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 200, max: 3_000 }), { maxLength: 15 }),
      fc.nat(10),
      (strengths, lessons) => {
        const experiences = strengths.map((strength, i) => experience(i + 1, { strength: strength / 1_000 }))
        const others = Array.from({ length: lessons }, (_, i) => buildMemory(100 + i, { strength: 0.2 }))
        const later = after(buildMemoryMap(...experiences, ...others), 0.5, policy)
        const left = experiences.filter((one) => later.get(one.id)!.status === 'active')
        expect(left).toHaveLength(Math.min(5, experiences.length))
        const strongest = [...experiences].sort((a, b) => b.strength - a.strength).slice(0, 5)
        expect(new Set(left.map((one) => one.id))).toEqual(new Set(strongest.map((one) => one.id)))
        expect(others.every((one) => later.get(one.id) === one)).toBe(true)
      },
    ),
  )
})

test('organize: a monthly summary contains only what was public already', () => {
  fc.assert(
    fc.property(arbitraryMemories(12), (memories) => {
      const secrets = memories.map((one, i) => ({
        ...one,
        content: `story${i}x of the day`,
        kind: 'experience' as const,
      }))
      const known = after(buildMemoryMap(...secrets), 35)
      for (const month of [...known.values()].filter((one) => one.kind === 'consolidated')) {
        for (const one of secrets) {
          if (month.content.includes(one.content)) expect(known.get(one.id)!.privacy).toBe('public')
        }
      }
    }),
  )
})
