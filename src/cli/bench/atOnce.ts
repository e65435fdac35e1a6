// bench hooks --at-once: several PostToolUse of one session at the same moment, and the same ones one after the other.
import os from 'node:os'
import { performance } from 'node:perf_hooks'
import { hookTable } from '../../hook/events.ts'
import { readLog } from '../../store/logRead.ts'
import { type StageSettings, stageFor } from './benchHarness.ts'
import type { Grown } from './fixtureStore.ts'
import { inputFor } from './hookPayloads.ts'
import { median } from './pairedTiming.ts'

/** As many calls as a client may end at once. */
const HOOKS = 10

/** The most they may take by the clock, as a multiple of what their single runs come to on all cores. */
const RATIO_MAX = 2

export interface AtOnceResult {
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
  readonly kept: number
  readonly within: boolean
}

export async function benchAtOnce(
  grown: Grown,
  bench: StageSettings & { readonly runs: number },
): Promise<AtOnceResult> {
  const stage = stageFor(grown, bench)
  const wired = hookTable.find(({ event }) => event === 'PostToolUse')!
  const { store } = grown
  const cores = os.availableParallelism()
  const runs: { wallMs: number; singleMs: number; kept: number }[] = []
  try {
    stage.begin()
    // The first of them warms up and does not count.
    for (let run = 0; run <= bench.runs; run++) {
      const inputs = Array.from({ length: HOOKS }, () => inputFor('PostToolUse', stage.setting, stage.chance))
      const end = readLog(store.files, store.layout.events).end
      const wallMs = await took(() => Promise.all(inputs.map((input) => stage.started(wired, input))))
      const kept = readLog(store.files, store.layout.events, end).events.map((event) =>
        'call' in event ? event.call : '',
      )
      stage.settled(wired)
      const singleMs = await took(async () => {
        for (const input of inputs) await stage.started(wired, input)
      })
      stage.settled(wired)
      const told = inputs.map((input) => (JSON.parse(input) as { tool_use_id: string }).tool_use_id)
      if (run > 0)
        runs.push({
          wallMs,
          singleMs,
          kept: told.filter((call) => kept.filter((one) => one === call).length === 1).length,
        })
    }
  } finally {
    stage.end()
  }
  const ratio = median(runs.map((run) => (run.wallMs * cores) / run.singleMs))
  const kept = Math.min(...runs.map((run) => run.kept))
  return {
    ...{ hooks: HOOKS, cores, runs: bench.runs },
    wallMs: median(runs.map((run) => run.wallMs)),
    singleMs: median(runs.map((run) => run.singleMs)),
    ...{ ratio, ratioMax: RATIO_MAX, kept, within: ratio <= RATIO_MAX && kept === HOOKS },
  }
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
