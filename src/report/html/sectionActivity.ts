// Sessions over time, and what was injected and what came of it.
import type { HoldoutEffect } from '../../broker/queries/effectReports.ts'
import type { ReportData } from '../../broker/queries/reportData.ts'
import type { MomentFigures } from '../../broker/queries/reportFigures.ts'
import type { RecallMoment } from '../../model/recallQuery.ts'
import { renderSmallChart } from './chart.ts'
import { renderEmpty, renderFigure, renderTable } from './figure.ts'
import {
  countOf,
  formatChange,
  formatDecimal,
  formatInteger,
  formatPeriod,
  formatProportion,
  formatShare,
  niceShareMax,
} from './formatFigures.ts'
import { type Html, html } from './html.ts'
import { drawRowIntervals } from './rowChart.ts'
import { drawColumns } from './timeChart.ts'

const PERIOD_WORDS = { day: 'on', week: 'in the week from', month: 'in' } as const

export function renderSessions({ periods, unit, totals }: ReportData): Html {
  const busiest = periods.reduce(
    (best, period) => (period.sessions > (best?.sessions ?? 0) ? period : best),
    periods[0],
  )
  if (!busiest) return renderEmpty('Each session that the hooks record becomes part of a chart here.')
  const span = countOf(periods.length, unit)
  const peak =
    periods.length > 1 ? `; most ${PERIOD_WORDS[unit]} ${formatPeriod(busiest.start, unit)} (${busiest.sessions})` : ''
  const finding = `${countOf(totals.sessions, 'session')} in ${span}${peak}`
  return renderFigure({
    id: 'sessions-chart',
    finding,
    draw: drawColumns({
      unit,
      label: 'sessions',
      columns: periods.map(({ start, sessions }) => ({ start, value: sessions })),
    }),
    alternative: `Columns: sessions per ${unit}. ${finding}.`,
    counted: 'a session counts where its first event is. All times are UTC. Prompts and tool calls are in the table.',
    table: {
      caption: `Sessions per ${unit}`,
      heads: [unit, 'sessions', 'prompts', 'tool calls', 'notes shown', 'tokens of notes'],
      rows: periods.map((period) => [
        formatPeriod(period.start, unit),
        ...[period.sessions, period.prompts, period.calls, period.notes, period.tokens].map(formatInteger),
      ]),
      numeric: [1, 2, 3, 4, 5],
    },
  })
}

export const MOMENT_NAMES: Readonly<Record<RecallMoment, string>> = {
  start: 'session start',
  prompt: 'prompt',
  call: 'tool call',
  failure: 'failed call',
  agent: 'subagent start',
  ask: 'asked for',
}

export function renderNotes(data: ReportData): Html {
  const { moments } = data
  if (moments.length === 0) return renderEmpty('As soon as a note is shown, this part says when, and what came of it.')
  return html`${renderUse(moments)}${renderEffects(data)}`
}

function renderUse(moments: readonly MomentFigures[]): Html {
  const known = moments.flatMap(({ interval, ...moment }) => (interval ? [{ ...moment, interval }] : []))
  const table = {
    caption: 'Notes by moment',
    heads: ['moment', 'times shown', 'times held back', 'notes', 'tokens', 'used, of those with a known result'],
    rows: moments.map((moment) => [
      MOMENT_NAMES[moment.moment],
      ...[moment.shown, moment.withheld, moment.notes, moment.tokens].map(formatInteger),
      formatProportion(moment.used, moment.judged, moment.interval),
    ]),
    numeric: [1, 2, 3, 4],
  }
  const best = [...known].sort((a, b) => b.used / b.judged - a.used / a.judged)[0]
  if (!best) return html`<p>No session with a note has ended yet, so no result is known.</p>${renderTable(table)}`
  const judged = known.reduce((sum, moment) => sum + moment.judged, 0)
  const used = known.reduce((sum, moment) => sum + moment.used, 0)
  const finding =
    `${formatShare(used / judged)} of the shown notes were used` +
    (used > 0 && known.length > 1
      ? `, most at a ${MOMENT_NAMES[best.moment]} (${formatShare(best.used / best.judged)})`
      : '')
  const high = Math.max(...known.map(({ interval }) => interval[1]))
  return renderFigure({
    id: 'use-chart',
    finding,
    draw: drawRowIntervals({
      label: 'used, %',
      domain: [0, niceShareMax(high)],
      rows: known.map(({ moment, interval: [low, up], ...sums }) => ({
        name: MOMENT_NAMES[moment],
        value: (100 * sums.used) / sums.judged,
        low: 100 * low,
        high: 100 * up,
      })),
    }),
    alternative: known
      .map(
        ({ moment, used: count, judged: n, interval }) =>
          `${MOMENT_NAMES[moment]}: ${formatProportion(count, n, interval)}`,
      )
      .join('. '),
    counted:
      'a note counts as used if something followed that it says, was not known before and is more frequent than ' +
      'chance: its command ran, its file was changed, its error stayed away, or an answer repeats it. The latest ' +
      `${countOf(judged, 'note')} with a known result are counted. Lines: 95\u00a0% intervals (Wilson); notes of one ` +
      'session are not quite independent, so the true ones are a little wider.',
    table,
  })
}

