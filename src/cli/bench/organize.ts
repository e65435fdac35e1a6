// bench organize: what macro-organising one session into a store of a given size takes, by the real worker in its own process.
import { performance } from 'node:perf_hooks'
import { appendSession, type Grown } from './grow.ts'
import { type Environment, measuredEnvironment, median, usage } from './paired.ts'
import { seeded } from './seeded.ts'

export interface OrganizeResult {
  readonly memories: number
  readonly sessionEvents: number
  readonly runs: number
  /** Medians of the runs: processor seconds, seconds by the clock, most memory. */
  readonly cpuS: number
  readonly wallS: number
  readonly memoryMb: number
}

export interface OrganizeBench {
  readonly runs: number
  readonly memories: number
  readonly sessionEvents: number
  /** The built worker.cjs. */
  readonly worker: string
  readonly env: Environment
  readonly now: number
}

/** Organises `runs` sessions one after the other, each into the store the ones before have made a little larger. */
export function benchOrganize(grown: Grown, bench: OrganizeBench): OrganizeResult {
  const env = measuredEnvironment(bench.env, { MEMCTL_HOME: grown.home })
  const runs = Array.from({ length: bench.runs }, (_, i) => {
    const session = `organised-${bench.now}-${i}`
    appendSession(grown.store, seeded(bench.now + i), session, bench.sessionEvents, bench.now - 86_400_000)
    const began = performance.now()
    const used = usage([bench.worker, grown.root], '', env, grown.root)
    return {
      wallS: (performance.now() - began) / 1000,
      cpuS: used?.cpuS ?? Number.NaN,
      rssKb: used?.maxRssKb ?? Number.NaN,
    }
  })
  return {
    ...{ memories: bench.memories, sessionEvents: bench.sessionEvents, runs: bench.runs },
    cpuS: median(runs.map((run) => run.cpuS)),
    wallS: median(runs.map((run) => run.wallS)),
    memoryMb: median(runs.map((run) => run.rssKb)) / 1024,
  }
}
