// memctl contribution: what recalling a memory contributed, with the formula: signals, parts × weights, baselines.
// memctl impact: a person's rating of what a memory contributed.
import { Argument, type Command } from 'commander'
import type { ImpactResult } from '../../broker/commands/recordImpact.ts'
import type { ContributionReport, RecallVerdict } from '../../broker/queries/contributionReport.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { IMPACT_KINDS, type ImpactKind } from '../../model/strength.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount, formatNumber, formatSigned } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatDuration, formatTimestamp } from '../../report/formatTime.ts'
import { firstLine } from '../../text/excerpt.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { numberColumns } from '../format/fieldTable.ts'
import { explainUse } from '../format/usageText.ts'

type MeasuredPart = NonNullable<RecallVerdict['measured']>[number]

export function registerContribution(program: Command, io: CliContext): void {
  const about = "show the contribution of a memory's recalls; the values are provisional while the session is open"
  withStoreOptions(program.command('contribution').description(about))
    .argument('[id]', 'id of a memory or a prefix of it')
    .option('--session <id>', 'show all recalls of this session instead (an id or a prefix of it)')
    .action(async (id: string | undefined, options: StoreOptions & { readonly session?: string }) => {
      const { reportMemoryContribution, reportSessionContribution } = await import(
        '../../broker/queries/contributionReport.ts'
      )
      const { session } = options
      const report = async (): Promise<ContributionReport> => {
        if (id !== undefined && session === undefined)
          return reportMemoryContribution(await openSelectedStore(options, io), id)
        if (id === undefined && session !== undefined)
          return reportSessionContribution(await openSelectedStore(options, io), session)
        throw new MemoryError('USAGE', 'Name either a memory or a session', {
          hint: 'Run `memctl contribution ID`, or `memctl contribution --session ID`.',
        })
      }
      printResult(io, options.json, await report(), formatReport)
    })
}

export function registerImpact(program: Command, io: CliContext): void {
  withStoreOptions(program.command('impact').description('rate the impact of a memory; this restores an archived one'))
    .argument('<id>', 'id of the memory or a prefix of it')
    .addArgument(new Argument('<kind>', 'the impact').choices(IMPACT_KINDS))
    .option('--perspective <name>', 'a perspective, such as cost, for which the strength is also raised')
    .action(async (id: string, impact: ImpactKind, options: StoreOptions & { readonly perspective?: string }) => {
      const { recordImpact } = await import('../../broker/commands/recordImpact.ts')
      const rating = { prefix: id, impact, perspective: options.perspective, now: Date.now() }
      printResult(io, options.json, recordImpact(await openSelectedStore(options, io), rating), formatImpact)
    })
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

function formatImpact({ before, after }: ImpactResult, { shortId }: Terminal): string[] {
  const change = (name: string, from: number, to: number): string =>
    `${name} ${formatNumber(from)} → ${formatNumber(to)}`
  const changes = [
    change('strength', before.strength, after.strength),
    change('impact', before.impactScore, after.impactScore),
    ...(before.status === after.status ? [] : ['restored from the archive']),
  ]
  return [`${after.kind} ${shortId(after.id)}: ${changes.join(', ')}.`]
}
