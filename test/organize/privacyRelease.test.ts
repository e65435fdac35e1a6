// Timed release: each step on its day, once, never reversed, and never because an entry point claims a date.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { Memory, MemoryMap } from '../../src/model/memory.ts'
import { PRIVACY_LEVELS, type PrivacyReleaseDays } from '../../src/model/privacy.ts'
import { applyRelease, listDueReleases, type PrivacyRelease, stampPrivacySince } from '../../src/organize/lifecycle.ts'
import { arbitraryMemories } from '../arbitraries.ts'
import { BEGIN, buildMemory, buildMemoryMap, DAY, HOUR, iso } from '../testData.ts'

const { releaseDays } = DEFAULT_POLICY.privacy
const at = (days: number): number => BEGIN + days * DAY
const level = (one: Pick<Memory, 'privacy'>): number => PRIVACY_LEVELS.indexOf(one.privacy)

/** The memories after a check on this day, and the release steps that were due. */
function looked(
  known: MemoryMap,
  days: number,
  by: PrivacyReleaseDays = releaseDays,
): { known: MemoryMap; told: PrivacyRelease[] } {
  const next = new Map(known)
  const told = listDueReleases(known, by, at(days))
  for (const step of told) for (const one of applyRelease(next, step, at(days))) next.set(one.id, one)
  return { known: next, told }
}

const someDays = fc.double({ min: 0, max: 120, noNaN: true })

test('organize: a private memory is released to its role first, and later to everyone', () => {
  let known: MemoryMap = buildMemoryMap(buildMemory(1, { privacy: 'private' }))
  const seen: string[] = []
  for (const day of [29, 31, 32, 43.9, 44]) {
    known = looked(known, day).known
    seen.push(known.get(buildMemory(1).id)!.privacy)
  }
  expect(seen).toEqual(['private', 'agent-only', 'agent-only', 'agent-only', 'public'])
})

test('organize: a late check returns both release steps, each with the time when it was due', () => {
  const { told } = looked(buildMemoryMap(buildMemory(1, { privacy: 'private' })), 100)
  expect(told.map(({ from, to, opened }) => [from, to, opened])).toEqual([
    ['private', 'agent-only', iso(at(30))],
    ['agent-only', 'public', iso(at(44))],
  ])
})

test('organize: any number of checks returns each release step once, with the time when it was due', () => {
  fc.assert(
    fc.property(arbitraryMemories(8), fc.array(someDays, { maxLength: 6 }), someDays, (memories, looks, end) => {
      const steps = [...looks.filter((day) => day < end).sort((a, b) => a - b), end]
      let stepwise: MemoryMap = buildMemoryMap(...memories)
      const told: PrivacyRelease[] = []
      for (const day of steps) {
        const look = looked(stepwise, day)
        for (const step of look.told)
          expect(PRIVACY_LEVELS.indexOf(step.to)).toBe(PRIVACY_LEVELS.indexOf(step.from) + 1)
        stepwise = look.known
        told.push(...look.told)
      }
      const atOnce = looked(buildMemoryMap(...memories), end)
      const key = (one: PrivacyRelease): string => JSON.stringify(one)
      expect(told.map(key).sort()).toEqual(atOnce.told.map(key).sort())
      for (const one of memories) {
        expect(level(stepwise.get(one.id)!)).toBeGreaterThanOrEqual(level(one))
        expect(stepwise.get(one.id)!.privacy).toBe(atOnce.known.get(one.id)!.privacy)
      }
    }),
  )
})

test('organize: nothing is released without a number of days, or if the release is set to never', () => {
  const known = buildMemoryMap(buildMemory(1, { privacy: 'private' }), buildMemory(2, { privacy: 'agent-only' }))
  expect(listDueReleases(known, {}, at(1e5))).toEqual([])
  expect(listDueReleases(known, { privateToAgentOnly: null, agentOnlyToPublic: null }, at(1e5))).toEqual([])
  const half = listDueReleases(known, { privateToAgentOnly: 1, agentOnlyToPublic: null }, at(1e5))
  expect(half.map((one) => [one.memory, one.to])).toEqual([[buildMemory(1).id, 'agent-only']])
})

test('organize: a release step for another level than the memory has now does nothing', () => {
  const open = buildMemoryMap(buildMemory(1, { privacy: 'public' }))
  expect(
    applyRelease(open, { memory: buildMemory(1).id, from: 'private', to: 'agent-only', opened: iso(BEGIN) }, BEGIN),
  ).toEqual([])
})

test('organize: the days of a stored memory count from when it was stored, whatever date it states', () => {
  const old = buildMemory(1, { privacy: 'private', privacySince: iso(BEGIN - 400 * DAY) })
  const stored = stampPrivacySince(old, undefined, iso(at(10)))
  expect(stored.privacySince).toBe(iso(at(10)))
  expect(listDueReleases(buildMemoryMap(stored), releaseDays, at(39))).toEqual([])
  expect(listDueReleases(buildMemoryMap(stored), releaseDays, at(40))).toHaveLength(1)
  // Stored again as it was, it goes on counting; made more private, it starts again.
  expect(stampPrivacySince(old, stored, iso(at(20))).privacySince).toBe(iso(at(10)))
  const closed = stampPrivacySince(
    buildMemory(1, { privacy: 'private' }),
    buildMemory(1, { privacy: 'public' }),
    iso(at(20)),
  )
  expect(closed.privacySince).toBe(iso(at(20)))
  const fresh = buildMemory(2, { privacy: 'agent-only', created: iso(BEGIN + HOUR) })
  expect(stampPrivacySince(fresh, undefined, iso(BEGIN + HOUR))).toBe(fresh)
})

test('organize: a folded memory enters its monthly summary once it is public, and not before', () => {
  const folded = { kind: 'experience', status: 'archived', tier: 'cold', content: 'told in confidence' } as const
  const known = buildMemoryMap(buildMemory(1, { ...folded, privacy: 'agent-only' }))
  const month = [...looked(known, 14).known.values()].find((one) => one.kind === 'consolidated')
  expect(month?.content).toContain('told in confidence')
  expect([...looked(known, 13).known.values()].some((one) => one.kind === 'consolidated')).toBe(false)
})
