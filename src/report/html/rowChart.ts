// Charts with one row per name: bars from zero, shares with intervals, and effects around zero. The names are texts
// beside the rows; a long one is cut, and the table below the chart has all of it.
import * as Plot from '@observablehq/plot'
import { type DrawChart, NARROW } from './chart.ts'

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

/** Bars from zero to the right, or to the left below zero. */
export const drawBars =
  ({ label, rows }: RowChart & { readonly rows: readonly BarRow[] }): DrawChart =>
  (width) => {
    const names = rowNames(rows, width)
    const bars = rows.map((row, i) => ({ ...row, name: names[i] }))
    const [positive, negative] = [bars.filter(({ value }) => value >= 0), bars.filter(({ value }) => value < 0)]
    const [low, high] = [Math.min(0, ...rows.map(({ value }) => value)), Math.max(0, ...rows.map(({ value }) => value))]
    // Room for the labels at both ends.
    const room = (high - low || 1) * (width === NARROW ? 0.3 : 0.12)
    return {
      ...rowAxes(names, width, label),
      x: { label, ticks: 4, labelArrow: 'none', domain: [low < 0 ? low - room : 0, high > 0 ? high + room : 0] },
      marks: [
        Plot.barX(positive, { y: 'name', x1: 0, x2: 'value', fill: 'var(--one)', insetTop: 2, insetBottom: 2 }),
        Plot.barX(negative, {
          ...{ y: 'name', x1: 0, x2: 'value', fill: 'var(--soft)', stroke: 'var(--bad)', insetTop: 2, insetBottom: 2 },
        }),
        Plot.text(positive, { y: 'name', x: 'value', text: 'label', textAnchor: 'start', dx: 5, ...TEXT }),
        Plot.text(negative, { y: 'name', x: 'value', text: 'label', textAnchor: 'end', dx: -5, ...TEXT }),
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
      ...rowAxes(names, width, label),
      ...(isCompact && { marginLeft: 12 }),
      x: { label, ticks: 4, labelArrow: 'none', ...(domain ? { domain: [...domain] } : { zero: true, nice: true }) },
      marks: [
        Plot.gridX({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: 4 }),
        Plot.ruleX([0], { stroke: 'var(--axis)' }),
        Plot.ruleY(points, { y: 'name', x1: 'low', x2: 'high', stroke: 'var(--two)', strokeWidth: 3 }),
        Plot.dot(points, { y: 'name', x: 'value', fill: 'var(--one)', r: 5 }),
      ],
    }
  }

const TEXT = { fill: 'var(--text)', fontSize: 12 }

/** Pixels of a row, with the space between two. */
const ROW_HEIGHT = 28
const CHARS_WIDE = 34
const CHARS_NARROW = 15
const CHAR_PIXELS = 6.7

/** Names that fit; equal ones get a number, because a row is found by its name. */
function rowNames(rows: readonly { readonly name: string }[], width: number): string[] {
  const charsMax = width === NARROW ? CHARS_NARROW : CHARS_WIDE
  const seen = new Map<string, number>()
  return rows.map(({ name }) => {
    const characters = [...name]
    // Japanese and Chinese characters are twice as wide.
    let columns = 0
    const end = characters.findIndex((character) => {
      columns += /[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uff60]/.test(character) ? 2 : 1
      return columns > charsMax
    })
    const short = end === -1 ? name : `${characters.slice(0, end - 1).join('')}…`
    const count = (seen.get(short) ?? 0) + 1
    seen.set(short, count)
    return count === 1 ? short : `${short} (${count})`
  })
}

function rowAxes(names: readonly string[], width: number, label: string): Plot.PlotOptions {
  const longest = Math.max(6, ...names.map((name) => textColumns(name)))
  return {
    height: names.length * ROW_HEIGHT + 62,
    marginLeft: Math.min(width * 0.46, 14 + longest * CHAR_PIXELS),
    marginRight: 24,
    marginTop: 8,
    marginBottom: 46,
    y: { domain: [...names], label: null, tickSize: 0, axis: 'left' },
    ariaDescription: label,
  }
}

const textColumns = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (/[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uff60]/.test(letter) ? 2 : 1), 0)
