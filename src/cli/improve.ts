// memctl improve report: what showing memories changes, with its intervals, and what is not known yet.
import type { Command } from 'commander'
import type { ImproveReport } from '../broker/improveReport.ts'
import { table } from '../report/table.ts'
import { wrapped } from '../report/width.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, type Page, tell } from './io.ts'

type Effect = NonNullable<ImproveReport['effects']>[number]

export function registerImprove(program: Command, io: Io): void {
  const improve = program.command('improve').description('what remembering gives here')
  aboutStore(
    improve.command('report').description('the effect of showing memories, measured against those withheld by lot'),
  ).action(async (words: StoreOptions) => {
    const { improveReport } = await import('../broker/improveReport.ts')
    tell(io, words.json, improveReport(await storeGiven(words, io)), reportLines)
  })
}

function reportLines(report: ImproveReport, { palette, columns }: Page): string[] {
  const { share, shareNow, shown, withheld, needed, effects, method } = report
  const now = shareNow === share ? '' : ` Now ${percent(shareNow)} are withheld.`
  const sizes = `${shown} recalls shown, ${withheld} withheld (${percent(share)} by lot).${now}`
  if (!effects) {
    const why = shareNow === 0 && withheld === 0 ? ' Nothing is withheld: recall.withholdShare is 0.' : ''
    return [sizes, `Not known yet: it takes ${needed} of each.${why}`]
  }
  const layout = [
    { head: '' },
    { head: 'shown', side: 'right' },
    { head: 'withheld', side: 'right' },
    { head: 'effect', side: 'right' },
    { head: '95 % interval', side: 'right' },
    { head: '' },
  ] as const
  return [
    sizes,
    ...table(layout, effects.map(effectRow), columns, palette.dim),
    'Less is better in every line. An interval that holds 0 leaves it not known yet.',
    ...wrapped(method, columns).map(palette.dim),
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
