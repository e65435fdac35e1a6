// The setup of a measurement: a generated store, a copy of the hooks, and an open session.
import fs from 'node:fs'
import path from 'node:path'
import { commitEvents } from '../../src/broker/commit/commitEvents.ts'
import { codeCacheFolder } from '../../src/hook/codeCache.ts'
import type { HookRegistration } from '../../src/model/hookEvents.ts'
import { MemoryError } from '../../src/model/memoryError.ts'
import {
  eventsFromPayloads,
  type FixtureStore,
  type LogSizes,
  readLogSizes,
  truncateLog,
} from '../fixture/fixtureStore.ts'
import { type Random, seededRandom } from '../fixture/seededRandom.ts'
import { generateSession, type SessionSetting } from '../fixture/syntheticSession.ts'
import { cleanEnvironment, type Environment, type ProcessRun, runProcess, runTimed } from './pairedTiming.ts'

/** Events of the session that is open while its hooks are measured. */
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
  /** The source of generated payloads; two harnesses of the same time generate the same. */
  readonly random: Random
  /** The hook's script. */
  script(hook: HookRegistration): string
  /** Runs a hook and removes what it appended. Throws INPUT_INVALID if it had a fault. */
  run(hook: HookRegistration, input: string): ProcessRun
  /** Runs a hook without blocking and without removing anything: `rollBack` does, and checks for faults. */
  start(hook: HookRegistration, input: string): Promise<void>
  rollBack(hook: HookRegistration): void
  /** Appends the first events of the open session. */
  startSession(): void
  /** Removes everything that was appended. */
  reset(): void
}

/**
 * Creates the setup. The real worker runs once, which creates the hooks' code caches. Then, unless `hasWorker`, an
 * empty one replaces it: starting it is part of a hook's time, but its work is not and would disturb the next
 * measurement.
 */
export function createHarness(fixture: FixtureStore, settings: HarnessOptions, hasWorker = false): BenchHarness {
  const random = seededRandom(settings.now)
  const env = cleanEnvironment(settings.env, {
    MEMCTL_HOME: fixture.home,
    CLAUDE_PROJECT_DIR: fixture.root,
    CLAUDE_PID: String(process.pid),
  })
  const folder = copyHooks(fixture, settings, env, hasWorker)
  const setting: SessionSetting = { root: fixture.root, session: 'running', branch: 'main' }
  const before = readLogSizes(fixture.store)
  let mark: LogSizes = before
  const script = (hook: HookRegistration): string => path.join(folder, `${hook.script}.cjs`)
  const rollBack = (hook: HookRegistration): void => {
    truncateLog(fixture.store, mark)
    assertNoFault(fixture, hook)
  }
  return {
    fixture,
    setting,
    env,
    random,
    script,
    rollBack,
    run(hook, input) {
      const ended = runTimed([script(hook)], input, env, fixture.root)
      truncateLog(fixture.store, mark)
      assertNoFault(fixture, hook, ended)
      return ended
    },
    start: (hook, input) => runProcess([script(hook)], input, env, fixture.root),
    startSession() {
      const running = generateSession(random, setting, RUNNING_EVENTS, settings.now - 3_600_000).slice(0, -1)
      commitEvents(fixture.store, eventsFromPayloads(fixture.store, running))
      mark = readLogSizes(fixture.store)
    },
    reset: () => truncateLog(fixture.store, before),
  }
}

function copyHooks(fixture: FixtureStore, settings: HarnessOptions, env: Environment, hasWorker: boolean): string {
  const dist = path.join(path.dirname(fixture.home), 'dist')
  const folder = path.join(dist, 'hooks')
  const worker = path.join(dist, 'worker.cjs')
  const built = path.join(settings.hooksFolder, '..', 'worker.cjs')
  fs.rmSync(dist, { recursive: true, force: true })
  fs.rmSync(codeCacheFolder(env), { recursive: true, force: true })
  fs.cpSync(settings.hooksFolder, folder, { recursive: true })
  if (!settings.cold && fs.existsSync(built)) {
    fs.copyFileSync(built, worker)
    runTimed([worker, fixture.root], '', env, fixture.root)
  }
  // Hooks start the watchdog. An empty one starts no worker.
  const watchdog = path.join(settings.hooksFolder, '..', 'watchdog.cjs')
  if (hasWorker && fs.existsSync(watchdog)) fs.copyFileSync(watchdog, path.join(dist, 'watchdog.cjs'))
  else fs.writeFileSync(path.join(dist, 'watchdog.cjs'), '')
  return folder
}

function assertNoFault({ store }: FixtureStore, { event }: HookRegistration, run?: ProcessRun): void {
  const faults = store.files.read(store.layout.faults)?.toString('utf8')
  if ((run?.status ?? 0) === 0 && faults === undefined) return
  throw new MemoryError(
    'INPUT_INVALID',
    `${event} had a fault: ${faults?.split('\n')[0] ?? (run?.stderr || `status ${run?.status}`)}`,
    {
      hint: 'Fix the hook before it is measured.',
    },
  )
}
