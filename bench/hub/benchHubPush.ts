// How fast changes are pushed: by one machine, by several in one project, by several in a project each.
import { performance } from 'node:perf_hooks'
import type { Database } from '../../src/database/database.ts'
import { createPostgresHub } from '../../src/database/hub/postgresHub.ts'
import type { Operation } from '../../src/team/operation.ts'
import { type Random, seededRandom } from '../fixture/seededRandom.ts'
import { median } from '../hooks/pairedTiming.ts'
import { generateOperations } from './hubBenchData.ts'

export interface PushBenchResult {
  readonly machines: number
  readonly projects: number
  readonly operations: number
  readonly perSecond: number
  /** Median of one push. */
  readonly batchMs: number
}

export interface PullBenchResult {
  readonly operations: number
  readonly perSecond: number
}

interface PushBench {
  readonly project: string
  /** In all, shared among the machines. */
  readonly operations: number
  readonly batch: number
  readonly machines: number
  readonly isOneProject: boolean
}

export async function benchPush(database: Database, bench: PushBench): Promise<PushBenchResult> {
  const hub = createPostgresHub(database)
  const random: Random = seededRandom(bench.machines * 2 + Number(bench.isOneProject))
  const each = Math.ceil(bench.operations / bench.machines)
  // Generated before the time is taken, warmed up with a push of another project.
  const histories = Array.from({ length: bench.machines }, () => generateOperations(random, each))
  await hub.push(`${bench.project}-warm-up`, generateOperations(random, bench.batch))
  const times: number[] = []
  const start = performance.now()
  await Promise.all(
    histories.map(async (history, i) => {
      const project = bench.isOneProject ? bench.project : `${bench.project}-${i}`
      for (const batch of splitBatches(history, bench.batch)) {
        const from = performance.now()
        await hub.push(project, batch)
        times.push(performance.now() - from)
      }
    }),
  )
  const operations = each * bench.machines
  return {
    machines: bench.machines,
    projects: bench.isOneProject ? 1 : bench.machines,
    operations,
    perSecond: operations / ((performance.now() - start) / 1000),
    batchMs: median(times),
  }
}

/** How fast a new machine pulls all changes of a project. */
export async function benchPull(database: Database, project: string, batch: number): Promise<PullBenchResult> {
  const hub = createPostgresHub(database)
  const start = performance.now()
  let [operations, after, more] = [0, 0, true]
  while (more) {
    const page = await hub.pull(project, after, batch)
    operations += page.operations.length
    after = page.through
    more = page.more
  }
  return { operations, perSecond: operations / ((performance.now() - start) / 1000) }
}

const splitBatches = (operations: readonly Operation[], size: number): readonly (readonly Operation[])[] =>
  Array.from({ length: Math.ceil(operations.length / size) }, (_, i) => operations.slice(i * size, (i + 1) * size))
