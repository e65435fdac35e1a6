// The property of manyMachines.test.ts on real stores: files, locks, logs, snapshots, and the sync of the product.
import fc from 'fast-check'
import { test } from 'vitest'
import { createMemoryHub } from './memoryHub.ts'
import { arbitraryHistory, expectSameMemory } from './realMachines.ts'

const RUNS = process.env['MEMCTL_LONG'] === '1' ? 60 : 4

test('team: any histories and syncs of real stores end in the same memory, also after a rebuild', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryHistory, (history) => expectSameMemory(createMemoryHub(), history)),
    { numRuns: RUNS },
  )
}, 600_000)
