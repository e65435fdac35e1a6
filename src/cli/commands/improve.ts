// memctl improve report: what showing memories changes, with its intervals, and what is not known yet.
import type { Command } from 'commander'
import type { ExperimentReport } from '../../broker/queries/experimentReport.ts'
import { wrapText } from '../../report/fitText.ts'
import { formatTable } from '../../report/formatTable.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

type Effect = NonNullable<ExperimentReport['effects']>[number]

export function registerImprove(program: Command, io: CliContext): void {
  const improve = program.command('improve').description('what remembering gives here')
  withStoreOptions(
    improve.command('report').description('the effect of showing memories, measured against those withheld by lot'),
  ).action(async (options: StoreOptions) => {
    const { readExperimentReport } = await import('../../broker/queries/experimentReport.ts')
    printResult(io, options.json, readExperimentReport(await openSelectedStore(options, io)), reportLines)
  })
}

function reportLines(report: ExperimentReport, { palette, columns }: Terminal): string[] {
  const { holdoutShare, holdoutShareNow, shown, withheld, needed, effects, method } = report
  const now = holdoutShareNow === holdoutShare ? '' : ` Now ${percent(holdoutShareNow)} are withheld.`
  const sizes = `${shown} recalls shown, ${withheld} withheld (${percent(holdoutShare)} by lot).${now}`
  if (!effects) {
    const why = holdoutShareNow === 0 && withheld === 0 ? ' Nothing is withheld: recall.withholdShare is 0.' : ''
    return [sizes, `Not known yet: it takes ${needed} of each.${why}`]
  }
  const layout = [
    { head: '' },
    { head: 'shown', align: 'right' },
    { head: 'withheld', align: 'right' },
    { head: 'effect', align: 'right' },
    { head: '95 % interval', align: 'right' },
    { head: '' },
  ] as const
  return [
    sizes,
    ...formatTable(layout, effects.map(effectRow), columns, palette.dim),
    'Less is better in every line. An interval that holds 0 leaves it not known yet.',
    ...wrapText(method, columns).map(palette.dim),
  ]
}

function effectRow({ name, shown, withheld, effect, lower, upper, verdict }: Effect): string[] {
  const [value, change] = LOOKS[name]
  return [name, value(shown), value(withheld), change(effect), `${change(lower)} to ${change(upper)}`, verdict]
}

type Look = (value: number) => string

const percent: Look = (value) => `${(100 * value).toFixed(value !== 0 && Math.abs(value) < 0.1 ? 1 : 0)} %`
const signed =
  (text: Look): Look =>
  (value) =>
    `${value > 0 ? '+' : ''}${text(value)}`
const count: Look = (value) => value.toFixed(1)

const LOOKS: { readonly [Name in Effect['name']]: readonly [Look, Look] } = {
  'failure rate': [percent, signed(percent)],
  'known errors again': [percent, signed(percent)],
  'tool calls': [count, signed(count)],
  time: [(seconds) => `${Math.round(seconds)} s`, signed(percent)],
}
