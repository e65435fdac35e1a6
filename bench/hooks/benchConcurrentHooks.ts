// bench hooks --at-once: several PostToolUse hooks of one session concurrently, and the same ones in sequence.
import os from 'node:os'
import { HOOK_REGISTRATIONS } from '../../src/model/hookEvents.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import type { FixtureStore } from '../fixture/fixtureStore.ts'
import { buildHookInput } from '../fixture/syntheticSession.ts'
import { createHarness, type HarnessOptions } from './benchHarness.ts'
import { measureMs, median } from './pairedTiming.ts'

/** The number of calls that a client may end at once. */
const HOOKS = 10

/** Limit of the elapsed time, as a multiple of the time of the single runs divided by the number of cores. */
const RATIO_MAX = 2

export interface ConcurrentHooksResult {
  readonly hooks: number
  readonly cores: number
  readonly runs: number
  /** Medians, in milliseconds: elapsed time of the concurrent runs, and the sum of the single runs. */
  readonly wallMs: number
  readonly singleMs: number
  /** wall ÷ (single ÷ cores), the median of the runs. */
  readonly ratio: number
  readonly ratioMax: number
  /** The smallest number of events recorded in a run; fewer than `hooks` if some were lost. */
  readonly recorded: number
  readonly isWithinLimit: boolean
}

export async function benchConcurrentHooks(
  fixture: FixtureStore,
  bench: HarnessOptions & { readonly runs: number },
): Promise<ConcurrentHooksResult> {
  const harness = createHarness(fixture, bench)
  const hook = HOOK_REGISTRATIONS.find(({ event }) => event === 'PostToolUse')
  if (!hook) throw new Error('PostToolUse is not registered')
  const { store } = fixture
  const cores = os.availableParallelism()
  const runs: { wallMs: number; singleMs: number; recorded: number }[] = []
  try {
    harness.startSession()
    // Run 0 warms up and does not count.
    for (let run = 0; run <= bench.runs; run++) {
      const inputs = Array.from({ length: HOOKS }, () => buildHookInput('PostToolUse', harness.setting, harness.random))
      const end = readLog(store.files, store.layout.events).end
      const wallMs = await measureMs(() => Promise.all(inputs.map((input) => harness.start(hook, input))))
      const calls = readLog(store.files, store.layout.events, end).events.map((event) =>
        'call' in event ? event.call : '',
      )
      harness.rollBack(hook)
      const singleMs = await measureMs(async () => {
        for (const input of inputs) await harness.start(hook, input)
      })
      harness.rollBack(hook)
      const expected = inputs.map((input) => (JSON.parse(input) as { tool_use_id: string }).tool_use_id)
      const recorded = expected.filter((id) => calls.filter((call) => call === id).length === 1).length
      if (run > 0) runs.push({ wallMs, singleMs, recorded })
    }
  } finally {
    harness.reset()
  }
  const ratio = median(runs.map((run) => (run.wallMs * cores) / run.singleMs))
  const recorded = Math.min(...runs.map((run) => run.recorded))
  return {
    hooks: HOOKS,
    cores,
    runs: bench.runs,
    wallMs: median(runs.map((run) => run.wallMs)),
    singleMs: median(runs.map((run) => run.singleMs)),
    ratio,
    ratioMax: RATIO_MAX,
    recorded,
    isWithinLimit: ratio <= RATIO_MAX && recorded === HOOKS,
  }
}
