// What showing memories changes in this project, measured against the recalls withheld by lot.
import { ARM_RECALLS_MIN, EMPTY_HOLDOUT_STATS, estimateEffects, type HoldoutEffect } from '../../improve/experiment.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import type { LearnerState } from '../projection/projectionFiles.ts'

export interface ExperimentReport {
  /** The share withheld under which these were measured; recalls drawn with another are told apart. */
  readonly holdoutShare: number
  /** The share withheld now. */
  readonly holdoutShareNow: number
  readonly shown: number
  readonly withheld: number
  /** Recalls each arm needs before anything is said. */
  readonly neededPerArm: number
  /** Null while an arm has fewer. */
  readonly effects: readonly HoldoutEffect[] | null
  readonly method: string
}

const METHOD =
  'Recalls drawn by their id, shown against withheld, up to the next prompt. Rates: difference, Newcombe score interval. Calls: difference of means, Welch. Time: ratio of geometric means, Welch on logarithms. All 95 %.'

/** The trial with the most recalls withheld. Sessions that are not organised yet are not in it. */
export function readExperimentReport(store: Store): ExperimentReport {
  const { files, layout } = store
  const { generation } = readManifest(files, layout)
  const trials = Object.entries(readJson<Partial<LearnerState>>(files, layout.work(generation))?.trials ?? {})
  const shareNow = readActivePolicy(store).policy.recall.withholdShare
  const [share, trial] = trials.sort(([, a], [, b]) => b.withheld.n - a.withheld.n)[0] ?? [
    String(shareNow),
    EMPTY_HOLDOUT_STATS,
  ]
  return {
    ...{
      holdoutShare: Number(share),
      holdoutShareNow: shareNow,
      shown: trial.shown.n,
      withheld: trial.withheld.n,
      neededPerArm: ARM_RECALLS_MIN,
    },
    ...{ effects: estimateEffects(trial) ?? null, method: METHOD },
  }
}
