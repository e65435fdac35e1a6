// bench organize: time and memory for improving and organizing one session in a store of a given size. The real
// worker does both in its own process; improving alone is measured in this process.
import { performance } from 'node:perf_hooks'
import { openHookContext } from '../../src/broker/handlers/hookContext.ts'
import { HOOK_HANDLERS } from '../../src/broker/handlers/hookHandlers.ts'
import { improveSession } from '../../src/broker/maintenance/maintenance.ts'
import { applyLogTail, loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import type { SessionId } from '../../src/model/id.ts'
import { type FixtureStore, type GeneratedSession, readLogSizes, truncateLog } from '../fixture/fixtureStore.ts'
import { type Random, seededRandom } from '../fixture/seededRandom.ts'
import { generateSession } from '../fixture/syntheticSession.ts'
import { cleanEnvironment, type Environment, measureUsage, median } from '../hooks/pairedTiming.ts'

export interface OrganizeResult {
  readonly memories: number
  readonly sessionEvents: number
  readonly runs: number
  /** Medians of the runs: CPU seconds, elapsed seconds, peak memory. */
  readonly cpuS: number
  readonly wallS: number
  readonly memoryMb: number
  /** Improving alone: the maximum of the runs. The first run is as cold as a worker's. */
  readonly improveCpuS: number
  /** Recalls that it judged: the median. */
  readonly recalls: number
}

interface OrganizeBench {
  readonly runs: number
  readonly memories: number
  readonly sessionEvents: number
  /** The built worker.cjs. */
  readonly worker: string
  readonly env: Environment
  readonly now: number
}

/** Organizes `runs` sessions one after the other; the store grows a little with each. */
export function benchOrganize(grown: FixtureStore, bench: OrganizeBench): OrganizeResult {
  const env = cleanEnvironment(bench.env, { MEMCTL_HOME: grown.home })
  const improved: { cpuS: number; recalls: number }[] = []
  const runs = Array.from({ length: bench.runs }, (_, i) => {
    const session = `organised-${bench.now}-${i}` as SessionId
    const generated = { session, events: bench.sessionEvents, startMs: bench.now - 86_400_000 }
    runSession(grown, seededRandom(bench.now + i), generated)
    improved.push(measureImproving(grown, session, bench.now))
    const began = performance.now()
    const used = measureUsage([bench.worker, grown.root], '', env, grown.root)
    return {
      wallS: (performance.now() - began) / 1000,
      cpuS: used?.cpuS ?? Number.NaN,
      rssKb: used?.maxRssKb ?? Number.NaN,
    }
  })
  return {
    memories: bench.memories,
    sessionEvents: bench.sessionEvents,
    runs: bench.runs,
    cpuS: median(runs.map((run) => run.cpuS)),
    wallS: median(runs.map((run) => run.wallS)),
    memoryMb: median(runs.map((run) => run.rssKb)) / 1024,
    improveCpuS: Math.max(...improved.map(({ cpuS }) => cpuS)),
    recalls: median(improved.map(({ recalls }) => recalls)),
  }
}

/** Runs a session through the hooks' own handlers, so that memories are shown in it as in a real session. */
function runSession({ store }: FixtureStore, chance: Random, { session, events, startMs }: GeneratedSession): void {
  const setting = { root: store.project.root, session, branch: 'main' }
  for (const { at, payload } of generateSession(chance, setting, events, startMs))
    (HOOK_HANDLERS[payload.hook_event_name] ?? HOOK_HANDLERS['Stop']!)(payload, openHookContext(store, at))
}

/** Improves the session, then removes what that appended, so that the worker finds the session unchanged. */
function measureImproving(grown: FixtureStore, session: SessionId, now: number): { cpuS: number; recalls: number } {
  const { store } = grown
  const mark = readLogSizes(store)
  const loaded = loadProjection(store)
  applyLogTail(store, loaded)
  const recalls = loaded.projection.sessions.get(session)!.pending.filter((event) => event.kind === 'recalled').length
  const before = process.cpuUsage()
  improveSession(store, loaded, { session, now, movesPolicy: true })
  const { user, system } = process.cpuUsage(before)
  truncateLog(store, mark)
  return { cpuS: (user + system) / 1e6, recalls }
}
