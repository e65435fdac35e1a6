// What recalling contributed: of a memory and of a session, with the formula (signals, parts × weights, baselines), and
// the measured effect of all, with confidence intervals.
import type { ContributionReport, ExperimentReport, RecallVerdict } from '../../broker/queries/effectReports.ts'
import { sanitizeForTerminal, wrapText } from '../../report/fitText.ts'
import { formatCount, formatDuration, formatNumber, formatSigned, formatTimestamp } from '../../report/formatNumber.ts'
import { formatTable, numberColumns } from '../../report/formatTable.ts'
import { firstLine } from '../../text/excerpt.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions } from '../context/storeOption.ts'

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

type Signal = RecallVerdict['traces'][number]
type Discounted = NonNullable<RecallVerdict['discounted']>[number]
type Reason = NonNullable<Discounted['discounted']>

const TRACES: Readonly<Record<Signal, string>> = {
  command: 'a command that it names ran',
  errorGone: 'its command passed without its error',
  file: 'one of its files was changed',
  answer: 'an answer repeats its words',
  words: 'a third of its words were said, written or run',
}

const REASONS: Readonly<Record<Reason, string>> = {
  trigger: 'the memory came with that call',
  known: 'the conversation had it before',
  rare: 'the error is too rare here, or too little is known',
}

/** The lines that say whether a memory was used, and why. */
function explainUse(verdict: RecallVerdict, { answerConfidenceMax }: ContributionReport): string[] {
  const { used, withheld, traces, evidence = [], discounted = [], rating } = verdict
  if (rating) return [`used ${used}: a person rated it ${rating}`]
  const lines = [
    ...evidence.map(
      ({ signal, chance, confidence }) =>
        `${signal}: ${TRACES[signal]}; without the note in ${formatShare(chance)}, so the note is the cause with ` +
        `${formatNumber(confidence)}`,
    ),
    ...discounted.map(
      ({ signal, discounted: reason }) =>
        `${signal} does not count: ${TRACES[signal]}, but ${REASONS[reason ?? 'known']}`,
    ),
  ]
  if (withheld) return ['used 0: it was withheld, so nobody saw it; its traces show what is chance', ...lines]
  if (traces.length === 0) {
    const none = discounted.length > 0 ? 'no trace counts' : 'no trace was found'
    return [`used 0: ${none}; showing an unused note costs (what a person wrote costs nothing)`, ...lines]
  }
  // Verdicts of earlier versions have no chances.
  if (evidence.length === 0) return [`used ${formatNumber(used)}: ${traces.join(', ')}`]
  const all = evidence.map(({ confidence }) => confidence)
  const combined = 1 - all.reduce((doubt, confidence) => doubt * (1 - confidence), 1)
  const isLimited = combined - used > 0.005
  return [
    `used ${formatNumber(used)} = 1 − Π (1 − cause)${
      isLimited ? `; answers alone prove at most ${formatNumber(answerConfidenceMax)}, unless a question was asked` : ''
    }`,
    ...lines,
  ]
}

const formatShare = (share: number): string => `${Math.round(100 * share)} %`

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
