// bench growth: each hook in stores with 1,000 to 1,000,000 events of history, paired with the same hook in a store
// with 10,000.

import type { HookEvent } from '../../src/model/hookEvents.ts'
import type { FixtureSize, FixtureStore } from '../fixture/fixtureStore.ts'
import { buildHookInput } from '../fixture/syntheticSession.ts'
import { type BenchHarness, createHarness, type HarnessOptions } from '../hooks/benchHarness.ts'
import { orderHooks, WARM_UP_PAIRS } from '../hooks/benchHooks.ts'
import { comparePaired, type PairedTiming } from '../hooks/pairedTiming.ts'

/** The history of the store that all others are compared with, in events. */
export const BASE_EVENTS = 10_000

/** The largest allowed ratio of a hook's time to its time with BASE_EVENTS. */
const RATIO_MAX = 1.2

interface GrowthResult extends PairedTiming {
  readonly event: HookEvent
  readonly within: boolean
}

export interface GrowthStep extends FixtureSize {
  readonly hooks: readonly GrowthResult[]
}

/** Histories of 1,000 events, 10,000, 100,000, … up to `events`, without the base. */
export function sizesUpTo(events: number, memories: number): FixtureSize[] {
  const sizes: FixtureSize[] = []
  for (let size = BASE_EVENTS / 10; size <= events; size *= 10)
    if (size !== BASE_EVENTS) sizes.push({ events: size, memories })
  return sizes
}

/** Pairs every hook in `grown` with the same hook and the same payload in `base`; `bareMs` is its time there. */
export function benchGrowth(
  grown: FixtureStore,
  base: FixtureStore,
  bench: HarnessOptions & { readonly runs: number },
): GrowthResult[] {
  const stages = [createHarness(grown, bench), createHarness(base, bench)] as const
  try {
    const begin = (): void => {
      for (const stage of stages) stage.startSession()
    }
    return orderHooks(begin).map((next) => {
      const wired = next()
      // Both harnesses draw from the same seed, so the payloads differ only in the folder of the project.
      const runs = stages.map((stage) => {
        const inputs = Array.from({ length: bench.runs + WARM_UP_PAIRS }, () =>
          buildHookInput(wired.event, stage.setting, stage.random),
        )
        return (i: number): number => stage.run(wired, inputs[i]!).ms
      }) as [Runs, Runs]
      for (let i = bench.runs; i < bench.runs + WARM_UP_PAIRS; i++) for (const run of runs) run(i)
      const pairs = comparePaired(bench.runs, ...runs)
      return { event: wired.event, ...pairs, within: pairs.ratio <= RATIO_MAX }
    })
  } finally {
    for (const stage of stages) (stage satisfies BenchHarness).reset()
  }
}

type Runs = (i: number) => number
