// Charts over time: one column or point per day, week or month, in UTC.
import * as Plot from '@observablehq/plot'
import type { PeriodUnit } from '../../broker/queries/reportFigures.ts'
import { type DrawChart, NARROW } from './chart.ts'
import { formatDay, formatInteger } from './formatFigures.ts'

interface TimeColumn {
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

function timeAxes({ unit, label, columns }: TimeChart, width: number): Plot.PlotOptions {
  const bounds = columns.map(({ start }) => periodBounds(start, unit))
  const isNarrow = width === NARROW
  // A label names the first day of its column and stands below the middle of it.
  const every = Math.ceil(Math.max(columns.length, COLUMNS_MIN) / (isNarrow ? 5 : 11))
  const ticks = bounds.map(middleOf).filter((_, i) => i % every === 0)
  const starts = new Map(bounds.map((period) => [middleOf(period).getTime(), period.from]))
  return {
    height: isNarrow ? 200 : 236,
    marginLeft: 50,
    marginRight: 12,
    marginBottom: 44,
    x: {
      type: 'utc',
      domain: padDomain(bounds, unit),
      ticks,
      tickSize: 0,
      tickFormat: (at: Date) => tickLabel(starts.get(at.getTime()) ?? at, unit),
      label: AXIS_LABELS[unit],
      ...CENTERED,
    },
    y: { label, ticks: 4, nice: true, zero: true, labelArrow: 'none', tickSize: 0, tickFormat: formatInteger },
  } as Plot.PlotOptions
}

/** Few columns stay as narrow as some, with space on both sides. */
const COLUMNS_MIN = 7

interface Bounds {
  readonly from: Date
  readonly to: Date
}

function padDomain(bounds: readonly Bounds[], unit: PeriodUnit): (Date | undefined)[] {
  const padding = (Math.max(0, COLUMNS_MIN - bounds.length) / 2) * DAYS[unit] * DAY_MS
  const [first, last] = [bounds[0]?.from, bounds.at(-1)?.to]
  return [first && new Date(first.getTime() - padding), last && new Date(last.getTime() + padding)]
}

const AXIS_LABELS: Readonly<Record<PeriodUnit, string>> = {
  day: 'day (UTC)',
  week: 'week, by its Monday (UTC)',
  month: 'month (UTC)',
}

const CENTERED = { labelAnchor: 'center', labelArrow: 'none' } as const

const middleOf = ({ from, to }: Bounds): Date => new Date((from.getTime() + to.getTime()) / 2)

function tickLabel(from: Date, unit: PeriodUnit): string {
  const label = formatDay(from.toISOString())
  return unit === 'month' ? label.replace(/^\d+\s/, '').replace(/\s\d\d(\d\d)$/, ' ’$1') : label.replace(/\s\d+$/, '')
}

function periodBounds(start: string, unit: PeriodUnit): Bounds {
  const from = Date.parse(`${start}T00:00:00Z`)
  return { from: new Date(from), to: new Date(from + DAYS[unit] * DAY_MS) }
}
