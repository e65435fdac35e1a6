// memctl contribution: what a memory's or a session's recalls gave, with the sums: traces, parts × weights, baselines.
import type { Command } from 'commander'
import type { Contributions, Verdict } from '../broker/contribution.ts'
import { MemoryError } from '../model/errors.ts'
import { countText, numberText, signedText } from '../report/amount.ts'
import { table } from '../report/table.ts'
import { momentText, spanText } from '../report/time.ts'
import { plain } from '../report/width.ts'
import { firstLine } from '../text/excerpt.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, type Page, tell } from './io.ts'
import { ID_SHOWN } from './memoryLines.ts'

interface Words extends StoreOptions {
  readonly session?: string
}

type Measured = NonNullable<Verdict['measured']>[number]

export function registerContribution(program: Command, io: Io): void {
  aboutStore(
    program
      .command('contribution')
      .description('what recalling it gave, with the sums; provisional while its session goes on'),
  )
    .argument('[id]', "a memory's id, or how it begins")
    .option('--session <id>', "a session's recalls instead (an id, or how it begins)")
    .action(async (id: string | undefined, words: Words) => {
      if ((id === undefined) === (words.session === undefined)) {
        throw new MemoryError('USAGE', 'Give either a memory or a session', {
          mend: 'Run `memctl contribution ID`, or `memctl contribution --session ID`.',
        })
      }
      const { contributionsOfMemory, contributionsOfSession } = await import('../broker/contribution.ts')
      const store = await storeGiven(words, io)
      const found = id === undefined ? contributionsOfSession(store, words.session!) : contributionsOfMemory(store, id)
      tell(io, words.json, found, contributionLines)
    })
}

function contributionLines(found: Contributions, page: Page): string[] {
  const { verdicts, help } = found
  const total = help
    ? [
        `Shown ${countText(help.shown, 'time')}, used ${help.used}; contributions add up to ${signedText(help.contribution)}.`,
      ]
    : []
  if (verdicts.length === 0) return [...total, 'No verdict is kept: it was not recalled, or long ago.']
  return [...total, ...verdicts.flatMap((verdict) => ['', ...verdictLines(verdict, found, page)])]
}

function verdictLines(verdict: Verdict, { weights, unusedCost }: Contributions, { palette, columns }: Page): string[] {
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
  const head = `${palette.bold(memory.slice(0, ID_SHOWN))} ${momentText(at)} UTC, ${how}: ${plain(firstLine(content, 120))}`
  const sure = traces.map((trace) => `${trace} ${numberText(confidences[trace] ?? 0)}`)
  const use =
    traces.length === 0
      ? `used 0: no trace, so it cost ${numberText(unusedCost)} (what a person said costs nothing)`
      : `used ${numberText(used)} = 1 − Π (1 − confidence): ${sure.join(', ')}`
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0)
  const rows = (measured ?? []).map((one) => [
    one.part,
    amountText(one, one.now),
    `usual ${amountText(one, one.usual)}`,
    `${one.kind === '*' ? 'this project' : one.kind}: ${amountText(one, one.own)} of ${one.n}`,
    signedText(one.value),
    `× ${numberText(weights[one.part])}`,
    signedText(one.value * weights[one.part]),
  ])
  const layout = [
    ...[{ head: '  part' }, { head: 'now', side: 'right' }, { head: 'baseline, shrunk' }],
    ...[
      { head: 'made of', gives: true },
      { head: 'part', side: 'right' },
      { head: 'weight' },
      { head: '', side: 'right' },
    ],
  ] as const
  const sum = rows.length === 0 ? 0 : (measured ?? []).reduce((all, one) => all + one.value * weights[one.part], 0)
  return [
    head,
    `  ${use}`,
    ...(rows.length === 0
      ? ['  no part can be told: nothing was checked, and nothing known failed or passed']
      : table(
          layout,
          rows.map(([part, ...rest]) => [`  ${part}`, ...rest]),
          columns,
          palette.dim,
        )),
    `  contribution ${signedText(contribution)}${traces.length === 0 ? '' : ` = ${numberText(used)} × ${signedText(sum)} / ${numberText(total)}`}`,
    ...(impacts && impacts.length > 0 ? [`  impact: ${impacts.join(', ')}`] : []),
  ]
}

function amountText({ part }: Measured, value: number): string {
  if (part === 'time') return spanText(1000 * value)
  if (part === 'success') return `${Math.round(100 * value)} %`
  return numberText(value)
}
