// bench hooks --after: a session ends, its hook returns, its worker organizes and writes. Then no process may be left.
import fs from 'node:fs'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import { HOOK_REGISTRATIONS } from '../../src/model/hookEvents.ts'
import type { SessionId } from '../../src/model/id.ts'
import { appendSession, type FixtureStore } from '../fixture/fixtureStore.ts'
import { findProcesses } from '../fixture/processes.ts'
import { buildHookInput } from '../fixture/syntheticSession.ts'
import { createHarness, type HarnessOptions } from './benchHarness.ts'

/** After this no process may be left, in milliseconds. */
const EXIT_MAX_MS = 60_000

/** Interval between two looks at the system's processes, in milliseconds. */
const POLL_MS = 100

export interface SessionEndResult {
  readonly memories: number
  readonly sessionEvents: number
  /** Until the hook returned and closed its pipes. */
  readonly hookMs: number
  /** Until the last process exited; undefined if one was alive after a minute. */
  readonly exitedAfterMs: number | undefined
  /** Bytes that were written into the home: the sizes of new files, and what was appended. Without code caches. */
  readonly writtenBytes: number
  /** The session was organized. */
  readonly organized: boolean
  readonly isWithinLimit: boolean
}

/** Ends a session of `sessionEvents` events in a generated store. Undefined if the system has no /proc. */
export async function benchSessionEnd(
  fixture: FixtureStore,
  bench: HarnessOptions & { readonly memories: number; readonly sessionEvents: number },
): Promise<SessionEndResult | undefined> {
  if (!fs.existsSync('/proc/self/cmdline')) return undefined
  const harness = createHarness(fixture, bench, true)
  const hook = HOOK_REGISTRATIONS.find(({ event }) => event === 'SessionEnd')
  if (!hook) throw new Error('SessionEnd is not registered')
  const session = `ending-${bench.now}` as SessionId
  const generated = { session, events: bench.sessionEvents, startMs: bench.now - 3_600_000 }
  appendSession(fixture.store, harness.random, generated, [])
  const before = listFiles(fixture.home)
  const input = buildHookInput('SessionEnd', { ...harness.setting, session }, harness.random)
  const startMs = performance.now()
  await harness.start(hook, input)
  const hookMs = performance.now() - startMs
  // The scripts are in a folder of this harness only, so a process that names it is one of ours.
  const own = harness.script(hook).replace(/hooks\/[^/]+$/, '')
  let exitedAfterMs: number | undefined
  while (exitedAfterMs === undefined && performance.now() - startMs < EXIT_MAX_MS) {
    await new Promise((done) => setTimeout(done, POLL_MS))
    if (findProcesses(own).length === 0) exitedAfterMs = performance.now() - startMs
  }
  const summary = loadProjection(fixture.store).projection.sessions.get(session)
  const organized = summary !== undefined && summary.pending.length === 0
  return {
    memories: bench.memories,
    sessionEvents: bench.sessionEvents,
    hookMs,
    exitedAfterMs,
    writtenBytes: countWritten(before, listFiles(fixture.home)),
    organized,
    isWithinLimit: exitedAfterMs !== undefined && organized,
  }
}

function listFiles(folder: string): ReadonlyMap<string, fs.Stats> {
  const names = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('cache'))
  return new Map(names.map((name) => [name, fs.statSync(path.join(folder, name))]))
}

function countWritten(before: ReadonlyMap<string, fs.Stats>, after: ReadonlyMap<string, fs.Stats>): number {
  let bytes = 0
  for (const [name, stats] of after) {
    const { ino, size, mtimeMs } = stats
    const known = before.get(name)
    if (!stats.isFile() || (known?.ino === ino && known.mtimeMs === mtimeMs)) continue
    bytes += known?.ino === ino ? size - known.size : size
  }
  return bytes
}
