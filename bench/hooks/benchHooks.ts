// bench hooks: the time of each hook against a bare Node, in a store of a given size and in the middle of a session.
import fs from 'node:fs'
import { hookConfigFile } from '../../src/broker/open/hookConfig.ts'
import { HOOK_REGISTRATIONS, type HookEvent, type HookRegistration } from '../../src/model/hookEvents.ts'
import type { FixtureStore } from '../fixture/fixtureStore.ts'
import { buildHookInput } from '../fixture/syntheticSession.ts'
import { type BenchHarness, createHarness, type HarnessOptions } from './benchHarness.ts'
import { comparePaired, measurePeakMemoryMb, type PairedTiming, runTimed } from './pairedTiming.ts'

export interface HookBenchResult extends PairedTiming {
  readonly event: HookEvent
  readonly runs: number
  /** Number of runs in which the hook injected context. */
  readonly injected: number
  /** The limit for a store of this size; absent if none is set. */
  readonly ratioMax?: number | undefined
  readonly isWithinLimit?: boolean | undefined
  readonly memoryMb?: number | undefined
  readonly bareMemoryMb?: number | undefined
}

/** From this many memories on, the second limit of an event applies. */
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

/** Pairs before those that count, to warm up the disk cache and the processor. */
const WARM_UP_PAIRS = 2

export interface HookBenchOptions extends HarnessOptions {
  readonly runs: number
  readonly memories: number
  /** Compares each hook with log.sync always to the same hook with log.sync session, instead of a bare Node. */
  readonly sync?: boolean
  /** Compares each hook to that of another build in a store like this one, instead of a bare Node. */
  readonly against?: { readonly fixture: FixtureStore; readonly hooksFolder: string } | undefined
  /** Only these events; default: all. */
  readonly only?: readonly HookEvent[]
}

/** Measures every hook and removes what it appended after each run. Throws INPUT_INVALID if a hook had a fault. */
export function benchHooks(fixture: FixtureStore, bench: HookBenchOptions): HookBenchResult[] {
  const harness = createHarness(fixture, bench)
  const other = bench.against && createHarness(bench.against.fixture, { ...bench, ...bench.against })
  const config = hookConfigFile(fixture.home)
  try {
    const hooks = HOOK_REGISTRATIONS.filter(({ event }) => bench.only?.includes(event) ?? true)
    const isStart = ({ event }: HookRegistration): boolean => event === 'SessionStart'
    const measure = (hook: HookRegistration): HookBenchResult => measureHook({ harness, other, config }, hook, bench)
    // SessionStart is measured in an empty session.
    const starts = hooks.filter(isStart).map(measure)
    harness.startSession()
    other?.startSession()
    return [...starts, ...hooks.filter((hook) => !isStart(hook)).map(measure)]
  } finally {
    fs.rmSync(config, { force: true })
    harness.reset()
    other?.reset()
  }
}

interface Setup {
  readonly harness: BenchHarness
  /** That of the other build. */
  readonly other: BenchHarness | undefined
  /** The file that says how the log is synced. */
  readonly config: string
}

function measureHook(
  { harness, other, config }: Setup,
  hook: HookRegistration,
  bench: HookBenchOptions,
): HookBenchResult {
  const { event } = hook
  const { env, fixture } = harness
  const inputsOf = ({ setting, random }: BenchHarness): string[] =>
    Array.from({ length: bench.runs + WARM_UP_PAIRS }, () => buildHookInput(event, setting, random))
  const inputs = inputsOf(harness)
  const otherInputs = other ? inputsOf(other) : []
  const injected = new Set<number>()
  const once = (i: number): number => {
    const ended = harness.run(hook, inputs[i] ?? '')
    if (i < bench.runs && ended.stdout !== '') injected.add(i)
    return ended.ms
  }
  const run = (i: number): number => {
    if (bench.sync) fs.writeFileSync(config, JSON.stringify({ log: { sync: 'always' } }))
    return once(i)
  }
  const bare = (i: number): number => {
    if (other) return other.run(hook, otherInputs[i] ?? '').ms
    if (!bench.sync) return runTimed(['-e', '0'], inputs[i] ?? '', env, fixture.root).ms
    fs.rmSync(config, { force: true })
    return once(i)
  }
  for (let i = bench.runs; i < bench.runs + WARM_UP_PAIRS; i++) {
    run(i)
    bare(i)
  }
  const pairs = comparePaired(bench.runs, run, bare)
  const memoryMb = measurePeakMemoryMb([harness.script(hook)], inputs[0] ?? '', env, fixture.root)
  harness.rollBack(hook)
  const ratioMax = bench.sync || other ? undefined : RATIO_MAX[event]?.[bench.memories < LARGE_FROM ? 0 : 1]
  return {
    ...pairs,
    event,
    runs: bench.runs,
    injected: injected.size,
    ratioMax,
    isWithinLimit: ratioMax === undefined ? undefined : pairs.ratio <= ratioMax,
    memoryMb,
    bareMemoryMb: measurePeakMemoryMb([], '', env, fixture.root),
  }
}
