// Charts with one row per name: bars from zero, shares with intervals, and effects around zero. The names are texts
// beside the rows; a long one is cut, and the table below the chart has all of it.
import * as Plot from '@observablehq/plot'
import { clipText, displayWidth } from '../fitText.ts'
import { type DrawChart, NARROW } from './chart.ts'
import { formatDecimal } from './formatFigures.ts'

export interface BarRow {
  readonly name: string
  readonly value: number
  /** Written at the end of the bar. */
  readonly label: string
}

interface RowChart {
  /** What the horizontal axis measures, with its unit. */
  readonly label: string
}

/** Bars from zero to the right. */
export const drawBars =
  ({ label, rows }: RowChart & { readonly rows: readonly BarRow[] }): DrawChart =>
  (width) => {
    const names = rowNames(rows, width)
    const bars = rows.map((row, i) => ({ ...row, name: names[i] }))
    const most = Math.max(...rows.map(({ value }) => value)) || 1
    return {
      ...rowAxes(names, width),
      // Room for the labels at the ends.
      x: {
        label,
        ticks: 4,
        ...CENTERED,
        domain: [0, most * (width === NARROW ? 1.45 : 1.2)],
      },
      marks: [
        Plot.barX(bars, { y: 'name', x1: 0, x2: 'value', fill: 'var(--one)', insetTop: 2, insetBottom: 2 }),
        Plot.text(bars, { y: 'name', x: 'value', text: 'label', textAnchor: 'start', dx: 5, ...TEXT }),
        Plot.ruleX([0], { stroke: 'var(--axis)' }),
      ],
    }
  }

/** Bars below their names, so that a name may be long. The bars show the amount; the labels have the sign. */
export const drawNamedBars =
  ({ label, rows }: RowChart & { readonly rows: readonly BarRow[] }): DrawChart =>
  (width) => {
    const isNarrow = width === NARROW
    const bars = rows.map(({ name, value, label: text }, i) => ({
      row: String(i),
      name: clipText(name, isNarrow ? 46 : 100),
      amount: Math.abs(value),
      text,
    }))
    const most = Math.max(...bars.map(({ amount }) => amount))
    const common = { y: 'row', x1: 0, x2: 'amount', insetTop: 20, insetBottom: 6 }
    const isNegative = rows.every(({ value }) => value < 0)
    return {
      height: rows.length * 40 + 48,
      marginLeft: 10,
      marginRight: 12,
      marginTop: 4,
      marginBottom: 44,
      x: { label, ticks: 4, tickFormat: formatDecimal, ...CENTERED, domain: [0, most * (isNarrow ? 1.2 : 1.1)] },
      y: { axis: null, domain: bars.map(({ row }) => row), padding: 0 },
      marks: [
        isNegative
          ? Plot.barX(bars, { ...common, fill: 'var(--soft)', stroke: 'var(--two)' })
          : Plot.barX(bars, { ...common, fill: 'var(--one)' }),
        Plot.text(bars, { y: 'row', text: 'name', frameAnchor: 'left', dx: 4, dy: -9, ...TEXT }),
        Plot.text(bars, { y: 'row', x: 'amount', text: 'text', textAnchor: 'start', dx: 5, dy: 7, ...TEXT }),
        Plot.ruleX([0], { stroke: 'var(--axis)' }),
      ],
    }
  }

export interface IntervalRow {
  readonly name: string
  readonly value: number
  readonly low: number
  readonly high: number
}

/** A point with its interval per row. `domain` in the unit of the values; a rule is drawn at zero. */
export const drawRowIntervals =
  ({
    label,
    rows,
    domain,
    isCompact = false,
  }: RowChart & {
    readonly rows: readonly IntervalRow[]
    readonly domain?: readonly [number, number]
    /** One of several small charts side by side. */
    readonly isCompact?: boolean
  }): DrawChart =>
  (width) => {
    const names = rowNames(rows, width)
    const points = rows.map((row, i) => ({ ...row, name: names[i] }))
    return {
      ...rowAxes(names, width),
      ...(isCompact && { marginLeft: 12 }),
      x: {
        label,
        ticks: 4,
        ...CENTERED,
        ...(domain ? { domain: [...domain] } : { zero: true, nice: true }),
      },
      marks: [
        Plot.gridX({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: 4 }),
        Plot.ruleX([0], { stroke: 'var(--axis)' }),
        Plot.ruleY(points, { y: 'name', x1: 'low', x2: 'high', stroke: 'var(--two)', strokeWidth: 3 }),
        Plot.dot(points, { y: 'name', x: 'value', fill: 'var(--one)', r: 5 }),
      ],
    }
  }

const CENTERED = { labelAnchor: 'center', labelArrow: 'none' } as const

const TEXT = { fill: 'var(--text)', fontSize: 12 }

/** Pixels of a row, with the space between two. */
const ROW_HEIGHT = 28
const CHARS_WIDE = 34
const CHARS_NARROW = 15
const CHAR_PIXELS = 7.4

/** Names that fit; equal ones get a number, because a row is found by its name. */
function rowNames(rows: readonly { readonly name: string }[], width: number): string[] {
  const seen = new Map<string, number>()
  return rows.map(({ name }) => {
    const short = clipText(name, width === NARROW ? CHARS_NARROW : CHARS_WIDE)
    const count = (seen.get(short) ?? 0) + 1
    seen.set(short, count)
    return count === 1 ? short : `${short} (${count})`
  })
}

function rowAxes(names: readonly string[], width: number): Plot.PlotOptions {
  const longest = Math.max(6, ...names.map(displayWidth))
  return {
    height: names.length * ROW_HEIGHT + 62,
    marginLeft: Math.min(width * 0.46, 14 + longest * CHAR_PIXELS),
    marginRight: 24,
    marginTop: 8,
    marginBottom: 44,
    y: { domain: [...names], label: null, tickSize: 0, axis: 'left' },
  }
}
