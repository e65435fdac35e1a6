// What recalling contributed: of a memory and of a session, and the measured effect of all, with confidence intervals.
import type { ContributionReport, ExperimentReport, RecallVerdict } from '../../broker/queries/effectReports.ts'
import { formatCount, formatNumber, formatSigned, formatTimestamp } from '../../report/formatNumber.ts'
import { formatItems, formatTable, numberColumns } from '../../report/formatTable.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions } from '../context/storeOption.ts'

export async function printContribution(
  of: 'memory' | 'session',
  id: string,
  options: StoreOptions,
  io: CliContext,
): Promise<void> {
  const { reportContribution } = await import('../../broker/queries/effectReports.ts')
  printResult(io, options.json, reportContribution(await openSelectedStore(options, io), of, id), formatReport)
}

function formatReport(report: ContributionReport, terminal: Terminal): string[] {
  const { verdicts, help } = report
  const total = help
    ? [
        `Shown ${formatCount(help.shown, 'time')}, used ${help.used}; total contribution ` +
          `${formatSigned(help.contribution)}.`,
      ]
    : []
  if (verdicts.length === 0) return [...total, 'No verdict is stored: it was never recalled, or too long ago.']
  return [...total, ...formatVerdicts(verdicts, terminal)]
}

const formatVerdicts = (verdicts: readonly RecallVerdict[], terminal: Terminal): string[] =>
  formatItems(verdicts, terminal, [
    { head: 'memory', cell: ({ memory }) => terminal.shortId(memory) },
    { head: 'at (UTC)', cell: ({ at }) => formatTimestamp(at) },
    { head: 'moment', cell: ({ moment, provisional }) => (provisional ? `${moment}, open` : moment) },
    { head: 'used', align: 'right', cell: ({ used }) => formatNumber(used) },
    { head: 'contribution', align: 'right', cell: ({ contribution }) => formatSigned(contribution) },
    { head: 'because', canShrink: true, cell: explainUse },
  ])

/** Why it counts as used or not; the parts of the contribution are in `--json`. */
function explainUse({ withheld, rating, traces, discounted = [], impacts = [] }: RecallVerdict): string {
  if (withheld) return 'withheld: its traces show what is chance'
  if (rating) return `a person rated it ${rating}`
  const none = discounted.length > 0 ? 'its traces prove nothing' : 'no trace'
  return [traces.length === 0 ? none : traces.join(', '), ...impacts].join(', ')
}

type Effect = NonNullable<ExperimentReport['effects']>[number]

/** Prints it, compared with the randomized holdout. */
export async function printEffect(options: StoreOptions, io: CliContext): Promise<void> {
  const { readExperimentReport } = await import('../../broker/queries/effectReports.ts')
  printResult(io, options.json, readExperimentReport(await openSelectedStore(options, io)), formatEffects)
}

function formatEffects(report: ExperimentReport, { palette, columns }: Terminal): string[] {
  const { holdoutShare, holdoutShareNow, shown, withheld, neededPerArm, effects, method } = report
  const now = holdoutShareNow === holdoutShare ? '' : ` The holdout is ${percent(holdoutShareNow)} now.`
  const sizes = `${shown} recalls shown, ${withheld} in the holdout (${percent(holdoutShare)}, random).${now}`
  if (!effects) {
    const why = holdoutShareNow === 0 && withheld === 0 ? ' There is no holdout: recall.withholdShare is 0.' : ''
    return [sizes, `Not enough data: ${neededPerArm} of each are needed.${why}`]
  }
  const layout = ['', ...numberColumns('shown', 'holdout', 'effect', 'interval'), '']
  return [
    sizes,
    ...formatTable(layout, effects.map(effectRow), columns, palette.dim),
    'Lower is better in every row. If the interval contains 0, the effect is not established.',
    palette.dim(method),
  ]
}

function effectRow({ name, shown, withheld, effect, lower, upper, verdict }: Effect): string[] {
  const [value, change] = FORMATS[name]
  return [name, value(shown), value(withheld), change(effect), `${change(lower)} to ${change(upper)}`, verdict]
}

type NumberFormat = (value: number) => string

const percent: NumberFormat = (value) => `${(100 * value).toFixed(value !== 0 && Math.abs(value) < 0.1 ? 1 : 0)} %`
const count: NumberFormat = (value) => value.toFixed(1)
const signed =
  (format: NumberFormat): NumberFormat =>
  (value) =>
    `${value > 0 ? '+' : ''}${format(value)}`

/** For each measure, the format of its value and of its change. */
const FORMATS: { readonly [Name in Effect['name']]: readonly [NumberFormat, NumberFormat] } = {
  'failure rate': [percent, signed(percent)],
  'known errors again': [percent, signed(percent)],
  'tool calls': [count, signed(count)],
  time: [(seconds) => `${Math.round(seconds)} s`, signed(percent)],
}
