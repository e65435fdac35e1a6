// bench hooks: what each hook costs beside a bare Node, in a store of a given size and in the middle of a session.
import fs from 'node:fs'
import { hookConfigFile } from '../../broker/hookConfig.ts'
import { type HookEvent, hookTable, type WiredEvent } from '../../hook/events.ts'
import { type Stage, type StageSettings, stageFor } from './benchHarness.ts'
import type { Grown } from './fixtureStore.ts'
import { inputFor } from './hookPayloads.ts'
import { memoryMb, type Paired, paired, timed } from './pairedTiming.ts'

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

/** Pairs run before those that count: the disk's cache fills, the processor wakes up. */
export const WARM_UP = 2

export interface HookBench extends StageSettings {
  readonly runs: number
  readonly memories: number
  /** Each hook with log.sync always, beside the same hook with log.sync session instead of a bare Node. */
  readonly sync?: boolean
  /** Only these events; all of them where absent. */
  readonly only?: readonly HookEvent[]
}

/** Measures every hook; what they append is taken back after each run. Throws INPUT_INVALID where a hook had a fault. */
export function benchHooks(grown: Grown, bench: HookBench): HookResult[] {
  const stage = stageFor(grown, bench)
  const config = hookConfigFile(grown.home)
  try {
    return inOrder(() => stage.begin(), bench.only).map((wired) => measured(stage, wired(), bench, config))
  } finally {
    fs.rmSync(config, { force: true })
    stage.end()
  }
}

/** Every hook in the order in which they are measured: a session starts where nothing is undone; all else happens in the middle of it. */
export function inOrder(begin: () => void, only?: readonly HookEvent[]): (() => WiredEvent)[] {
  const wanted = hookTable.filter(({ event }) => only?.includes(event) ?? true)
  const starts = wanted.filter(({ event }) => event === 'SessionStart')
  const others = wanted.filter(({ event }) => event !== 'SessionStart')
  return [...starts, ...others].map((wired) => () => {
    if (wired === others[0]) begin()
    return wired
  })
}

function measured(stage: Stage, wired: WiredEvent, bench: HookBench, config: string): HookResult {
  const { event } = wired
  const { env, grown } = stage
  const inputs = Array.from({ length: bench.runs + WARM_UP }, () => inputFor(event, stage.setting, stage.chance))
  const answered = new Set<number>()
  const once = (i: number): number => {
    const ended = stage.run(wired, inputs[i]!)
    if (i < bench.runs && ended.stdout !== '') answered.add(i)
    return ended.ms
  }
  const run = (i: number): number => {
    if (bench.sync) fs.writeFileSync(config, JSON.stringify({ log: { sync: 'always' } }))
    return once(i)
  }
  const bare = (i: number): number => {
    if (!bench.sync) return timed(['-e', '0'], inputs[i]!, env, grown.root).ms
    fs.rmSync(config, { force: true })
    return once(i)
  }
  for (let i = bench.runs; i < bench.runs + WARM_UP; i++) {
    run(i)
    bare(i)
  }
  const pairs = paired(bench.runs, run, bare)
  const took = memoryMb([stage.script(wired)], inputs[0]!, env, grown.root)
  stage.settled(wired)
  const ratioMax = bench.sync ? undefined : RATIO_MAX[event]?.[bench.memories < LARGE_FROM ? 0 : 1]
  return {
    ...{ event, runs: bench.runs, ...pairs, answered: answered.size, ratioMax },
    within: ratioMax === undefined ? undefined : pairs.ratio <= ratioMax,
    memoryMb: took,
    bareMemoryMb: memoryMb([], '', env, grown.root),
  }
}