const EFFECT_TITLES: Readonly<Record<HoldoutEffect['name'], readonly [title: string, axis: string, unit: string]>> = {
  'failure rate': ['Tasks with a failed call', 'difference, percentage points', 'points'],
  'known errors again': ['Tasks with a known error', 'difference, percentage points', 'points'],
  'tool calls': ['Tool calls per task', 'difference, calls', 'calls'],
  time: ['Time per task', 'difference, % of the time without a note', '%'],
}

function renderEffects({ experiment }: ReportData): Html {
  const { effects, shown, withheld, neededPerArm, holdoutShare } = experiment
  if (!effects) {
    const missing = Math.max(0, neededPerArm - withheld)
    const notes =
      missing > 0 ? `${countOf(missing, 'more note')} held back` : `${neededPerArm - shown} more shown notes`
    return html`<figure aria-labelledby="effect-title">
<figcaption id="effect-title">The effect of showing notes is not known yet: it needs ${notes}</figcaption>
<p>${formatInteger(withheld)} of ${neededPerArm} held back, ${formatInteger(shown)} of ${neededPerArm} shown. At the
present rate about one note in ${holdoutShare > 0 ? Math.round(1 / holdoutShare) : '–'} is held back by chance, so
this takes about ${countOf(Math.ceil(missing / Math.max(holdoutShare, 0.001)), 'more note')}.</p></figure>`
  }
  const certain = effects.filter(({ verdict }) => verdict !== 'not known yet')
  const finding =
    certain.length === 0
      ? 'Tasks with and without a note do not differ beyond chance'
      : `Beyond chance: ${certain.map(describeEffect).join(', ')} with notes`
  return html`<figure aria-labelledby="effect-title">
<figcaption id="effect-title">${finding}</figcaption>
<div class="effects">${effects.map(renderEffect)}</div>
<p class="counted"><strong>How this is counted:</strong> chance decides which notes are held back. Compared are the
tasks after ${countOf(shown, 'shown note')} and after ${countOf(withheld, 'held-back one')}, up to the next prompt. Left
of zero is better. If the line touches zero, the difference may be chance:
2,000 new draws of the held-back notes among the same recalls tell what chance gives.</p>
<details><summary>Numbers as a table<span class="sr">: effects</span></summary>${renderTable({
    caption: 'Effect of showing notes',
    heads: ['per task', 'with note', 'without', 'difference', 'interval'],
    rows: effects.map((effect) => [EFFECT_TITLES[effect.name][0], ...effectCells(effect)]),
    numeric: [1, 2, 3, 4],
  })}</details></figure>`
}

const describeEffect = ({ name, verdict }: HoldoutEffect): string =>
  `${name} ${verdict === 'helps' ? 'lower' : 'higher'}`

/** The values in the unit of their chart. */
const scaleOf = ({ name }: HoldoutEffect): number => (name === 'tool calls' ? 1 : 100)

function effectCells(effect: HoldoutEffect): string[] {
  const { name, shown, withheld, effect: difference, lower, upper } = effect
  const format = (value: number): string =>
    name === 'time' ? `${formatDecimal(value)} s` : name === 'tool calls' ? formatDecimal(value) : formatShare(value)
  const scale = scaleOf(effect)
  return [
    format(shown),
    format(withheld),
    formatChange(scale * difference),
    `${formatChange(scale * lower)} to ${formatChange(scale * upper)}`,
  ]
}

function renderEffect(effect: HoldoutEffect): Html {
  const [title, axis, unit] = EFFECT_TITLES[effect.name]
  const scale = scaleOf(effect)
  const { effect: value, lower: low, upper: high } = effect
  const row = { name: ' ', value: scale * value, low: scale * low, high: scale * high }
  const [, , difference, interval] = effectCells(effect)
  const alternative = `${title}: ${difference} ${unit}, interval ${interval}`
  return html`<div class="effect"><h4>${title}</h4>
<p>${difference}\u00a0${unit} <span>(${interval})</span></p>
${renderSmallChart(drawRowIntervals({ label: axis, rows: [row], isCompact: true }), alternative)}</div>`
}
