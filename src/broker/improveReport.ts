// What showing memories changes in this project, measured against the recalls withheld by lot.
import { ARM_MIN, type Effect, effectsOf, NO_TRIAL } from '../improve/trial.ts'
import { readJson } from '../store/jsonRead.ts'
import { readManifest } from '../store/shelf.ts'
import { servingPolicy } from './policy/served.ts'
import type { Store } from './store.ts'
import type { Work } from './view/save.ts'

export interface ImproveReport {
  /** The share withheld under which these were measured; recalls drawn with another are told apart. */
  readonly share: number
  /** The share withheld now. */
  readonly shareNow: number
  readonly shown: number
  readonly withheld: number
  /** Recalls each arm needs before anything is said. */
  readonly needed: number
  /** Null while an arm has fewer. */
  readonly effects: readonly Effect[] | null
  readonly method: string
}

const METHOD =
  'Recalls drawn by their id, shown against withheld, up to the next prompt. Rates: difference, Newcombe score interval. Calls: difference of means, Welch. Time: ratio of geometric means, Welch on logarithms. All 95 %.'

/** The trial with the most recalls withheld. Sessions that are not organised yet are not in it. */
export function improveReport(store: Store): ImproveReport {
  const { files, layout } = store
  const { generation } = readManifest(files, layout)
  const trials = Object.entries(readJson<Partial<Work>>(files, layout.work(generation))?.trials ?? {})
  const shareNow = servingPolicy(store).policy.recall.withholdShare
  const [share, trial] = trials.sort(([, a], [, b]) => b.withheld.n - a.withheld.n)[0] ?? [String(shareNow), NO_TRIAL]
  return {
    ...{ share: Number(share), shareNow, shown: trial.shown.n, withheld: trial.withheld.n, needed: ARM_MIN },
    ...{ effects: effectsOf(trial) ?? null, method: METHOD },
  }
}
