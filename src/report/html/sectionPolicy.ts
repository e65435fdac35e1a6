// The policy over time: what learning changed, when and why.
import * as Plot from '@observablehq/plot'
import type { PolicyChange } from '../../broker/projection/projection.ts'
import type { PolicySummary } from '../../broker/queries/policySummary.ts'
import type { ReportData } from '../../broker/queries/reportData.ts'
import { type DrawChart, NARROW } from './chart.ts'
import { renderFigure, renderTable } from './figure.ts'
import { countOf, formatChange, formatDay, formatDecimal, formatInteger } from './formatFigures.ts'
import { type Html, html } from './html.ts'
import { inlineText } from './storeText.ts'

/** Numbers drawn over time, those that moved most. */
const LINES_MAX = 4
const ROWS_MAX = 30

export function renderPolicy({ policy }: ReportData): Html {
  const { name, version, frozen, exclusions, judged } = policy
  const excluded = countOf(exclusions.length, 'memory is', 'memories are')
  const known = countOf(judged, 'recall with a known result is', 'recalls with a known result are')
  const state = html`<p>The policy is <b>${inlineText(name, 60)}</b>${
    version === 0 ? ', as it was configured' : `, version ${version}`
  }${frozen && '; learning is switched off'}. ${known} kept as evidence. ${
    exclusions.length > 0 && `${excluded} not shown at some moments: it was never of use there.`
  }</p>`
  const lines = listMovedNumbers(policy)
  if (lines.length === 0) {
    return html`${state}<p class="empty">No number of it has changed${policy.history.length > 0 && ' to stay'}. ${
      policy.history.length > 0 && `${countOf(policy.history.length, 'change')} concerned exclusions or evidence alone.`
    } When learning moves a number, its course and the reason are shown here.</p>${renderHistory(policy)}`
  }
  return html`${state}${renderCourse(policy, lines)}${renderHistory(policy)}`
}

interface MovedNumber {
  readonly path: string
  readonly points: readonly { readonly at: string; readonly change: number }[]
}

/** Numbers that differ from the default at some version, in % of it, the greatest change first. */
function listMovedNumbers({ history, numbers }: PolicySummary): MovedNumber[] {
  const paths = new Set(history.flatMap(({ values }) => Object.keys(values)))
  const moved = [...paths].flatMap((path) => {
    const start = numbers.find((number) => number.path === path)?.defaultValue
    if (start === undefined) return []
    const scale = Math.abs(start) || 1
    const points = history.map(({ at, values }) => ({ at, change: (100 * ((values[path] ?? start) - start)) / scale }))
    return points.some(({ change }) => change !== 0) ? [{ path, points }] : []
  })
  const reach = ({ points }: MovedNumber): number => Math.max(...points.map(({ change }) => Math.abs(change)))
  return moved.sort((a, b) => reach(b) - reach(a))
}

function renderCourse({ numbers }: PolicySummary, moved: readonly MovedNumber[]): Html {
  const drawn = moved.slice(0, LINES_MAX)
  const finding = `Learning has moved ${countOf(moved.length, 'number')} of the policy; most of all ${drawn[0]?.path}`
  const cells = moved.map(({ path }) => {
    const number = numbers.find((candidate) => candidate.path === path)
    const { defaultValue = 0, activeValue = 0 } = number ?? {}
    return [path, formatDecimal(defaultValue), formatDecimal(activeValue), formatChange(activeValue - defaultValue)]
  })
  return renderFigure({
    id: 'policy-chart',
    finding,
    draw: drawCourse(drawn),
    alternative: cells.map(([path, before, now]) => `${path}: ${before} by default, now ${now}`).join('. '),
    counted:
      'each step is a version of the policy, in percent of the default value (of 1 where that is 0). The ' +
      `${countOf(drawn.length, 'number')} with the greatest change are drawn.`,
    table: {
      caption: 'Numbers of the policy that have moved',
      heads: ['number', 'default', 'now', 'difference'],
      rows: cells,
      numeric: [1, 2, 3],
    },
  })
}

/** One row per number, so that its name stands above its own line. */
const drawCourse =
  (moved: readonly MovedNumber[]): DrawChart =>
  (width) => {
    const points = moved
      .flatMap(({ path, points: all }) => all.map(({ at, change }) => ({ path, at: new Date(at), change })))
      .sort((a, b) => a.at.getTime() - b.at.getTime())
    const names = moved.map(({ path }) => ({ path, name: path }))
    return {
      height: 84 + moved.length * 74,
      marginLeft: 48,
      marginRight: 16,
      marginTop: 44,
      marginBottom: 44,
      x: {
        type: 'utc',
        ticks: width === NARROW ? 3 : 6,
        label: 'time (UTC)',
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      y: { label: 'change, %', ticks: 3, nice: true, labelArrow: 'none' },
      fy: { axis: null, domain: names.map(({ path }) => path), padding: 0.32 },
      marks: [
        Plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: 3 }),
        Plot.ruleY([0], { stroke: 'var(--axis)' }),
        Plot.lineY(points, {
          x: 'at',
          y: 'change',
          fy: 'path',
          curve: 'step-after',
          stroke: 'var(--one)',
          strokeWidth: 2,
        }),
        Plot.text(names, {
          fy: 'path',
          text: 'name',
          frameAnchor: 'top-left',
          dy: -14,
          fill: 'var(--text)',
          fontSize: 12,
        }),
      ],
    }
  }

function renderHistory({ history }: PolicySummary): Html {
  if (history.length === 0) return html``
  const latest = history.slice(-ROWS_MAX).reverse()
  const left = history.length - latest.length
  const earlier =
    left > 0 && html`<p class="rest">${countOf(left, 'earlier change')}: <code>memctl policy history</code>.</p>`
  return html`<details><summary>${countOf(history.length, 'change')}, with reasons</summary>${renderTable({
    caption: 'Changes of the policy, the latest first',
    heads: ['version', 'day', 'by', 'reason', 'numbers that differ'],
    rows: latest.map((change) => historyRow(change)),
    numeric: [4],
  })}${earlier}</details>`
}

const historyRow = ({ version, at, by, reason, values }: PolicyChange): (Html | string | number)[] => [
  version,
  formatDay(at),
  by === 'improve' ? 'learning' : 'a person',
  inlineText(reason, 200),
  formatInteger(Object.keys(values).length),
]
