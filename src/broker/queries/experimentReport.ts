// Reports what showing memories changes in this project, compared with its holdouts.
import {
  ARM_RECALLS_MIN,
  EMPTY_HOLDOUT_STATS,
  estimateEffects,
  type HoldoutEffect,
  selectCurrent,
} from '../../improve/experiment.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import type { LearnerState } from '../projection/projectionFiles.ts'

export type { HoldoutEffect }

export interface ExperimentReport {
  /** The probability of a holdout in the reported recalls. Recalls with another one are counted separately. */
  readonly holdoutShare: number
  /** The probability of a holdout now. */
  readonly holdoutShareNow: number
  readonly shown: number
  readonly withheld: number
  /** Recalls that each arm needs before effects are estimated. */
  readonly neededPerArm: number
  /** Null if an arm has fewer. */
  readonly effects: readonly HoldoutEffect[] | null
  readonly method: string
}

const METHOD =
  'Recalls drawn by their id, shown against withheld, up to the next prompt. ' +
  'Rates and calls: difference of means. Time: ratio of geometric means. ' +
  'Intervals from 2,000 new draws of the holdouts, 95 % for all four together.'

/** The effects at the holdout probability with the most holdouts. Sessions that are not organized yet are left out. */
export function readExperimentReport(store: Store): ExperimentReport {
  const { files, layout } = store
  const { generation } = readManifest(files, layout)
  const { trials = {} } = readJson<Partial<LearnerState>>(files, layout.work(generation)) ?? {}
  const statsByShare = Object.entries(selectCurrent(trials))
  const shareNow = readActivePolicy(store).policy.recall.withholdShare
  const [share, stats] = statsByShare.sort(([, a], [, b]) => b.withheld.n - a.withheld.n)[0] ?? [
    String(shareNow),
    EMPTY_HOLDOUT_STATS,
  ]
  return {
    holdoutShare: Number(share),
    holdoutShareNow: shareNow,
    shown: stats.shown.n,
    withheld: stats.withheld.n,
    neededPerArm: ARM_RECALLS_MIN,
    effects: estimateEffects(stats) ?? null,
    method: METHOD,
  }
}
