// The property of manyMachines.test.ts on real stores and a real database: each history has a project of its own.
import fc from 'fast-check'
import { test } from 'vitest'
import type { Hub } from '../../src/team/hub.ts'
import { startTestHub } from '../database/hub/hubServer.ts'
import { arbitraryHistory, expectSameMemory } from './realMachines.ts'

const RUNS = process.env['MEMCTL_LONG'] === '1' ? 40 : 1

test('team: any histories and syncs through PostgreSQL end in the same memory on all machines', async () => {
  const { hub, close } = await startTestHub()
  let projects = 0
  try {
    await fc.assert(
      fc.asyncProperty(arbitraryHistory, (history) =>
        expectSameMemory(inProject(hub, `project-${++projects}`), history),
      ),
      { numRuns: RUNS },
    )
  } finally {
    await close()
  }
}, 600_000)

/** The hub with one project, whatever a machine calls it, and the version that the machines of tests know. */
const inProject = (hub: Hub, project: string): Hub => ({
  describe: async () => ({ ...(await hub.describe()), version: 1 }),
  lastPushed: (_, replica) => hub.lastPushed(project, replica),
  push: (_, operations, newEpoch) => hub.push(project, operations, newEpoch),
  pull: (_, after, limit) => hub.pull(project, after, limit),
  close: () => hub.close(),
})
