// Charts over time: one column or point per day, week or month, in UTC.
import * as Plot from '@observablehq/plot'
import type { PeriodUnit } from '../../broker/queries/reportPeriods.ts'
import { type DrawChart, NARROW } from './chart.ts'

export interface TimeColumn {
  /** The first day of its period, as 2026-03-02. */
  readonly start: string
  readonly value: number
  /** A part of `value`, drawn solid below an outline; absent where there is nothing to tell apart. */
  readonly part?: number
}

interface TimeChart {
  readonly unit: PeriodUnit
  readonly label: string
  readonly columns: readonly TimeColumn[]
}

const DAY_MS = 86_400_000
const DAYS: Readonly<Record<PeriodUnit, number>> = { day: 1, week: 7, month: 30.4 }

/** Columns from zero. */
export const drawColumns =
  ({ unit, label, columns }: TimeChart): DrawChart =>
  (width) => {
    const bars = columns.map((column) => ({ ...column, ...periodBounds(column.start, unit) }))
    const hasParts = columns.some(({ part }) => part !== undefined)
    const common = { x1: 'from', x2: 'to', inset: width === NARROW ? 0.5 : 1 }
    return {
      ...timeAxes({ unit, label, columns }, width),
      marks: [
        Plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: 4 }),
        Plot.rectY(bars, { ...common, y1: 0, y2: 'value', fill: hasParts ? 'var(--soft)' : 'var(--one)' }),
        ...(hasParts
          ? [
              Plot.rectY(bars, { ...common, y1: 0, y2: 'value', fill: 'none', stroke: 'var(--two)', strokeWidth: 1.2 }),
              Plot.rectY(bars, { ...common, y1: 0, y2: 'part', fill: 'var(--one)' }),
            ]
          : []),
        Plot.ruleY([0], { stroke: 'var(--axis)' }),
      ],
    }
  }

export interface TimePoint {
  readonly start: string
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Points with their intervals, joined by a line. */
export const drawIntervals =
  ({ unit, label, points }: Omit<TimeChart, 'columns'> & { readonly points: readonly TimePoint[] }): DrawChart =>
  (width) => {
    const middles = points.map((point) => {
      const { from, to } = periodBounds(point.start, unit)
      return { ...point, at: new Date((from.getTime() + to.getTime()) / 2) }
    })
    return {
      ...timeAxes({ unit, label, columns: points }, width),
      marks: [
        Plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: 4 }),
        Plot.ruleX(middles, { x: 'at', y1: 'low', y2: 'high', stroke: 'var(--two)', strokeWidth: 2 }),
        Plot.lineY(middles, { x: 'at', y: 'value', stroke: 'var(--one)', strokeWidth: 1.5 }),
        Plot.dot(middles, { x: 'at', y: 'value', fill: 'var(--one)', r: width === NARROW ? 2.5 : 3.5 }),
        Plot.ruleY([0], { stroke: 'var(--axis)' }),
      ],
    }
  }

function timeAxes({ unit, label, columns }: TimeChart, width: number): Plot.PlotOptions {
  const [first, last] = [columns[0], columns.at(-1)]
  const domain = first && last ? [periodBounds(first.start, unit).from, periodBounds(last.start, unit).to] : []
  const isNarrow = width === NARROW
  return {
    height: isNarrow ? 190 : 230,
    marginLeft: 48,
    marginBottom: 46,
    x: { type: 'utc', domain, ticks: isNarrow ? 4 : 8, label: `${unit === 'day' ? 'day' : `${unit} from`} (UTC)` },
    y: { label, ticks: 4, nice: true, zero: true, labelArrow: 'none' },
  }
}

function periodBounds(start: string, unit: PeriodUnit): { readonly from: Date; readonly to: Date } {
  const from = Date.parse(`${start}T00:00:00Z`)
  return { from: new Date(from), to: new Date(from + DAYS[unit] * DAY_MS) }
}
