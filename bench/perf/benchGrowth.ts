// bench growth: each hook in stores with 1,000 to 1,000,000 events of history, paired with the same hook in a store with 10,000.
import { type Stage, type StageSettings, stageFor } from '../../src/cli/bench/benchHarness.ts'
import type { Grown, Size } from '../../src/cli/bench/fixtureStore.ts'
import { inputFor } from '../../src/cli/bench/hookPayloads.ts'
import { inOrder, WARM_UP } from '../../src/cli/bench/hooks.ts'
import { type Paired, paired } from '../../src/cli/bench/pairedTiming.ts'
import type { HookEvent } from '../../src/hook/events.ts'

/** The history of the store that all others are compared with, in events. */
export const BASE_EVENTS = 10_000

/** The largest allowed ratio of a hook's time to its time with BASE_EVENTS. */
const RATIO_MAX = 1.2

interface GrowthResult extends Paired {
  readonly event: HookEvent
  readonly within: boolean
}

export interface GrowthStep extends Size {
  readonly hooks: readonly GrowthResult[]
}

/** Histories of 1,000 events, 10,000, 100,000, … up to `events`, without the base. */
export function sizesUpTo(events: number, memories: number): Size[] {
  const sizes: Size[] = []
  for (let size = BASE_EVENTS / 10; size <= events; size *= 10)
    if (size !== BASE_EVENTS) sizes.push({ events: size, memories })
  return sizes
}

/** Pairs every hook in `grown` with the same hook and the same payload in `base`; `bareMs` is its time there. */
export function benchGrowth(
  grown: Grown,
  base: Grown,
  bench: StageSettings & { readonly runs: number },
): GrowthResult[] {
  const stages = [stageFor(grown, bench), stageFor(base, bench)] as const
  try {
    const begin = (): void => {
      for (const stage of stages) stage.begin()
    }
    return inOrder(begin).map((next) => {
      const wired = next()
      // Both harnesses draw from the same seed, so the payloads differ only in the folder of the project.
      const runs = stages.map((stage) => {
        const inputs = Array.from({ length: bench.runs + WARM_UP }, () =>
          inputFor(wired.event, stage.setting, stage.chance),
        )
        return (i: number): number => stage.run(wired, inputs[i]!).ms
      }) as [Runs, Runs]
      for (let i = bench.runs; i < bench.runs + WARM_UP; i++) for (const run of runs) run(i)
      const pairs = paired(bench.runs, ...runs)
      return { event: wired.event, ...pairs, within: pairs.ratio <= RATIO_MAX }
    })
  } finally {
    for (const stage of stages) (stage satisfies Stage).end()
  }
}

type Runs = (i: number) => number
