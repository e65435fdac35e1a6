// bench hooks --at-once: several PostToolUse of one session at the same moment, and the same ones one after the other.
import os from 'node:os'
import { performance } from 'node:perf_hooks'
import { HOOK_REGISTRATIONS } from '../../model/hookEvents.ts'
import { readLog } from '../../store/log/readLog.ts'
import { createHarness, type HarnessOptions } from './benchHarness.ts'
import type { FixtureStore } from './fixtureStore.ts'
import { buildHookInput } from './hookPayloads.ts'
import { median } from './pairedTiming.ts'

/** As many calls as a client may end at once. */
const HOOKS = 10

/** The most they may take by the clock, as a multiple of what their single runs come to on all cores. */
const RATIO_MAX = 2

export interface ConcurrentHooksResult {
  readonly hooks: number
  readonly cores: number
  readonly runs: number
  /** Medians, in milliseconds: all at once by the clock, and the sum of the single runs. */
  readonly wallMs: number
  readonly singleMs: number
  /** wall ÷ (single ÷ cores), the median of the runs. */
  readonly ratio: number
  readonly ratioMax: number
  /** The fewest events kept in a run: as many as there are hooks, or some were lost. */
  readonly recorded: number
  readonly isWithinLimit: boolean
}

export async function benchConcurrentHooks(
  grown: FixtureStore,
  bench: HarnessOptions & { readonly runs: number },
): Promise<ConcurrentHooksResult> {
  const stage = createHarness(grown, bench)
  const wired = HOOK_REGISTRATIONS.find(({ event }) => event === 'PostToolUse')!
  const { store } = grown
  const cores = os.availableParallelism()
  const runs: { wallMs: number; singleMs: number; recorded: number }[] = []
  try {
    stage.startSession()
    // The first of them warms up and does not count.
    for (let run = 0; run <= bench.runs; run++) {
      const inputs = Array.from({ length: HOOKS }, () => buildHookInput('PostToolUse', stage.setting, stage.random))
      const end = readLog(store.files, store.layout.events).end
      const wallMs = await took(() => Promise.all(inputs.map((input) => stage.start(wired, input))))
      const kept = readLog(store.files, store.layout.events, end).events.map((event) =>
        'call' in event ? event.call : '',
      )
      stage.rollBack(wired)
      const singleMs = await took(async () => {
        for (const input of inputs) await stage.start(wired, input)
      })
      stage.rollBack(wired)
      const told = inputs.map((input) => (JSON.parse(input) as { tool_use_id: string }).tool_use_id)
      if (run > 0)
        runs.push({
          wallMs,
          singleMs,
          recorded: told.filter((call) => kept.filter((one) => one === call).length === 1).length,
        })
    }
  } finally {
    stage.reset()
  }
  const ratio = median(runs.map((run) => (run.wallMs * cores) / run.singleMs))
  const recorded = Math.min(...runs.map((run) => run.recorded))
  return {
    ...{ hooks: HOOKS, cores, runs: bench.runs },
    wallMs: median(runs.map((run) => run.wallMs)),
    singleMs: median(runs.map((run) => run.singleMs)),
    ratio,
    ratioMax: RATIO_MAX,
    recorded,
    isWithinLimit: ratio <= RATIO_MAX && recorded === HOOKS,
  }
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
