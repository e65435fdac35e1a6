// bench hooks: what each hook costs beside a bare Node, in a store of a given size and in the middle of a session.
import fs from 'node:fs'
import { hookConfigFile } from '../../broker/open/hookConfig.ts'
import { HOOK_REGISTRATIONS, type HookEvent, type HookRegistration } from '../../model/hookEvents.ts'
import { type BenchHarness, createHarness, type HarnessOptions } from './benchHarness.ts'
import type { FixtureStore } from './fixtureStore.ts'
import { buildHookInput } from './hookPayloads.ts'
import { comparePaired, measurePeakMemoryMb, type PairedTiming, runTimed } from './pairedTiming.ts'

export interface HookBenchResult extends PairedTiming {
  readonly event: HookEvent
  readonly runs: number
  /** In how many runs the hook told the model something. */
  readonly injected: number
  /** The bar for a store of this size; absent where none is set. */
  readonly ratioMax?: number | undefined
  readonly isWithinLimit?: boolean | undefined
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
export const WARM_UP_PAIRS = 2

export interface HookBenchOptions extends HarnessOptions {
  readonly runs: number
  readonly memories: number
  /** Each hook with log.sync always, beside the same hook with log.sync session instead of a bare Node. */
  readonly sync?: boolean
  /** Only these events; all of them where absent. */
  readonly only?: readonly HookEvent[]
}

/** Measures every hook; what they append is taken back after each run. Throws INPUT_INVALID where a hook had a fault. */
export function benchHooks(grown: FixtureStore, bench: HookBenchOptions): HookBenchResult[] {
  const stage = createHarness(grown, bench)
  const config = hookConfigFile(grown.home)
  try {
    return orderHooks(() => stage.startSession(), bench.only).map((wired) => measured(stage, wired(), bench, config))
  } finally {
    fs.rmSync(config, { force: true })
    stage.reset()
  }
}

/** Every hook in the order in which they are measured: a session starts where nothing is undone; all else happens in the middle of it. */
export function orderHooks(begin: () => void, only?: readonly HookEvent[]): (() => HookRegistration)[] {
  const wanted = HOOK_REGISTRATIONS.filter(({ event }) => only?.includes(event) ?? true)
  const starts = wanted.filter(({ event }) => event === 'SessionStart')
  const others = wanted.filter(({ event }) => event !== 'SessionStart')
  return [...starts, ...others].map((wired) => () => {
    if (wired === others[0]) begin()
    return wired
  })
}

function measured(
  stage: BenchHarness,
  wired: HookRegistration,
  bench: HookBenchOptions,
  config: string,
): HookBenchResult {
  const { event } = wired
  const { env, fixture } = stage
  const inputs = Array.from({ length: bench.runs + WARM_UP_PAIRS }, () =>
    buildHookInput(event, stage.setting, stage.random),
  )
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
    if (!bench.sync) return runTimed(['-e', '0'], inputs[i]!, env, fixture.root).ms
    fs.rmSync(config, { force: true })
    return once(i)
  }
  for (let i = bench.runs; i < bench.runs + WARM_UP_PAIRS; i++) {
    run(i)
    bare(i)
  }
  const pairs = comparePaired(bench.runs, run, bare)
  const took = measurePeakMemoryMb([stage.script(wired)], inputs[0]!, env, fixture.root)
  stage.rollBack(wired)
  const ratioMax = bench.sync ? undefined : RATIO_MAX[event]?.[bench.memories < LARGE_FROM ? 0 : 1]
  return {
    ...{ event, runs: bench.runs, ...pairs, injected: answered.size, ratioMax },
    isWithinLimit: ratioMax === undefined ? undefined : pairs.ratio <= ratioMax,
    memoryMb: took,
    bareMemoryMb: measurePeakMemoryMb([], '', env, fixture.root),
  }
}
