// Exclusions: what starts never use is excluded there, also after a rebuild, and a person controls it.
import { expect, test } from 'vitest'
import { resetPolicy, setPolicyFrozen } from '../../../src/broker/commands/policyCommands.ts'
import { commitEvents } from '../../../src/broker/commit/commitEvents.ts'
import { nextPolicyUpdate, runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { emptyProjection, type Projection } from '../../../src/broker/projection/projection.ts'
import { summarizePolicy } from '../../../src/broker/queries/policySummary.ts'
import { updateMomentUse } from '../../../src/improve/exclusionRules.ts'
import type { EventId, SessionId } from '../../../src/model/id.ts'
import { BEGIN, buildMemory, createTestStore, DAY, HOUR, iso, testMemoryId } from '../../testData.ts'

const NOW = BEGIN + 10 * DAY

/** A project whose starts showed six notes in 40 sessions; only the first two were used. */
function unusedStarts(): Projection {
  const projection = emptyProjection()
  for (let note = 0; note < 6; note++) projection.memories.set(testMemoryId(note), buildMemory(note, { kind: 'fact' }))
  for (let session = 0; session < 40; session++) {
    const recall = {
      recall: `recall-${session}` as EventId,
      session: `session-${session}` as SessionId,
      moment: 'start' as const,
      at: iso(BEGIN + session * HOUR),
      withheld: false,
      memories: [0, 1, 2, 3, 4, 5].map((note) => ({
        memory: testMemoryId(note),
        kind: 'fact' as const,
        features: {},
        used: note < 2 && session % 4 !== 0 ? 0.7 : 0,
        traces: [],
        parts: { success: 0, time: 0, calls: 0, errors: 0 },
        contribution: 0,
      })),
    }
    projection.judged = [...projection.judged, recall]
    projection.momentUse = updateMomentUse(projection.momentUse, [recall], () => true)
  }
  return projection
}

test('policy: exclusions are part of what is learned: frozen, reset and rebuilt like its numbers', () => {
  const update = nextPolicyUpdate(unusedStarts(), NOW)
  expect(update?.exclusions?.map(({ moment, memory }) => [moment, memory])).toEqual(
    [2, 3, 4, 5].map((note) => ['start', testMemoryId(note)]),
  )
  expect(update?.reason).toContain(`excludes ${testMemoryId(2).slice(0, 8)} (start)`)
  expect(nextPolicyUpdate({ ...unusedStarts(), frozen: true }, NOW)).toBeUndefined()
  if (!update) return

  const store = createTestStore()
  commitEvents(store, [update])
  runMaintenance(store, { now: NOW })
  const learned = update.exclusions ?? []
  expect(summarizePolicy(store).exclusions).toEqual(learned)
  rebuildStore(store, NOW)
  expect(summarizePolicy(store).exclusions).toEqual(learned)
  setPolicyFrozen(store, true, NOW)
  expect(summarizePolicy(store).exclusions).toEqual(learned)
  resetPolicy(store, NOW)
  expect(summarizePolicy(store).exclusions).toEqual([])
})

test('policy: rules of earlier versions, about commands, tools and kinds, are ignored', () => {
  const update = nextPolicyUpdate(unusedStarts(), NOW)
  if (!update) throw new Error('nothing was learned')
  const old = { moment: 'call', by: 'tool', value: 'Bash', since: iso(NOW), until: iso(NOW + DAY), renewed: 0 }
  const store = createTestStore()
  commitEvents(store, [{ ...update, exclusions: [{ ...old, evidence: { shown: 60 } } as never] }])
  runMaintenance(store, { now: NOW })
  expect(summarizePolicy(store).exclusions).toEqual([])
})
