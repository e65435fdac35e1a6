// The result page of the demo: what is recalled and why, what was learned, what it costs, and what to do next.
import type { PolicySummary } from '../../src/broker/queries/policySummary.ts'
import type { Terminal } from '../../src/cli/context/cliContext.ts'
import { formatKinds } from '../../src/cli/format/memoryText.ts'
import { shortId } from '../../src/model/id.ts'
import type { Memory } from '../../src/model/memory.ts'
import { type RankingFormula, selectRankingModel } from '../../src/model/rankingScore.ts'
import type { Features } from '../../src/model/recallQuery.ts'
import { sanitizeForTerminal, wrapText } from '../../src/report/fitText.ts'
import { formatCount, formatDuration, formatNumber, formatSigned } from '../../src/report/formatNumber.ts'
import { formatTable, numberColumns } from '../../src/report/formatTable.ts'
import { describeRecord, describeWhen } from '../../src/report/knowledgeText.ts'
import { formatBreakdown } from '../../src/report/noteReason.ts'
import { firstLine } from '../../src/text/excerpt.ts'
import type { ReplaySummary } from './replayCommand.ts'

export interface DemoResult {
  readonly replayed: ReplaySummary
  /** Injected at the start of the next session. */
  readonly start: string
  /** The last recorded failure, when it happens again in the next session. */
  readonly failure: {
    readonly command: string
    readonly injected: string
    /** The first memory shown and its features. */
    readonly first: { readonly memory: Memory; readonly features: Features } | null
  }
  readonly formula: RankingFormula
  readonly policy: PolicySummary
  /** Memories that were used, the most helpful first. */
  readonly helpfulMemories: readonly Memory[]
  /** Medians of this run, in milliseconds, and the number of hooks. */
  readonly ms: { readonly hook: number; readonly bareNode: number; readonly hooks: number }
  readonly home: string
}

/** Learned numbers on this page; the largest first. */
const LEARNED_MAX = 4

export function formatDemoPage(demo: DemoResult, terminal: Terminal): string[] {
  const { palette, columns } = terminal
  const { replayed, failure, ms, home } = demo
  const { payloads, sessions, events, memories, injected, faults, store } = replayed
  const heading = (text: string): string[] => ['', palette.bold(palette.cyan(text))]
  const input = `${formatCount(payloads, 'payload')} of ${formatCount(sessions, 'session')}`
  const replay = `${input} in ${formatDuration(replayed.ms)}`
  const ratio = `${(ms.hook / ms.bareNode).toFixed(2)} × (medians, ${formatCount(ms.hooks, 'hook')} of this run)`
  return [
    `${replay} became ${formatCount(events, 'event')}; ${formatCount(injected, 'hook')} injected context.`,
    `Memories: ${formatKinds(memories)}.`,
    ...(faults.count > 0 ? [palette.red(`${formatCount(faults.count, 'fault')}: ${faults.latest?.what}`)] : []),
    ...heading('Injected at the start of the next session'),
    ...formatNotes(demo.start, terminal),
    ...heading(`Injected when \`${failure.command}\` fails again, as at the end of the last session`),
    ...formatNotes(failure.injected, terminal),
    ...(failure.first ? [...heading(nameReason(failure.first.memory)), ...formatReason(demo, terminal)] : []),
    ...heading('What was learned'),
    ...formatLearned(demo, terminal),
    ...heading('What it costs'),
    `  A hook took ${formatDuration(ms.hook)}, Node without work ${formatDuration(ms.bareNode)}: ${ratio}.`,
    ...heading('Next steps'),
    ...formatTable(
      ['', ''],
      [
        ['  use it in a project of yours', palette.green('memctl init')],
        ['  explore this memory', palette.green(`memctl list --store ${store}`)],
        ['', palette.green(`memctl recall "add a discount" --explain --store ${store}`)],
        ['  remove it', palette.dim(`rm -r ${home}`)],
      ],
      columns,
    ),
  ]
}

/** An injected context, word for word. */
function formatNotes(context: string, { columns, palette }: Terminal): string[] {
  if (context === '') return ['  (nothing)']
  const [lead = '', ...rest] = sanitizeForTerminal(context).split('\n')
  const wrap = (text: string): string[] => wrapText(text, columns - 2).map((line) => `  ${line}`)
  return [...wrap(lead).map(palette.dim), ...rest.flatMap(wrap)]
}

const nameReason = ({ id, kind, knowledge }: Memory): string =>
  knowledge
    ? `Why: the trigger of this ${knowledge.type} fires (${shortId(id)})`
    : `Why: the score of ${kind} ${shortId(id)}`

/** When an entry is shown and its record, which is no score; or the parts of a score. */
function formatReason({ failure, formula }: DemoResult, { columns, palette }: Terminal): string[] {
  if (!failure.first) return []
  const { memory, features } = failure.first
  const { knowledge } = memory
  if (knowledge) {
    const text = `It is shown ${describeWhen(knowledge.when)}. Its record: ${describeRecord(knowledge)}.`
    return wrapText(sanitizeForTerminal(text), columns - 2).map((line) => `  ${line}`)
  }
  const model = selectRankingModel({ formula }, 'failure')
  return formatBreakdown(features, model, columns - 2, palette.dim).map((line) => `  ${line}`)
}

function formatLearned({ policy, helpfulMemories }: DemoResult, { columns }: Terminal): string[] {
  const wrap = (text: string): string[] => wrapText(text, columns - 4).map((line) => `    ${line}`)
  const learned = helpfulMemories.slice(0, 1).flatMap((memory) => {
    const [first = '', ...rest] = [firstLine(memory.content, 400), ...describeHistory(memory)].map(sanitizeForTerminal)
    return [...wrapText(first, columns - 2).map((line) => `  ${line}`), ...rest.flatMap(wrap)]
  })
  return [...learned, ...formatPolicy(policy, columns)]
}

/** Where a memory comes from, and what came of it. */
const describeHistory = ({ knowledge, created, help }: Memory): string[] => [
  knowledge ? describeRecord(knowledge) : `known since ${created.slice(0, 10)}`,
  `shown ${formatCount(help.shown, 'time')} since, used ${formatCount(help.used, 'time')}, ` +
    `contribution ${formatSigned(help.contribution)}`,
]

function formatPolicy({ version, numbers, judged }: PolicySummary, columns: number): string[] {
  const recalls = formatCount(judged, 'recall')
  const changed = numbers.filter((number) => number.difference !== 0)
  if (changed.length === 0) {
    return [`  ${recalls} judged. No change would surely be an improvement, so the policy keeps its defaults.`]
  }
  const largest = [...changed].sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference)).slice(0, LEARNED_MAX)
  const rows = largest.map(({ path, defaultValue, activeValue }) => [
    `    ${path}`,
    formatNumber(defaultValue),
    '→',
    formatNumber(activeValue),
  ])
  const others = changed.length - largest.length
  return [
    `  Policy version ${version}: ${recalls} judged, ${formatCount(changed.length, 'number')} changed ` +
      '(default → active).',
    ...formatTable(['', ...numberColumns(''), '', ...numberColumns('')], rows, columns),
    ...(others > 0 ? [`    and ${others} more: memctl policy show`] : []),
  ]
}
