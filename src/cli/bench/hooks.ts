// bench hooks: what each hook costs beside a bare Node, in a store of a given size and in the middle of a session.
import fs from 'node:fs'
import path from 'node:path'
import { hookConfigFile } from '../../broker/hookConfig.ts'
import { cacheFolder } from '../../hook/codeCache.ts'
import { type HookEvent, hookTable, type WiredEvent } from '../../hook/events.ts'
import { MemoryError } from '../../model/errors.ts'
import type { Payload } from '../../record/payload.ts'
import { appendEvents } from '../../store/log.ts'
import { eventsOf, type Grown, type Mark, markOf, rewind } from './grow.ts'
import {
  callId,
  editCall,
  failingCall,
  madeUpSession,
  passingCall,
  payloadOf,
  promptOf,
  type Setting,
} from './madeUp.ts'
import { type Environment, measuredEnvironment, memoryMb, type Paired, paired, type Run, timed } from './paired.ts'
import { type Chance, seeded } from './seeded.ts'
import { commandOf, errorOf, fileOf, paragraph, sentence } from './world.ts'

export interface HookResult extends Paired {
  readonly event: HookEvent
  readonly runs: number
  /** In how many runs the hook told the model something. */
  readonly answered: number
  /** The bar for a store of this size; absent where none is set. */
  readonly ratioMax?: number | undefined
  readonly within?: boolean | undefined
  readonly memoryMb?: number | undefined
  readonly bareMemoryMb?: number | undefined
}

/** From this many memories on the second bar of an event holds. */
const LARGE_FROM = 50_000

/** The most a hook may cost, as a multiple of a bare Node: with up to some 10,000 memories, and with 100,000. */
const RATIO_MAX: { readonly [E in HookEvent]?: readonly [number, number] } = {
  PostToolUse: [1.15, 1.15],
  PreToolUse: [1.3, 1.5],
  PostToolUseFailure: [1.3, 1.5],
  SessionStart: [1.5, 2],
  UserPromptSubmit: [1.5, 2],
  SessionEnd: [1.3, 1.3],
}

/** Events of the session that is running while its hooks are measured. */
const RUNNING_EVENTS = 40

/** Pairs run before those that count: the disk's cache fills, the processor wakes up. */
const WARM_UP = 2

export interface HookBench {
  readonly runs: number
  readonly memories: number
  readonly hooksFolder: string
  readonly env: Environment
  /** Without V8's code caches, as in the very first session on a machine. */
  readonly cold?: boolean
  /** Each hook with log.sync always, beside the same hook with log.sync session instead of a bare Node. */
  readonly sync?: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  /** Only these events; all of them where absent. */
  readonly only?: readonly HookEvent[]
}

/** Measures every hook; what they append is taken back after each run. Throws INPUT_INVALID where a hook had a fault. */
export function benchHooks(grown: Grown, bench: HookBench): HookResult[] {
  const chance = seeded(bench.now)
  const env = measuredEnvironment(bench.env, {
    ...{ MEMCTL_HOME: grown.home, CLAUDE_PROJECT_DIR: grown.root, CLAUDE_PID: String(process.pid) },
  })
  const folder = hooksIn(path.dirname(grown.home), grown, bench, env)
  const setting: Setting = { root: grown.root, session: 'running', branch: 'main' }
  const before = markOf(grown.store)
  const config = hookConfigFile(grown.home)
  try {
    const running = madeUpSession(chance, setting, RUNNING_EVENTS, bench.now - 3_600_000).slice(0, -1)
    const wanted = hookTable.filter(({ event }) => bench.only?.includes(event) ?? true)
    // A session starts where nothing is undone; all else happens in the middle of it.
    const starts = wanted.filter(({ event }) => event === 'SessionStart').map((wired) => measure(wired, before))
    appendEvents(grown.store.files, grown.store.layout.events, eventsOf(grown.store, running))
    const middle = markOf(grown.store)
    const others = wanted.filter(({ event }) => event !== 'SessionStart').map((wired) => measure(wired, middle))
    return [...starts, ...others]
  } finally {
    fs.rmSync(config, { force: true })
    rewind(grown.store, before)
  }

  function measure({ event, script }: WiredEvent, mark: Mark): HookResult {
    const hook = path.join(folder, `${script}.cjs`)
    const inputs = Array.from(
      { length: bench.runs + WARM_UP },
      () => `${JSON.stringify(payloadFor(event, setting, chance))}\n`,
    )
    const answered = new Set<number>()
    const run = (i: number): number => {
      if (bench.sync) fs.writeFileSync(config, JSON.stringify({ log: { sync: 'always' } }))
      return once(i)
    }
    const once = (i: number): number => {
      const ended = timed([hook], inputs[i]!, env, grown.root)
      rewind(grown.store, mark)
      assertSound(grown, event, ended)
      if (i < bench.runs && ended.stdout !== '') answered.add(i)
      return ended.ms
    }
    const bare = (i: number): number => {
      if (!bench.sync) return timed(['-e', '0'], inputs[i]!, env, grown.root).ms
      fs.rmSync(config, { force: true })
      return once(i)
    }
    for (let i = 0; i < WARM_UP; i++) {
      run(bench.runs + i)
      bare(bench.runs + i)
    }
    const measured = paired(bench.runs, run, bare)
    const took = memoryMb([hook], inputs[0]!, env, grown.root)
    rewind(grown.store, mark)
    const ratioMax = bench.sync ? undefined : RATIO_MAX[event]?.[bench.memories < LARGE_FROM ? 0 : 1]
    const within = ratioMax === undefined ? undefined : measured.ratio <= ratioMax
    const bareMemoryMb = memoryMb([], '', env, grown.root)
    return {
      event,
      runs: bench.runs,
      ...measured,
      answered: answered.size,
      ratioMax,
      within,
      memoryMb: took,
      bareMemoryMb,
    }
  }
}

