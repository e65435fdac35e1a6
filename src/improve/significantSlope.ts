// Slope: what notes that were shown say of a feature. There are one to a few in a recall, so what they gave is compared across recalls.

import type { AttributedMemory, AttributedRecall } from './attribution.ts'
import { clusterKey } from './offPolicy.ts'

/**
 * Standard errors by which evidence must stand out. 3.5, because some twenty numbers are looked at after every session, for
 * months: at 2, chance alone would move one of them almost every time. The guard cannot see that: it looks at the same recalls.
 */
export const SIGNIFICANCE_SIGMAS = 3.5

/** The slope of contribution over a feature among the memories shown; undefined where chance could have made it. */
export function computeSignificantSlope(judged: readonly AttributedRecall[], name: string): number | undefined {
  const shown = judged.flatMap((one) => one.memories)
  const featureOf = (memory: AttributedMemory) => memory.features[name] ?? 0
  const meanValue = mean(shown.map(featureOf))
  const meanContribution = mean(shown.map((memory) => memory.contribution))
  const spread = sum(shown.map((memory) => (featureOf(memory) - meanValue) ** 2))
  if (spread < 1e-4 * shown.length) return undefined // The feature was the same everywhere: nothing can be said of it.
  const slope =
    sum(shown.map((memory) => (memory.contribution - meanContribution) * (featureOf(memory) - meanValue))) / spread
  // Memories of one session share its luck: each session counts as one observation (cluster-robust, Liang & Zeger 1986).
  const pulls = new Map<string, number>()
  for (const one of judged) {
    const pull = sum(
      one.memories.map((memory) => {
        const distance = featureOf(memory) - meanValue
        return distance * (memory.contribution - meanContribution - slope * distance)
      }),
    )
    pulls.set(clusterKey(one), (pulls.get(clusterKey(one)) ?? 0) + pull)
  }
  const error = Math.sqrt(sum([...pulls.values()].map((pull) => pull ** 2))) / spread
  return Math.abs(slope) > SIGNIFICANCE_SIGMAS * error ? slope : undefined
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length)
