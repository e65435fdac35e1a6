// Explains a score: feature × weight = part, the largest parts first, and their sum.
import type { RankingModel } from '../model/policy.ts'
import { computeBreakdown, sumBreakdown } from '../model/rankingScore.ts'
import type { Features } from '../model/recallQuery.ts'
import { formatNumber, formatSigned } from './formatNumber.ts'
import { formatTable } from './formatTable.ts'

/** One part of a score. */
export interface ScorePart {
  readonly feature: string
  readonly value: number
  readonly weight: number
  /** value × weight */
  readonly part: number
}

/** The parts of a score that are not 0, the largest first. */
export function listScoreParts(features: Features, policy: RankingModel): readonly ScorePart[] {
  const weights: Readonly<Record<string, number>> = { ...policy.weights, ...policy.boosts }
  return Object.entries(computeBreakdown(features, policy))
    .flatMap(([feature, part]) =>
      part === 0 ? [] : [{ feature, value: features[feature] ?? 0, weight: weights[feature] ?? 0, part }],
    )
    .sort((a, b) => Math.abs(b.part) - Math.abs(a.part))
}

interface BreakdownOptions {
  /** Styles the head of the table. */
  readonly head?: (text: string) => string
  readonly partsMax?: number
}

/** The parts as lines of a table: at most `partsMax`, then the sum of the others, then the score. */
export function formatBreakdown(
  features: Features,
  policy: RankingModel,
  columns: number,
  { head, partsMax = Number.POSITIVE_INFINITY }: BreakdownOptions = {},
): string[] {
  const all = listScoreParts(features, policy)
  const parts = all.length > partsMax + 1 ? all.slice(0, partsMax) : all
  const others = all.slice(parts.length)
  const rows = parts.map(({ feature, value, weight, part }) => [
    feature,
    formatNumber(value),
    '×',
    formatNumber(weight),
    '=',
    formatSigned(part),
  ])
  const sum = sumBreakdown(computeBreakdown(features, policy))
  const layout = [
    { head: 'feature' },
    { head: 'value', align: 'right' },
    { head: '' },
    { head: 'weight', align: 'right' },
    { head: '' },
    { head: 'part', align: 'right' },
  ] as const
  const rest = others.reduce((total, { part }) => total + part, 0)
  const othersRow = others.length > 0 ? [[`${others.length} others`, '', '', '', '', formatSigned(rest)]] : []
  return formatTable(layout, [...rows, ...othersRow, ['score', '', '', '', '', formatNumber(sum)]], columns, head)
}
