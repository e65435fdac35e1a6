// The slope of contribution over a feature. A recall shows only a few memories, so they are compared across recalls.
import { UNRANKED_FEATURE } from '../model/recallQuery.ts'
import type { AttributedMemory, AttributedRecall } from './attribution.ts'
import { clusterKey } from './offPolicy.ts'

/**
 * Number of standard errors at which evidence is significant. 3.5, because some twenty numbers are tested after every
 * session, for months: at 2, one of them would move by chance almost every time. The off-policy check cannot detect
 * that: it uses the same recalls.
 */
export const SIGNIFICANCE_SIGMAS = 3.5

/** The slope of contribution over a feature in these recalls; undefined if it may be due to chance. */
export function computeSignificantSlope(recalls: readonly AttributedRecall[], feature: string): number | undefined {
  const ranked = ({ memories }: AttributedRecall) => memories.filter(({ features }) => !(UNRANKED_FEATURE in features))
  const memories = recalls.flatMap(ranked)
  const featureOf = (memory: AttributedMemory): number => memory.features[feature] ?? 0
  const meanValue = mean(memories.map(featureOf))
  const meanContribution = mean(memories.map((memory) => memory.contribution))
  const spread = sum(memories.map((memory) => (featureOf(memory) - meanValue) ** 2))
  if (spread < 1e-4 * memories.length) return undefined // The feature hardly varies.
  const slope =
    sum(memories.map((memory) => (memory.contribution - meanContribution) * (featureOf(memory) - meanValue))) / spread
  // Memories of one session are not independent: each session is one observation (cluster-robust, Liang & Zeger 1986).
  const residuals = new Map<string, number>()
  for (const recall of recalls) {
    const residual = sum(
      ranked(recall).map((memory) => {
        const distance = featureOf(memory) - meanValue
        return distance * (memory.contribution - meanContribution - slope * distance)
      }),
    )
    residuals.set(clusterKey(recall), (residuals.get(clusterKey(recall)) ?? 0) + residual)
  }
  const error = Math.sqrt(sum([...residuals.values()].map((residual) => residual ** 2))) / spread
  return Math.abs(slope) > SIGNIFICANCE_SIGMAS * error ? slope : undefined
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** 0 for no values. */
export const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length)
