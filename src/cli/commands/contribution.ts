// memctl contribution: what a memory's or a session's recalls gave, with the sums: traces, parts × weights, baselines.
import type { Command } from 'commander'
import type { ContributionReport, RecallVerdict } from '../../broker/queries/contributionReport.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount, formatNumber, formatSigned } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatDuration, formatTimestamp } from '../../report/formatTime.ts'
import { firstLine } from '../../text/excerpt.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { ID_CHARS_SHOWN } from '../format/memoryText.ts'

interface Words extends StoreOptions {
  readonly session?: string
}

type Measured = NonNullable<RecallVerdict['measured']>[number]

export function registerContribution(program: Command, io: CliContext): void {
  withStoreOptions(
    program
      .command('contribution')
      .description('what recalling it gave, with the sums; provisional while its session goes on'),
  )
    .argument('[id]', "a memory's id, or how it begins")
    .option('--session <id>', "a session's recalls instead (an id, or how it begins)")
    .action(async (id: string | undefined, options: Words) => {
      if ((id === undefined) === (options.session === undefined)) {
        throw new MemoryError('USAGE', 'Give either a memory or a session', {
          hint: 'Run `memctl contribution ID`, or `memctl contribution --session ID`.',
        })
      }
      const { reportMemoryContribution, reportSessionContribution } = await import(
        '../../broker/queries/contributionReport.ts'
      )
      const store = await openSelectedStore(options, io)
      const found =
        id === undefined ? reportSessionContribution(store, options.session!) : reportMemoryContribution(store, id)
      printResult(io, options.json, found, contributionLines)
    })
}

function contributionLines(found: ContributionReport, page: Terminal): string[] {
  const { verdicts, help } = found
  const total = help
    ? [
        `Shown ${formatCount(help.shown, 'time')}, used ${help.used}; contributions add up to ${formatSigned(help.contribution)}.`,
      ]
    : []
  if (verdicts.length === 0) return [...total, 'No verdict is kept: it was not recalled, or long ago.']
  return [...total, ...verdicts.flatMap((verdict) => ['', ...verdictLines(verdict, found, page)])]
}

function verdictLines(
  verdict: RecallVerdict,
  { weights, unusedCost }: ContributionReport,
  { palette, columns }: Terminal,
): string[] {
  const {
    memory,
    moment,
    at,
    withheld,
    provisional,
    traces,
    confidences,
    used,
    measured,
    contribution,
    content,
    impacts,
  } = verdict
  const how = [moment, ...(withheld ? ['withheld'] : []), provisional ? 'provisional' : 'final'].join(', ')
  const head = `${palette.bold(memory.slice(0, ID_CHARS_SHOWN))} ${formatTimestamp(at)} UTC, ${how}: ${sanitizeForTerminal(firstLine(content, 120))}`
  const sure = traces.map((trace) => `${trace} ${formatNumber(confidences[trace] ?? 0)}`)
  const use =
    traces.length === 0
      ? `used 0: no trace, so it cost ${formatNumber(unusedCost)} (what a person said costs nothing)`
      : `used ${formatNumber(used)} = 1 − Π (1 − confidence): ${sure.join(', ')}`
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0)
  const rows = (measured ?? []).map((one) => [
    one.part,
    amountText(one, one.now),
    `usual ${amountText(one, one.usual)}`,
    `${one.kind === '*' ? 'this project' : one.kind}: ${amountText(one, one.own)} of ${one.n}`,
    formatSigned(one.value),
    `× ${formatNumber(weights[one.part])}`,
    formatSigned(one.value * weights[one.part]),
  ])
  const layout = [
    ...[{ head: '  part' }, { head: 'now', align: 'right' }, { head: 'baseline, shrunk' }],
    ...[
      { head: 'made of', canShrink: true },
      { head: 'part', align: 'right' },
      { head: 'weight' },
      { head: '', align: 'right' },
    ],
  ] as const
  const sum = rows.length === 0 ? 0 : (measured ?? []).reduce((all, one) => all + one.value * weights[one.part], 0)
  return [
    head,
    `  ${use}`,
    ...(rows.length === 0
      ? ['  no part can be told: nothing was checked, and nothing known failed or passed']
      : formatTable(
          layout,
          rows.map(([part, ...rest]) => [`  ${part}`, ...rest]),
          columns,
          palette.dim,
        )),
    `  contribution ${formatSigned(contribution)}${traces.length === 0 ? '' : ` = ${formatNumber(used)} × ${formatSigned(sum)} / ${formatNumber(total)}`}`,
    ...(impacts && impacts.length > 0 ? [`  impact: ${impacts.join(', ')}`] : []),
  ]
}

function amountText({ part }: Measured, value: number): string {
  if (part === 'time') return formatDuration(1000 * value)
  if (part === 'success') return `${Math.round(100 * value)} %`
  return formatNumber(value)
}
