// bench growth: the same hook in stores of a thousand up to a million events of history, each paired with ten thousand.

import { type Stage, type StageSettings, stageFor } from '../../src/cli/bench/benchHarness.ts'
import type { Grown, Size } from '../../src/cli/bench/fixtureStore.ts'
import { inputFor } from '../../src/cli/bench/hookPayloads.ts'
import { inOrder, WARM_UP } from '../../src/cli/bench/hooks.ts'
import { type Paired, paired } from '../../src/cli/bench/pairedTiming.ts'
import type { HookEvent } from '../../src/hook/events.ts'

/** The history that others are measured against, in events. */
export const BASE_EVENTS = 10_000

/** The most a hook may take with any history, as a multiple of what it takes with BASE_EVENTS. */
const RATIO_MAX = 1.2

export interface GrowthResult extends Paired {
  readonly event: HookEvent
  readonly within: boolean
}

export interface GrowthStep extends Size {
  readonly hooks: readonly GrowthResult[]
}

/** Histories from a thousand events on, tenfold each time, up to this many; the base is not among them. */
export function sizesUpTo(events: number, memories: number): Size[] {
  const sizes: Size[] = []
  for (let size = BASE_EVENTS / 10; size <= events; size *= 10)
    if (size !== BASE_EVENTS) sizes.push({ events: size, memories })
  return sizes
}

/** Every hook in `grown` paired with the same hook, told the same, in `base`: `bareMs` is what it took there. */
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
      // Of the same chance, so the two are told the same but for the folder they work in.
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