/**
 * The hooks in a folder whose worker does nothing: starting it is part of a hook's time, its work is not, and would run
 * beside the next hook measured. Before that the true worker has run once, which makes the code caches hooks run from.
 */
function hooksIn(scratch: string, grown: Grown, bench: HookBench, env: Environment): string {
  const folder = path.join(scratch, 'dist', 'hooks')
  const [built, worker] = [path.join(bench.hooksFolder, '..', 'worker.cjs'), path.join(scratch, 'dist', 'worker.cjs')]
  fs.rmSync(path.dirname(folder), { recursive: true, force: true })
  fs.rmSync(cacheFolder(env), { recursive: true, force: true })
  fs.cpSync(bench.hooksFolder, folder, { recursive: true })
  if (!bench.cold && fs.existsSync(built)) {
    fs.copyFileSync(built, worker)
    timed([worker, grown.root], '', env, grown.root)
  }
  fs.writeFileSync(worker, '')
  return folder
}

function assertSound({ store }: Grown, event: HookEvent, run: Run): void {
  const faults = store.files.read(store.layout.faults)?.toString('utf8')
  if (run.status === 0 && faults === undefined) return
  throw new MemoryError(
    'INPUT_INVALID',
    `${event} had a fault: ${faults?.split('\n')[0] ?? (run.stderr || `status ${run.status}`)}`,
    {
      mend: 'A hook that fails is not worth measuring: mend it first.',
    },
  )
}

/** A payload for one run of an event's hook. */
function payloadFor(event: HookEvent, setting: Setting, chance: Chance): Payload {
  const file = fileOf(chance)
  const command = commandOf(chance, file)
  const ids = { prompt_id: chance.hex(8), effort: { level: 'high' } }
  const told = (fields: Readonly<Record<string, unknown>>): Payload => payloadOf(setting, event, { ...ids, ...fields })
  const agent = { agent_id: chance.hex(17), agent_type: 'Explore' }
  switch (event) {
    case 'SessionStart':
      return told({ source: 'startup' })
    case 'UserPromptSubmit':
      return told({ prompt: promptOf(chance) })
    case 'PreToolUse':
      return told(
        (chance.isOnce(2) ? passingCall(chance, command) : editCall(chance, `${setting.root}/${file}`))[0]![1],
      )
    case 'PostToolUse':
      return told(
        (chance.isOnce(2) ? passingCall(chance, command) : editCall(chance, `${setting.root}/${file}`))[1]![1],
      )
    case 'PostToolUseFailure':
      return told(failingCall(chance, command, errorOf(chance, file))[1]![1])
    case 'SubagentStart':
      return told({ ...agent, tool_use_id: callId(chance) })
    case 'SubagentStop':
      return told({ ...agent, stop_hook_active: false, last_assistant_message: paragraph(chance, 4) })
    case 'Stop':
      return told({ stop_hook_active: false, last_assistant_message: paragraph(chance, 4) })
    case 'PreCompact':
      return told({ trigger: 'auto', custom_instructions: null })
    case 'PostCompact':
      return told({ trigger: 'auto', compact_summary: [sentence(chance, 9), paragraph(chance, 12)].join('\n') })
    case 'SessionEnd':
      return told({ reason: 'other' })
  }
}
