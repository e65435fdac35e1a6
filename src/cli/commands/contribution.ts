// What recalling a memory contributed, with the formula: signals, parts × weights, baselines. For `show --contribution`
// and `shown --contribution`.
import type { ContributionReport, RecallVerdict } from '../../broker/queries/effectReports.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount, formatNumber, formatSigned } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatDuration, formatTimestamp } from '../../report/formatTime.ts'
import { firstLine } from '../../text/excerpt.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions } from '../context/storeOption.ts'
import { numberColumns } from '../format/fieldTable.ts'
import { explainUse } from '../format/usageText.ts'

type MeasuredPart = NonNullable<RecallVerdict['measured']>[number]

/** Prints what the recalls of this memory contributed. */
export async function printMemoryContribution(id: string, options: StoreOptions, io: CliContext): Promise<void> {
  const { reportMemoryContribution } = await import('../../broker/queries/effectReports.ts')
  printResult(io, options.json, reportMemoryContribution(await openSelectedStore(options, io), id), formatReport)
}

/** Prints what all recalls of this session contributed. */
export async function printSessionContribution(session: string, options: StoreOptions, io: CliContext): Promise<void> {
  const { reportSessionContribution } = await import('../../broker/queries/effectReports.ts')
  printResult(io, options.json, reportSessionContribution(await openSelectedStore(options, io), session), formatReport)
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
  return [...total, ...verdicts.flatMap((verdict) => ['', ...formatVerdict(verdict, report, terminal)])]
}

function formatVerdict(
  verdict: RecallVerdict,
  report: ContributionReport,
  { palette, columns, shortId }: Terminal,
): string[] {
  const { weights, unusedCost } = report
  const { memory, moment, at, withheld, provisional, used, contribution, content, impacts } = verdict
  const measured = verdict.measured ?? []
  const state = [moment, ...(withheld ? ['withheld'] : []), provisional ? 'provisional' : 'final'].join(', ')
  const excerpt = sanitizeForTerminal(firstLine(content, 120))
  const weighted = measured.reduce((sum, part) => sum + part.value * weights[part.part], 0)
  const weightSum = Object.values(weights).reduce((sum, weight) => sum + weight, 0)
  const formula =
    `${formatNumber(used)} × ${formatSigned(weighted)} / ${formatNumber(weightSum)}` +
    ` − ${formatNumber(1 - used)} × ${formatNumber(unusedCost)} (what it costs to show an unused note)`
  const layout = [
    { head: '  part' },
    ...numberColumns('now'),
    { head: 'baseline, shrunk' },
    { head: 'computed from', canShrink: true },
    ...numberColumns('part'),
    { head: 'weight' },
    ...numberColumns(''),
  ]
  const rows = measured.map((part) => [
    `  ${part.part}`,
    formatAmount(part, part.now),
    `typical ${formatAmount(part, part.usual)}`,
    `${part.kind === '*' ? 'this project' : part.kind}: ${formatAmount(part, part.own)} of ${part.n}`,
    formatSigned(part.value),
    `× ${formatNumber(weights[part.part])}`,
    formatSigned(part.value * weights[part.part]),
  ])
  return [
    `${palette.bold(shortId(memory))} ${formatTimestamp(at)} UTC, ${state}: ${excerpt}`,
    ...explainUse(verdict, report).map((line) => `  ${line}`),
    ...(rows.length === 0
      ? ['  no part could be measured: nothing was checked, and nothing known failed or passed']
      : formatTable(layout, rows, columns, palette.dim)),
    `  contribution ${formatSigned(contribution)}${used > 0 && !withheld ? ` = ${formula}` : ''}`,
    ...(impacts && impacts.length > 0 ? [`  impact: ${impacts.join(', ')}`] : []),
  ]
}

function formatAmount({ part }: MeasuredPart, value: number): string {
  if (part === 'time') return formatDuration(1000 * value)
  if (part === 'success') return `${Math.round(100 * value)} %`
  return formatNumber(value)
}
