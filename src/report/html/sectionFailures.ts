// Failures met and avoided: how often calls fail, which errors were known, and what came after a warning.
import { wilsonInterval } from '../../improve/experiment.ts'
import type { ReportData } from '../../broker/queries/reportData.ts'
import type { WarningOutcomes } from '../../broker/queries/reportFailures.ts'
import { renderEmpty, renderFigure, renderLegend } from './figure.ts'
import { countOf, formatInteger, formatPeriod, formatProportion, formatShare } from './formatFigures.ts'
import { type Html, html } from './html.ts'
import { drawRowIntervals } from './rowChart.ts'
import { drawColumns } from './timeChart.ts'

export function renderFailures(data: ReportData): Html {
  if (data.failures.met === 0) return renderEmpty('No tool call has failed yet. Failures, and what avoided them, appear here.')
  return html`${renderMet(data)}${renderWarnings(data)}`
}

function renderMet({ periods, unit, failures: { met, known, fixShown } }: ReportData): Html {
  const finding = `${formatShare(known / met)} of ${countOf(met, 'failed call')} had an error that was known already`
  return renderFigure({
    id: 'failures-chart',
    finding,
    legend: renderLegend([
      ['part', 'error known from an earlier session'],
      ['rest', 'error met for the first time'],
    ]),
    draw: drawColumns({
      ...{ unit, label: 'failed calls' },
      columns: periods.map(({ start, failed, knownFailed }) => ({ start, value: failed, part: knownFailed })),
    }),
    alternative: `Columns: failed calls per ${unit}, with the part whose error was known. ${finding}.`,
    counted:
      'a tool call that failed and was not interrupted. Its error was known if a lesson from an earlier session has ' +
      `its signature. For ${formatInteger(fixShown)} of the ${formatInteger(known)} known ones a note was shown right at the failure.`,
    table: {
      caption: `Failed calls per ${unit}`,
      heads: [unit, 'tool calls', 'failed', 'of them known', 'failed, % of calls'],
      rows: periods.map((period) => [
        formatPeriod(period.start, unit),
        ...[period.calls, period.failed, period.knownFailed].map(formatInteger),
        period.calls === 0 ? '–' : formatShare(period.failed / period.calls),
      ]),
      numeric: [1, 2, 3, 4],
    },
  })
}

/** Warnings of one arm that are enough to draw a share. */
const FOLLOWED_MIN = 5

function renderWarnings({ failures: { shown, withheld } }: ReportData): Html {
  const arms = [
    { name: 'warning shown', ...followUp(shown) },
    { name: 'held back', ...followUp(withheld) },
  ]
  const [main] = arms
  if (!main || main.n < FOLLOWED_MIN) {
    return renderEmpty(
      `After ${countOf(main?.n ?? 0, 'warning')} the same call was tried again; from ${FOLLOWED_MIN} on, this part ` +
        'says how often the error stayed away.',
    )
  }
  const drawn = arms.filter(({ n }) => n > 0)
  const finding =
    `After ${formatShare(main.avoided / main.n)} of the warnings whose call was tried again, the error stayed away`
  return renderFigure({
    id: 'warnings-chart',
    finding,
    draw: drawRowIntervals({
      label: 'error stayed away, % (line: 95 % interval)',
      domain: [0, 100],
      rows: drawn.map(({ name, avoided, n, interval: [low, high] }) => ({
        name,
        value: (100 * avoided) / n,
        low: 100 * low,
        high: 100 * high,
      })),
    }),
    alternative: drawn.map(({ name, avoided, n, interval }) => `${name}: ${formatProportion(avoided, n, interval)}`).join('. '),
    counted:
      'a warning is a shown lesson about an error. Until the end of its session, the error either occurred again, or a ' +
      'call like the one that had failed passed without it, or no such call ran (left out here). The same count for ' +
      'warnings that were held back by chance says how often an error stays away anyway; only the difference of the two ' +
      'can be due to the warning.',
    table: {
      caption: 'What followed a warning',
      heads: ['', 'error stayed away', 'error occurred again', 'not tried again', 'stayed away, of those tried'],
      rows: arms.map(({ name, avoided, again, untried, n, interval }) => [
        name,
        ...[avoided, again, untried].map(formatInteger),
        n === 0 ? '–' : formatProportion(avoided, n, interval),
      ]),
      numeric: [1, 2, 3],
    },
  })
}

function followUp(outcomes: WarningOutcomes): WarningOutcomes & { n: number; interval: readonly [number, number] } {
  const n = outcomes.avoided + outcomes.again
  return { ...outcomes, n, interval: n === 0 ? [0, 1] : wilsonInterval(outcomes.avoided, n) }
}
