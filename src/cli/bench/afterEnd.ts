// bench hooks --after: a session ends, its hook returns, its worker organises; and then nothing of ours is alive.
import fs from 'node:fs'
import { performance } from 'node:perf_hooks'
import { load } from '../../broker/view/save.ts'
import { hookTable } from '../../hook/events.ts'
import type { SessionId } from '../../model/id.ts'
import { type StageSettings, stageFor } from './benchHarness.ts'
import { appendSession, type Grown } from './fixtureStore.ts'
import { inputFor } from './hookPayloads.ts'

/** By then nothing may be alive, in milliseconds. */
const GONE_BY_MS = 60_000

/** How often the system's processes are looked through, in milliseconds. */
const LOOK_MS = 100

export interface AfterEndResult {
  readonly memories: number
  readonly sessionEvents: number
  /** Until the hook itself returned, with its pipes closed. */
  readonly hookMs: number
  /** Until the last process of ours was gone; undefined where one was alive after a minute. */
  readonly goneAfterMs: number | undefined
  /** The session is in the view. */
  readonly organized: boolean
  readonly within: boolean
}

/** Ends a session of so many events in a store made up. Undefined where the system does not tell of its processes (no /proc). */
export async function benchAfterEnd(
  grown: Grown,
  bench: StageSettings & { readonly memories: number; readonly sessionEvents: number },
): Promise<AfterEndResult | undefined> {
  if (!fs.existsSync('/proc/self/cmdline')) return undefined
  const stage = stageFor(grown, bench, true)
  const wired = hookTable.find(({ event }) => event === 'SessionEnd')!
  const session = `ending-${bench.now}` as SessionId
  appendSession(grown.store, stage.chance, session, bench.sessionEvents, bench.now - 3_600_000, [])
  const input = inputFor('SessionEnd', { ...stage.setting, session }, stage.chance)
  const began = performance.now()
  await stage.started(wired, input)
  const hookMs = performance.now() - began
  // Its scripts lie in a folder of this stage alone: who names it is a process of ours.
  const own = stage.script(wired).replace(/hooks\/[^/]+$/, '')
  let goneAfterMs: number | undefined
  while (goneAfterMs === undefined && performance.now() - began < GONE_BY_MS) {
    await new Promise((done) => setTimeout(done, LOOK_MS))
    if (!isRunning(own)) goneAfterMs = performance.now() - began
  }
  const known = load(grown.store).view.sessions.get(session)
  const organized = known !== undefined && known.pending.length === 0
  return {
    ...{ memories: bench.memories, sessionEvents: bench.sessionEvents, hookMs, goneAfterMs, organized },
    within: goneAfterMs !== undefined && organized,
  }
}

/** Whether a process runs whose command line names something below this folder. */
export function isRunning(folder: string): boolean {
  return fs.readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(folder)
    } catch {
      return false // Gone since it was listed.
    }
  })
}
