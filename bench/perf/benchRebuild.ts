// bench rebuild: how fast the log is read, and how fast everything derived is made anew from it.
import { performance } from 'node:perf_hooks'
import { rebuild } from '../../src/broker/upkeep.ts'
import type { Grown } from '../../src/cli/bench/fixtureStore.ts'
import { readLog } from '../../src/store/logRead.ts'

/** Seconds by the clock and of processor time: on a busy machine the first says more of the others than of us. */
export interface Took {
  readonly wallS: number
  readonly cpuS: number
}

export interface RebuildResult {
  readonly events: number
  readonly memories: number
  readonly read: Took
  readonly rebuild: Took
}

export function benchRebuild({ store }: Grown, now: number): RebuildResult {
  let [events, memories] = [0, 0]
  const read = took(() => {
    events = readLog(store.files, store.layout.events).events.length
  })
  const made = took(() => {
    memories = rebuild(store, now).memories
  })
  return { events, memories, read, rebuild: made }
}

function took(work: () => void): Took {
  const [began, before] = [performance.now(), process.cpuUsage()]
  work()
  const { user, system } = process.cpuUsage(before)
  return { wallS: (performance.now() - began) / 1000, cpuS: (user + system) / 1e6 }
}
