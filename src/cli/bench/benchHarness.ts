// A stage for measuring: a made-up store, the hooks in a folder of its own, and a session that is running.
import fs from 'node:fs'
import path from 'node:path'
import { commitEvents } from '../../broker/commit/commitEvents.ts'
import { codeCacheFolder } from '../../hook/codeCache.ts'
import type { HookRegistration } from '../../model/hookEvents.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { eventsFromPayloads, type FixtureStore, type LogSizes, readLogSizes, truncateLog } from './fixtureStore.ts'
import { cleanEnvironment, type Environment, type ProcessRun, runProcess, runTimed } from './pairedTiming.ts'
import { type Random, seededRandom } from './seededRandom.ts'
import { generateSession, type SessionSetting } from './syntheticSession.ts'

/** Events of the session that is running while its hooks are measured. */
const RUNNING_EVENTS = 40

export interface HarnessOptions {
  readonly hooksFolder: string
  readonly env: Environment
  /** Without V8's code caches, as in the very first session on a machine. */
  readonly cold?: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface BenchHarness {
  readonly fixture: FixtureStore
  readonly setting: SessionSetting
  readonly env: Environment
  /** What a run takes its words from; the same on two stages. */
  readonly random: Random
  /** The hook's script. */
  script(wired: HookRegistration): string
  /** Runs a hook to its end and takes back what it appended. Throws INPUT_INVALID where it had a fault. */
  run(wired: HookRegistration, input: string): ProcessRun
  /** The same by Node's words, for who looks at the process or runs several. `settled` takes back and looks for faults. */
  start(wired: HookRegistration, input: string): Promise<void>
  rollBack(wired: HookRegistration): void
  /** The session is in its middle from now on: before that a session may start. */
  startSession(): void
  /** Everything appended is taken back. */
  reset(): void
}

/**
 * Sets the stage. The hooks' worker does nothing unless `works`: starting it is part of a hook's time, its work is not, and
 * would run beside the next hook measured. Before that the true worker has run once, which makes the code caches hooks run from.
 */
export function createHarness(grown: FixtureStore, settings: HarnessOptions, works = false): BenchHarness {
  const chance = seededRandom(settings.now)
  const env = cleanEnvironment(settings.env, {
    ...{ MEMCTL_HOME: grown.home, CLAUDE_PROJECT_DIR: grown.root, CLAUDE_PID: String(process.pid) },
  })
  const folder = hooksIn(path.dirname(grown.home), grown, settings, env, works)
  const setting: SessionSetting = { root: grown.root, session: 'running', branch: 'main' }
  const before = readLogSizes(grown.store)
  let mark: LogSizes = before
  const script = (wired: HookRegistration): string => path.join(folder, `${wired.script}.cjs`)
  const settled = (wired: HookRegistration): void => {
    truncateLog(grown.store, mark)
    assertSound(grown, wired)
  }
  return {
    ...{ fixture: grown, setting, env, random: chance, script, rollBack: settled },
    run(wired, input) {
      const ended = runTimed([script(wired)], input, env, grown.root)
      truncateLog(grown.store, mark)
      assertSound(grown, wired, ended)
      return ended
    },
    start: (wired, input) => runProcess([script(wired)], input, env, grown.root),
    startSession() {
      const running = generateSession(chance, setting, RUNNING_EVENTS, settings.now - 3_600_000).slice(0, -1)
      commitEvents(grown.store, eventsFromPayloads(grown.store, running))
      mark = readLogSizes(grown.store)
    },
    reset: () => truncateLog(grown.store, before),
  }
}

function hooksIn(
  scratch: string,
  grown: FixtureStore,
  settings: HarnessOptions,
  env: Environment,
  works: boolean,
): string {
  const folder = path.join(scratch, 'dist', 'hooks')
  const [built, worker] = [
    path.join(settings.hooksFolder, '..', 'worker.cjs'),
    path.join(scratch, 'dist', 'worker.cjs'),
  ]
  fs.rmSync(path.dirname(folder), { recursive: true, force: true })
  fs.rmSync(codeCacheFolder(env), { recursive: true, force: true })
  fs.cpSync(settings.hooksFolder, folder, { recursive: true })
  if (!settings.cold && fs.existsSync(built)) {
    fs.copyFileSync(built, worker)
    runTimed([worker, grown.root], '', env, grown.root)
  }
  if (!works) fs.writeFileSync(worker, '')
  return folder
}

function assertSound({ store }: FixtureStore, { event }: HookRegistration, run?: ProcessRun): void {
  const faults = store.files.read(store.layout.faults)?.toString('utf8')
  if ((run?.status ?? 0) === 0 && faults === undefined) return
  throw new MemoryError(
    'INPUT_INVALID',
    `${event} had a fault: ${faults?.split('\n')[0] ?? (run?.stderr || `status ${run?.status}`)}`,
    {
      hint: 'A hook that fails is not worth measuring: mend it first.',
    },
  )
}
