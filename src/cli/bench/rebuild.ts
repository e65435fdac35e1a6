// bench rebuild: how fast the log is read, and how fast everything derived is made anew from it.
import { performance } from 'node:perf_hooks'
import { rebuild } from '../../broker/upkeep.ts'
import { readLog } from '../../store/logRead.ts'
import type { Grown } from './grow.ts'

export interface RebuildResult {
  readonly events: number
  readonly memories: number
  readonly readS: number
  readonly readEventsPerS: number
  readonly rebuildS: number
  readonly rebuildEventsPerS: number
}

export function benchRebuild({ store }: Grown, now: number): RebuildResult {
  const began = performance.now()
  const events = readLog(store.files, store.layout.events).events.length
  const read = performance.now()
  const { memories } = rebuild(store, now)
  const [readS, rebuildS] = [(read - began) / 1000, (performance.now() - read) / 1000]
  return { events, memories, readS, readEventsPerS: events / readS, rebuildS, rebuildEventsPerS: events / rebuildS }
}
