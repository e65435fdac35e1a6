// The demo's last page: what a memory says, why, what it learnt, what it costs, and what to do next.
import type { PolicySummary } from '../../broker/queries/policySummary.ts'
import type { Memory } from '../../model/memory.ts'
import type { RecallPolicy } from '../../model/policy.ts'
import type { Features } from '../../model/recallQuery.ts'
import { clipText, sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount, formatNumber, formatSigned } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatDuration } from '../../report/formatTime.ts'
import { formatBreakdown } from '../../report/scoreBreakdown.ts'
import { firstLine } from '../../text/excerpt.ts'
import type { Terminal } from '../context/cliContext.ts'
import { ID_CHARS_SHOWN } from '../format/memoryText.ts'
import { formatKinds, type ReplaySummary } from './replay.ts'

export interface DemoResult {
  readonly replayed: ReplaySummary
  /** What the next session is told at its start. */
  readonly start: string
  /** What it is told when the failure that was left open comes back. */
  readonly failure: {
    readonly command: string
    readonly injected: string
    /** The first memory told, why, and under which numbers. */
    readonly first: { readonly memory: Memory; readonly features: Features } | null
  }
  readonly weights: Pick<RecallPolicy, 'weights' | 'boosts'>
  readonly policy: PolicySummary
  /** Memories that were shown, the most helpful first. */
  readonly helpfulMemories: readonly Memory[]
  /** Medians of this run, in milliseconds. */
  readonly ms: { readonly hook: number; readonly bareNode: number; readonly hooks: number }
  readonly home: string
}

/** Lines of one note on this page; a session is told all of it. */
const NOTE_LINES_MAX = 2

/** Parts of a score, and learned numbers, named here; the greatest first. */
const PARTS_MAX = 6
const LEARNED_MAX = 4

export function formatDemoPage(demo: DemoResult, page: Terminal): string[] {
  const { palette } = page
  const { replayed, failure, ms, home } = demo
  const { payloads, sessions, events, memories, injected, faults, store } = replayed
  const title = (text: string): string[] => ['', palette.bold(palette.cyan(text))]
  const faulty = faults.count > 0 ? [palette.red(`${formatCount(faults.count, 'fault')}: ${faults.latest?.what}`)] : []
  return [
    `${formatCount(payloads, 'payload')} of ${formatCount(sessions, 'session')} in ${formatDuration(replayed.ms)} became ${formatCount(events, 'event')}; ${formatCount(injected, 'hook')} had something to tell.`,
    `Memories: ${formatKinds(memories)}.`,
    ...faulty,
    ...title('What the next session is told at its start'),
    ...notes(demo.start, page),
    ...title(`What it is told when \`${failure.command}\` fails again, as the last session left it`),
    ...notes(failure.injected, page),
    ...why(demo, page, title),
    ...title('What was learnt'),
    ...learnt(demo, page),
    ...title('What it costs'),
    `  A hook took ${formatDuration(ms.hook)}, Node doing nothing ${formatDuration(ms.bareNode)}: ${(ms.hook / ms.bareNode).toFixed(2)} × (medians, ${formatCount(ms.hooks, 'hook')} of this run).`,
    ...title('Go on'),
    ...formatTable(
      [{ head: '' }, { head: '' }],
      [
        ['  in a project of yours', palette.green('npx memctl init')],
        ['  look around in this memory', palette.green(`npx memctl list --store ${store}`)],
        ['', palette.green(`npx memctl recall "add a discount" --explain --store ${store}`)],
        ['  remove it', palette.dim(`rm -r ${home}`)],
      ],
      page.columns,
    ),
  ]
}

/** What a hook told, its notes cut short for this page. */
function notes(told: string, { columns, palette }: Terminal): string[] {
  if (told === '') return ['  (nothing)']
  const [lead, ...rest] = sanitizeForTerminal(told).split('\n')
  const lines: string[] = []
  let cut = 0
  let own = 0
  for (const line of rest) {
    own = line.startsWith('- ') ? 1 : own + 1
    if (own <= NOTE_LINES_MAX) lines.push(`  ${own > 1 ? '  ' : ''}${clipText(line, columns - 4)}`)
    else cut++
  }
  const more = cut > 0 ? [palette.dim(`    (${formatCount(cut, 'line')} left out here)`)] : []
  return [palette.dim(`  ${clipText(lead!, columns - 2)}`), ...lines, ...more]
}

function why(
  { failure, weights }: DemoResult,
  { columns, palette }: Terminal,
  title: (text: string) => string[],
): string[] {
  if (!failure.first) return []
  const { memory, features } = failure.first
  return [
    ...title(`Why: the score of ${memory.kind} ${memory.id.slice(0, ID_CHARS_SHOWN)}`),
    ...formatBreakdown(features, weights, columns - 2, { head: palette.dim, partsMax: PARTS_MAX }).map(
      (line) => `  ${line}`,
    ),
  ]
}

function learnt({ policy, helpfulMemories }: DemoResult, { columns, palette }: Terminal): string[] {
  const records = helpfulMemories.map(({ kind, content, help }) => [
    `    shown ${help.shown}, used ${help.used}`,
    formatSigned(help.contribution),
    kind,
    sanitizeForTerminal(firstLine(content, 200)),
  ])
  return [
    ...learnedPolicy(policy, columns),
    ...(records.length > 0 ? [palette.dim('  Memories that helped, and their contribution so far:')] : []),
    ...formatTable(
      [{ head: '' }, { head: '', align: 'right' }, { head: '' }, { head: '', canShrink: true }],
      records,
      columns,
    ),
  ]
}

function learnedPolicy({ version, numbers, judged, evidenceMin }: DemoResult['policy'], columns: number): string[] {
  const recalls = formatCount(judged, 'recall')
  const changed = numbers.filter((one) => one.difference !== 0)
  if (changed.length === 0) {
    return judged < evidenceMin
      ? [`  ${recalls} judged, ${evidenceMin} needed before anything may move: the policy is as shipped.`]
      : [`  ${recalls} judged. No change would surely have told better, so the policy is as shipped.`]
  }
  const most = [...changed].sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference)).slice(0, LEARNED_MAX)
  const moved = most.map((one) => [
    `    ${one.path}`,
    formatNumber(one.defaultValue),
    '→',
    formatNumber(one.activeValue),
  ])
  const layout = [{ head: '' }, { head: '', align: 'right' }, { head: '' }, { head: '', align: 'right' }] as const
  const others = changed.length - most.length
  return [
    `  Policy version ${version}: ${recalls} judged, and ${formatCount(changed.length, 'number')} moved a little (shipped → serving).`,
    ...formatTable(layout, moved, columns),
    ...(others > 0 ? [`    and ${others} more: memctl policy show`] : []),
  ]
}
