// Failures met and avoided: how often calls fail, which errors were known, and what came after a warning.
import type { ReportData } from '../../broker/queries/reportData.ts'
import { renderEmpty, renderFigure, renderLegend } from './figure.ts'
import { countOf, formatInteger, formatPeriod, formatProportion, formatShare, niceShareMax } from './formatFigures.ts'
import { type Html, html } from './html.ts'
import { drawRowIntervals } from './rowChart.ts'
import { drawColumns } from './timeChart.ts'

export function renderFailures(data: ReportData): Html {
  if (data.failures.met === 0)
    return renderEmpty('No tool call has failed yet. Failures, and what avoided them, appear here.')
  return html`${renderMet(data)}${renderWarnings(data)}`
}

function renderMet({ periods, unit, failures: { met, known, noted } }: ReportData): Html {
  const finding = `${formatShare(known / met)} of ${countOf(met, 'failed call')} had an error that was known already`
  return renderFigure({
    id: 'failures-chart',
    finding,
    legend: renderLegend([
      ['part', 'error known from an earlier session'],
      ['rest', 'error met for the first time'],
    ]),
    draw: drawColumns({
      unit,
      label: 'failed calls',
      columns: periods.map(({ start, failed, knownFailed }) => ({ start, value: failed, part: knownFailed })),
    }),
    alternative: `Columns: failed calls per ${unit}, with the part that had a known error. ${finding}.`,
    counted:
      'a tool call that failed and was not interrupted. Its error was known if an entry from an earlier session names ' +
      `it. For ${formatInteger(noted)} of the ${formatInteger(known)} known ones a note was shown ` +
      'right at the failure.',
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

/** Warnings that are enough to draw a share. */
export const WARNINGS_MIN = 5

function renderWarnings({ failures: { shown, withheld } }: ReportData): Html {
  const [main, control] = [
    { name: 'shown', ...shown },
    { name: 'held back', ...withheld },
  ] as const
  if (main.count < WARNINGS_MIN) {
    const text =
      `${countOf(main.count, 'warning was', 'warnings were')} shown so far. ` +
      `From ${WARNINGS_MIN} on, this part says how often the error came back.`
    return renderEmpty(text)
  }
  const arms = [main, control]
  const drawn = arms.flatMap(({ interval, ...arm }) => (interval ? [{ ...arm, interval }] : []))
  const compared =
    control.count === 0
      ? ''
      : `; without a warning, after ${formatShare(control.again / control.count)} of ${control.count}`
  const share = formatShare(main.again / main.count)
  const warnings = countOf(main.count, 'warning')
  const finding = `After ${share} of ${warnings} the error came back in the same session${compared}`
  return renderFigure({
    id: 'warnings-chart',
    finding,
    draw: drawRowIntervals({
      label: 'error came back, %',
      domain: [0, niceShareMax(Math.max(...drawn.map(({ interval }) => interval[1])))],
      rows: drawn.map(({ name, again, count, interval: [low, high] }) => ({
        name,
        value: (100 * again) / count,
        low: 100 * low,
        high: 100 * high,
      })),
    }),
    alternative: drawn
      .map(({ name, again, count, interval }) => `${name}: ${formatProportion(again, count, interval)}`)
      .join('. '),
    counted:
      'a warning is a lesson or a fact that says at which call or error it holds, once for each session that had it. The error ' +
      'came back if a later call of the session failed in that way. Chance decides which warnings are held back, so ' +
      'only the difference between the two rows can be due to the warning; where the lines (95\u00a0% intervals) ' +
      'overlap much, there may be none.',
    table: {
      caption: 'What followed a warning in its session',
      heads: ['warning', 'error came back', 'such a call passed', 'no such call', 'came back, of all'],
      rows: arms.map(({ name, again, passed, untried, count, interval }) => [
        name,
        ...[again, passed, untried].map(formatInteger),
        count === 0 ? '–' : formatProportion(again, count, interval),
      ]),
      numeric: [1, 2, 3],
    },
  })
}
