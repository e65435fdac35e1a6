// A score taken apart: feature × weight = part, the parts that count first, and their sum.
import type { Features } from '../model/cue.ts'
import type { Weighing } from '../model/policy.ts'
import { breakdownOf, scoreOf } from '../model/score.ts'
import { numberText, signedText } from './amount.ts'
import { table } from './table.ts'

/** One part of a score. */
export interface Part {
  readonly feature: string
  readonly value: number
  readonly weight: number
  /** value × weight */
  readonly part: number
}

/** The parts of a score that are not 0, the greatest first. */
export function partsOf(features: Features, policy: Weighing): readonly Part[] {
  const weights: Readonly<Record<string, number>> = { ...policy.weights, ...policy.boosts }
  return Object.entries(breakdownOf(features, policy))
    .flatMap(([feature, part]) =>
      part === 0 ? [] : [{ feature, value: features[feature] ?? 0, weight: weights[feature] ?? 0, part }],
    )
    .sort((a, b) => Math.abs(b.part) - Math.abs(a.part))
}

/** The parts as lines of a table, at most `partsMax` of them, the others added up; the sum last. */
export function breakdownTable(
  features: Features,
  policy: Weighing,
  columns: number,
  how: { readonly head?: (text: string) => string; readonly partsMax?: number } = {},
): string[] {
  const { head, partsMax = Number.POSITIVE_INFINITY } = how
  const all = partsOf(features, policy)
  const parts = all.length > partsMax + 1 ? all.slice(0, partsMax) : all
  const others = all.slice(parts.length)
  const rows = parts.map(({ feature, value, weight, part }) => [
    feature,
    numberText(value),
    '×',
    numberText(weight),
    '=',
    signedText(part),
  ])
  const sum = scoreOf(breakdownOf(features, policy))
  const layout = [
    { head: 'feature' },
    { head: 'value', side: 'right' },
    { head: '' },
    { head: 'weight', side: 'right' },
    { head: '' },
    { head: 'part', side: 'right' },
  ] as const
  const rest = others.reduce((total, { part }) => total + part, 0)
  const left = others.length > 0 ? [[`${others.length} others`, '', '', '', '', signedText(rest)]] : []
  return table(layout, [...rows, ...left, ['score', '', '', '', '', numberText(sum)]], columns, head)
}
