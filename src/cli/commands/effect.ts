// memctl report --effect: the measured effect of injected memories, with confidence intervals.
import type { ExperimentReport } from '../../broker/queries/effectReports.ts'
import { wrapText } from '../../report/fitText.ts'
import { formatTable } from '../../report/formatTable.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions } from '../context/storeOption.ts'
import { numberColumns } from '../format/fieldTable.ts'

type Effect = NonNullable<ExperimentReport['effects']>[number]

/** Prints it, compared with the randomized holdout. */
export async function printEffect(options: StoreOptions, io: CliContext): Promise<void> {
  const { readExperimentReport } = await import('../../broker/queries/effectReports.ts')
  printResult(io, options.json, readExperimentReport(await openSelectedStore(options, io)), formatReport)
}

function formatReport(report: ExperimentReport, { palette, columns }: Terminal): string[] {
  const { holdoutShare, holdoutShareNow, shown, withheld, neededPerArm, effects, method } = report
  const now = holdoutShareNow === holdoutShare ? '' : ` The holdout is ${percent(holdoutShareNow)} now.`
  const sizes = `${shown} recalls shown, ${withheld} in the holdout (${percent(holdoutShare)}, random).${now}`
  if (!effects) {
    const why = holdoutShareNow === 0 && withheld === 0 ? ' There is no holdout: recall.withholdShare is 0.' : ''
    return [sizes, `Not enough data: ${neededPerArm} of each are needed.${why}`]
  }
  const layout = [{ head: '' }, ...numberColumns('shown', 'holdout', 'effect', 'interval'), { head: '' }]
  return [
    sizes,
    ...formatTable(layout, effects.map(effectRow), columns, palette.dim),
    'Lower is better in every row. If the interval contains 0, the effect is not established.',
    ...wrapText(method, columns).map(palette.dim),
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
