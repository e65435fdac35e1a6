// bench rebuild: how fast the log is read, and how fast all derived files are rebuilt from it.
import { performance } from 'node:perf_hooks'
import { rebuildStore } from '../../src/broker/maintenance/rebuild.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import type { FixtureStore } from '../fixture/fixtureStore.ts'

/** Elapsed seconds and CPU seconds: on a busy machine elapsed time also depends on other programs. */
export interface Duration {
  readonly wallS: number
  readonly cpuS: number
}

export interface RebuildResult {
  readonly events: number
  readonly memories: number
  readonly read: Duration
  readonly rebuild: Duration
}

export function benchRebuild({ store }: FixtureStore, now: number): RebuildResult {
  let [events, memories] = [0, 0]
  const read = measure(() => {
    events = readLog(store.files, store.layout.events).events.length
  })
  const rebuilt = measure(() => {
    memories = rebuildStore(store, now).memories
  })
  return { events, memories, read, rebuild: rebuilt }
}

function measure(work: () => void): Duration {
  const [began, before] = [performance.now(), process.cpuUsage()]
  work()
  const { user, system } = process.cpuUsage(before)
  return { wallS: (performance.now() - began) / 1000, cpuS: (user + system) / 1e6 }
}
