// A stage for measuring: a made-up store, the hooks in a folder of its own, and a session that is running.
import fs from 'node:fs'
import path from 'node:path'
import { commitEvents } from '../../broker/commit/commitEvents.ts'
import { cacheFolder } from '../../hook/codeCache.ts'
import type { WiredEvent } from '../../hook/events.ts'
import { MemoryError } from '../../model/errors.ts'
import { eventsOf, type Grown, type Mark, markOf, rewind } from './fixtureStore.ts'
import { type Environment, measuredEnvironment, type Run, ran, timed } from './pairedTiming.ts'
import { type Chance, seeded } from './seededRandom.ts'
import { madeUpSession, type Setting } from './syntheticSession.ts'

/** Events of the session that is running while its hooks are measured. */
const RUNNING_EVENTS = 40

export interface StageSettings {
  readonly hooksFolder: string
  readonly env: Environment
  /** Without V8's code caches, as in the very first session on a machine. */
  readonly cold?: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface Stage {
  readonly grown: Grown
  readonly setting: Setting
  readonly env: Environment
  /** What a run takes its words from; the same on two stages. */
  readonly chance: Chance
  /** The hook's script. */
  script(wired: WiredEvent): string
  /** Runs a hook to its end and takes back what it appended. Throws INPUT_INVALID where it had a fault. */
  run(wired: WiredEvent, input: string): Run
  /** The same by Node's words, for who looks at the process or runs several. `settled` takes back and looks for faults. */
  started(wired: WiredEvent, input: string): Promise<void>
  settled(wired: WiredEvent): void
  /** The session is in its middle from now on: before that a session may start. */
  begin(): void
  /** Everything appended is taken back. */
  end(): void
}

/**
 * Sets the stage. The hooks' worker does nothing unless `works`: starting it is part of a hook's time, its work is not, and
 * would run beside the next hook measured. Before that the true worker has run once, which makes the code caches hooks run from.
 */
export function stageFor(grown: Grown, settings: StageSettings, works = false): Stage {
  const chance = seeded(settings.now)
  const env = measuredEnvironment(settings.env, {
    ...{ MEMCTL_HOME: grown.home, CLAUDE_PROJECT_DIR: grown.root, CLAUDE_PID: String(process.pid) },
  })
  const folder = hooksIn(path.dirname(grown.home), grown, settings, env, works)
  const setting: Setting = { root: grown.root, session: 'running', branch: 'main' }
  const before = markOf(grown.store)
  let mark: Mark = before
  const script = (wired: WiredEvent): string => path.join(folder, `${wired.script}.cjs`)
  const settled = (wired: WiredEvent): void => {
    rewind(grown.store, mark)
    assertSound(grown, wired)
  }
  return {
    ...{ grown, setting, env, chance, script, settled },
    run(wired, input) {
      const ended = timed([script(wired)], input, env, grown.root)
      rewind(grown.store, mark)
      assertSound(grown, wired, ended)
      return ended
    },
    started: (wired, input) => ran([script(wired)], input, env, grown.root),
    begin() {
      const running = madeUpSession(chance, setting, RUNNING_EVENTS, settings.now - 3_600_000).slice(0, -1)
      commitEvents(grown.store, eventsOf(grown.store, running))
      mark = markOf(grown.store)
    },
    end: () => rewind(grown.store, before),
  }
}

function hooksIn(scratch: string, grown: Grown, settings: StageSettings, env: Environment, works: boolean): string {
  const folder = path.join(scratch, 'dist', 'hooks')
  const [built, worker] = [
    path.join(settings.hooksFolder, '..', 'worker.cjs'),
    path.join(scratch, 'dist', 'worker.cjs'),
  ]
  fs.rmSync(path.dirname(folder), { recursive: true, force: true })
  fs.rmSync(cacheFolder(env), { recursive: true, force: true })
  fs.cpSync(settings.hooksFolder, folder, { recursive: true })
  if (!settings.cold && fs.existsSync(built)) {
    fs.copyFileSync(built, worker)
    timed([worker, grown.root], '', env, grown.root)
  }
  if (!works) fs.writeFileSync(worker, '')
  return folder
}

function assertSound({ store }: Grown, { event }: WiredEvent, run?: Run): void {
  const faults = store.files.read(store.layout.faults)?.toString('utf8')
  if ((run?.status ?? 0) === 0 && faults === undefined) return
  throw new MemoryError(
    'INPUT_INVALID',
    `${event} had a fault: ${faults?.split('\n')[0] ?? (run?.stderr || `status ${run?.status}`)}`,
    {
      mend: 'A hook that fails is not worth measuring: mend it first.',
    },
  )
}
