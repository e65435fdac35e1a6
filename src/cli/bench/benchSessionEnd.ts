// bench hooks --after: a session ends, its hook returns, its worker organises; and then nothing of ours is alive.
import fs from 'node:fs'
import { performance } from 'node:perf_hooks'
import { loadProjection } from '../../broker/projection/projectionFiles.ts'
import { HOOK_REGISTRATIONS } from '../../model/hookEvents.ts'
import type { SessionId } from '../../model/id.ts'
import { createHarness, type HarnessOptions } from './benchHarness.ts'
import { appendSession, type FixtureStore } from './fixtureStore.ts'
import { buildHookInput } from './hookPayloads.ts'

/** By then nothing may be alive, in milliseconds. */
const GONE_BY_MS = 60_000

/** How often the system's processes are looked through, in milliseconds. */
const LOOK_MS = 100

export interface SessionEndResult {
  readonly memories: number
  readonly sessionEvents: number
  /** Until the hook itself returned, with its pipes closed. */
  readonly hookMs: number
  /** Until the last process of ours was gone; undefined where one was alive after a minute. */
  readonly exitedAfterMs: number | undefined
  /** The session is in the view. */
  readonly organized: boolean
  readonly isWithinLimit: boolean
}

/** Ends a session of so many events in a store made up. Undefined where the system does not tell of its processes (no /proc). */
export async function benchSessionEnd(
  grown: FixtureStore,
  bench: HarnessOptions & { readonly memories: number; readonly sessionEvents: number },
): Promise<SessionEndResult | undefined> {
  if (!fs.existsSync('/proc/self/cmdline')) return undefined
  const stage = createHarness(grown, bench, true)
  const wired = HOOK_REGISTRATIONS.find(({ event }) => event === 'SessionEnd')!
  const session = `ending-${bench.now}` as SessionId
  appendSession(grown.store, stage.random, session, bench.sessionEvents, bench.now - 3_600_000, [])
  const input = buildHookInput('SessionEnd', { ...stage.setting, session }, stage.random)
  const began = performance.now()
  await stage.start(wired, input)
  const hookMs = performance.now() - began
  // Its scripts lie in a folder of this stage alone: who names it is a process of ours.
  const own = stage.script(wired).replace(/hooks\/[^/]+$/, '')
  let exitedAfterMs: number | undefined
  while (exitedAfterMs === undefined && performance.now() - began < GONE_BY_MS) {
    await new Promise((done) => setTimeout(done, LOOK_MS))
    if (!hasRunningProcess(own)) exitedAfterMs = performance.now() - began
  }
  const known = loadProjection(grown.store).projection.sessions.get(session)
  const organized = known !== undefined && known.pending.length === 0
  return {
    memories: bench.memories,
    sessionEvents: bench.sessionEvents,
    hookMs,
    exitedAfterMs,
    organized,
    isWithinLimit: exitedAfterMs !== undefined && organized,
  }
}

/** Whether a process runs whose command line names something below this folder. */
export function hasRunningProcess(folder: string): boolean {
  return fs.readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(folder)
    } catch {
      return false // Gone since it was listed.
    }
  })
}
