// Decay by tasks at the rates of the agent-memory spec: a day's tasks decay as much as a day, and no time counts twice.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commitEvents, systemEvent } from '../../src/broker/commit/commitEvents.ts'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../src/broker/maintenance/rebuild.ts'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import { isSubjectToDecay, type Memory, type MemoryMap } from '../../src/model/memory.ts'
import { applyAging, applyTaskDecay } from '../../src/organize/lifecycle.ts'
import { arbitraryMemories } from '../arbitraries.ts'
import {
  BEGIN,
  buildMemory,
  buildMemoryMap,
  createTestStore,
  DAY,
  exampleSession,
  HOUR,
  iso,
  loadMemories,
  runHookPayloads,
} from '../testData.ts'

const after = (known: MemoryMap, at: number): MemoryMap => {
  const next = new Map(known)
  for (const one of applyTaskDecay(known, DEFAULT_POLICY, iso(at))) next.set(one.id, one)
  return next
}
const experience = (n: number, given: Partial<Memory> = {}) =>
  buildMemory(n, { kind: 'experience', importance: 0.9, ...given })

test('organize: ten tasks decay a strength as much as one day, at every consolidation level', () => {
  DEFAULT_POLICY.strength.levelUses.forEach((uses, level) => {
    let known: MemoryMap = buildMemoryMap(experience(1, { accessCount: uses }))
    for (let task = 0; task < DEFAULT_POLICY.strength.tasksPerDay; task++) known = after(known, BEGIN + task * HOUR)
    expect(known.get(buildMemory(1).id)!.strength).toBeCloseTo(DEFAULT_POLICY.strength.dailyRetention[level]!, 9)
    expect(known.get(buildMemory(1).id)!.consolidationLevel).toBe(level)
  })
})

test('organize: a memory that decays by tasks does not decay by days as well', () => {
  const known = after(buildMemoryMap(experience(1)), BEGIN + 0.9 * DAY)
  const { strength } = known.get(buildMemory(1).id)!
  expect(applyAging(known, DEFAULT_POLICY, BEGIN + 1.8 * DAY).some((one) => one.id === buildMemory(1).id)).toBe(false)
  expect(strength).toBeCloseTo(0.95 ** 0.1, 9)
})

test('organize: tasks decay active experiences only, and archive weak ones neither exempt nor to be released', () => {
  fc.assert(
    fc.property(arbitraryMemories(12), (memories) => {
      const later = applyTaskDecay(buildMemoryMap(...memories), DEFAULT_POLICY, iso(BEGIN + DAY))
      const sleepers = memories.filter((one) => isSubjectToDecay(one) && one.status === 'active')
      expect(later.map((one) => one.id).sort()).toEqual(sleepers.map((one) => one.id).sort())
      for (const one of later) {
        const before = memories.find((two) => two.id === one.id)!
        expect(one.strength).toBeLessThanOrEqual(before.strength)
        const isKept = one.archiveExempt === true || one.privacy !== 'public'
        expect(one.status === 'archived').toBe(one.strength <= 0.1 && !isKept)
      }
    }),
  )
  const kept = buildMemoryMap(experience(1, { strength: 0.05, archiveExempt: true }))
  expect(after(kept, BEGIN).get(buildMemory(1).id)!.status).toBe('active')
})

test('broker: a decay pass of an earlier version is an event with its results, and a rebuild repeats it', () => {
  const store = createTestStore()
  const told = exampleSession('first')
    .starts()
    .asks('Add a discount to the cart, please.')
    .edits('src/cart.js')
    .answers('Added it.')
    .ends()
  runHookPayloads(store, told.recorded)
  runMaintenance(store, { now: told.now() })
  const strengthOf = () => Object.values(loadMemories(store)).find((one) => one.kind === 'experience')!.strength
  const before = strengthOf()
  for (const now of [told.now() + 1, told.now() + 2])
    commitEvents(store, [systemEvent({ kind: 'memory.slept' }, { now })])
  runMaintenance(store, { now: told.now() + 2 })
  expect(strengthOf()).toBeCloseTo(before * 0.95 ** 0.2, 9)
  const { projection } = loadProjection(store)
  rebuildStore(store, told.now() + 3)
  expect(JSON.stringify([...loadProjection(store).projection.memories])).toBe(JSON.stringify([...projection.memories]))
})
