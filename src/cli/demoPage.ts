// The demo's last page: what a memory says, why, what it learnt, what it costs, and what to do next.
import type { PolicyLook } from '../broker/policy/look.ts'
import type { Features } from '../model/cue.ts'
import type { Memory } from '../model/memory.ts'
import type { RecallPolicy } from '../model/policy.ts'
import { countText, numberText, signedText } from '../report/amount.ts'
import { breakdownTable } from '../report/breakdown.ts'
import { table } from '../report/table.ts'
import { spanText } from '../report/time.ts'
import { clipped, plain } from '../report/width.ts'
import { firstLine } from '../text/excerpt.ts'
import type { Page } from './io.ts'
import { ID_SHOWN } from './memoryLines.ts'
import { kindsText, type Replayed } from './replay.ts'

export interface Demo {
  readonly replayed: Replayed
  /** What the next session is told at its start. */
  readonly start: string
  /** What it is told when the failure that was left open comes back. */
  readonly failure: {
    readonly command: string
    readonly told: string
    /** The first memory told, why, and under which numbers. */
    readonly first: { readonly memory: Memory; readonly features: Features } | null
  }
  readonly weights: Pick<RecallPolicy, 'weights' | 'boosts'>
  readonly policy: PolicyLook
  /** Memories that were shown, the most helpful first. */
  readonly helped: readonly Memory[]
  /** Medians of this run, in milliseconds. */
  readonly ms: { readonly hook: number; readonly bareNode: number; readonly hooks: number }
  readonly home: string
}

/** Lines of one note on this page; a session is told all of it. */
const NOTE_LINES_MAX = 2

/** Parts of a score, and learned numbers, named here; the greatest first. */
const PARTS_MAX = 6
const LEARNED_MAX = 4

export function demoPage(demo: Demo, page: Page): string[] {
  const { palette } = page
  const { replayed, failure, ms, home } = demo
  const { payloads, sessions, events, memories, spoke, faults, store } = replayed
  const title = (text: string): string[] => ['', palette.bold(palette.cyan(text))]
  const faulty = faults.count > 0 ? [palette.red(`${countText(faults.count, 'fault')}: ${faults.latest?.what}`)] : []
  return [
    `${countText(payloads, 'payload')} of ${countText(sessions, 'session')} in ${spanText(replayed.ms)} became ${countText(events, 'event')}; ${countText(spoke, 'hook')} had something to tell.`,
    `Memories: ${kindsText(memories)}.`,
    ...faulty,
    ...title('What the next session is told at its start'),
    ...notes(demo.start, page),
    ...title(`What it is told when \`${failure.command}\` fails again, as the last session left it`),
    ...notes(failure.told, page),
    ...why(demo, page, title),
    ...title('What was learnt'),
    ...learnt(demo, page),
    ...title('What it costs'),
    `  A hook took ${spanText(ms.hook)}, Node doing nothing ${spanText(ms.bareNode)}: ${(ms.hook / ms.bareNode).toFixed(2)} × (medians, ${countText(ms.hooks, 'hook')} of this run).`,
    ...title('Go on'),
    ...table(
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
function notes(told: string, { columns, palette }: Page): string[] {
  if (told === '') return ['  (nothing)']
  const [lead, ...rest] = plain(told).split('\n')
  const lines: string[] = []
  let cut = 0
  let own = 0
  for (const line of rest) {
    own = line.startsWith('- ') ? 1 : own + 1
    if (own <= NOTE_LINES_MAX) lines.push(`  ${own > 1 ? '  ' : ''}${clipped(line, columns - 4)}`)
    else cut++
  }
  const more = cut > 0 ? [palette.dim(`    (${countText(cut, 'line')} left out here)`)] : []
  return [palette.dim(`  ${clipped(lead!, columns - 2)}`), ...lines, ...more]
}

function why({ failure, weights }: Demo, { columns, palette }: Page, title: (text: string) => string[]): string[] {
  if (!failure.first) return []
  const { memory, features } = failure.first
  return [
    ...title(`Why: the score of ${memory.kind} ${memory.id.slice(0, ID_SHOWN)}`),
    ...breakdownTable(features, weights, columns - 2, { head: palette.dim, partsMax: PARTS_MAX }).map(
      (line) => `  ${line}`,
    ),
  ]
}

function learnt({ policy, helped }: Demo, { columns, palette }: Page): string[] {
  const records = helped.map(({ kind, content, help }) => [
    `    shown ${help.shown}, used ${help.used}`,
    signedText(help.contribution),
    kind,
    plain(firstLine(content, 200)),
  ])
  return [
    ...learnedPolicy(policy, columns),
    ...(records.length > 0 ? [palette.dim('  Memories that helped, and their contribution so far:')] : []),
    ...table([{ head: '' }, { head: '', side: 'right' }, { head: '' }, { head: '', gives: true }], records, columns),
  ]
}

function learnedPolicy({ version, numbers, judged, evidenceMin }: Demo['policy'], columns: number): string[] {
  const recalls = countText(judged, 'recall')
  const changed = numbers.filter((one) => one.difference !== 0)
  if (changed.length === 0) {
    return judged < evidenceMin
      ? [`  ${recalls} judged, ${evidenceMin} needed before anything may move: the policy is as shipped.`]
      : [`  ${recalls} judged. No change would surely have told better, so the policy is as shipped.`]
  }
  const most = [...changed].sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference)).slice(0, LEARNED_MAX)
  const moved = most.map((one) => [`    ${one.path}`, numberText(one.shipped), '→', numberText(one.serving)])
  const layout = [{ head: '' }, { head: '', side: 'right' }, { head: '' }, { head: '', side: 'right' }] as const
  const others = changed.length - most.length
  return [
    `  Policy version ${version}: ${recalls} judged, and ${countText(changed.length, 'number')} moved a little (shipped → serving).`,
    ...table(layout, moved, columns),
    ...(others > 0 ? [`    and ${others} more: memctl policy show`] : []),
  ]
}
