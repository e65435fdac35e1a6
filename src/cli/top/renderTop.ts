// A screen of `memctl top` as lines: exactly as many as the terminal has, none wider than it.
import type { Activity, ActivityItem, OpenSession } from '../../broker/queries/liveActivity.ts'
import { shortId } from '../../model/idPrefix.ts'
import type { Memory } from '../../model/memory.ts'
import type { RankingModel } from '../../model/policy.ts'
import type { RecallMoment } from '../../model/recallQuery.ts'
import { clipText, displayWidth, padText, sanitizeForTerminal, wrapText } from '../../report/fitText.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { formatTimeAgo } from '../../report/formatTime.ts'
import { explainNote } from '../../report/noteReason.ts'
import type { Palette } from '../../report/palette.ts'
import { filterItems, type TopState } from './topState.ts'

export interface TopScreen {
  readonly activity: Activity
  readonly state: TopState
  readonly columns: number
  /** At least 1; a snapshot for a pipe has as many as it needs. */
  readonly rows: number
  readonly palette: Palette
  /** The memory of the selected item, on its page. */
  readonly memory?: Memory | undefined
  readonly modelOf: (moment: RecallMoment) => RankingModel
  /** The state of the hub; absent without one. */
  readonly hub?: string | undefined
}

/** Bars of the event rate, from nothing to the maximum. */
const BARS = '▁▂▃▄▅▆▇█'

/** Columns of `12 minutes ago`. */
const AGO_COLUMNS = 14

/** From this width on, an item says in the same line why it was shown. */
const WIDE_COLUMNS = 110

const HELP = [
  'Keys',
  '',
  '  ↑ ↓ j k      select a note or failure',
  '  Enter        show its memory; any other key goes back',
  '  /            filter by text; Esc removes the filter',
  '  p, space     pause, continue',
  '  q, Ctrl-C    quit',
  '',
  'A note was shown to the model. A failure had a known fix.',
  'The bars are events a minute, of the last 30 minutes.',
]

/** The lines of the screen. */
export function renderTop(view: TopScreen): string[] {
  const { state, rows, columns } = view
  const head = formatHead(view)
  const foot = formatFoot(view)
  const bodyRows = Math.max(0, rows - head.length - 1)
  const body = state.page === 'list' ? formatList(view, bodyRows) : formatPage(view, bodyRows)
  const filled = [...body, ...Array.from({ length: Math.max(0, bodyRows - body.length) }, () => '')]
  return [...head, ...filled.slice(0, bodyRows), foot].slice(-rows).map((line) => limitColumns(line, columns))
}

/** A line that is certainly not wider than the terminal; colours are kept if it fits, and its indent. */
function limitColumns(line: string, columns: number): string {
  if (displayWidth(line) <= columns) return line
  const indent = /^ */.exec(line)?.[0] ?? ''
  return indent + clipText(line, columns - indent.length)
}

function formatHead({ activity, state, columns, palette, rows, hub }: TopScreen): string[] {
  const { status, perMinute, isWorking, at } = activity
  const { project, memories, unorganized, lastOrganized, faults } = status
  const time = `${at.slice(11, 19)} UTC${state.isPaused ? ' paused' : ''}`
  const name = clipText(`memctl top  ${clean(project.name)}`, Math.max(8, columns - displayWidth(time) - 1))
  const rate = perMinute.at(-1) ?? 0
  const tiers = Object.entries(memories.byTier).flatMap(([tier, count]) => (count > 0 ? [`${count} ${tier}`] : []))
  const organized = lastOrganized ? `organized ${formatTimeAgo(lastOrganized, Date.parse(at))}` : 'not organized yet'
  const waiting = unorganized > 0 ? `, ${unorganized} to do` : ''
  const worker = isWorking ? palette.green('worker organizing') : `worker idle, ${organized}${waiting}`
  const fault = faults.count === 0 ? 'no faults' : palette.red(formatCount(faults.count, 'fault'))
  const kept = `${formatCount(memories.total, 'memory', 'memories')}${tiers.length > 0 ? `: ${tiers.join(', ')}` : ''}`
  const events = `${formatBars(perMinute.slice(-Math.max(5, columns - 20)))} ${rate} events/min`
  const facts =
    columns >= WIDE_COLUMNS ? [`${kept} · ${worker} · ${fault} · ${events}`] : [kept, `${worker} · ${fault}`, events]
  const shared = hub === undefined ? [] : [`hub: ${clean(hub)}`]
  const head = [palette.bold(padText(name, columns - displayWidth(time))) + palette.dim(time), ...facts, ...shared]
  // A small screen is for the notes.
  return rows < 12 ? head.slice(0, 2) : [...head, '']
}

function formatBars(perMinute: readonly number[]): string {
  const most = Math.max(1, ...perMinute)
  return perMinute.map((count) => BARS[Math.ceil((count / most) * (BARS.length - 1))]).join('')
}

function formatFoot({ state, palette, activity, columns }: TopScreen): string {
  if (state.isTyping) return `/${state.filter}█`
  const filter = state.filter === '' ? '' : `  filter: ${clean(state.filter)} (Esc)`
  if (state.page !== 'list') return palette.dim('↑↓ scroll  Esc back  q back  Ctrl-C quit')
  const latest = activity.status.faults.latest
  const fault = latest && filter === '' ? `  ${clean(latest.what)}` : ''
  const keys = columns < 60 ? 'q p ↑↓ Enter /  ? help' : 'q quit  p pause  ↑↓ select  Enter show  / filter  ? help'
  return palette.dim(`${keys}${filter}${fault}`)
}

/** Sessions first, then the items that fit, with the selected one among them. */
function formatList(view: TopScreen, rows: number): string[] {
  const { activity, state, columns, palette } = view
  const { sessions } = activity
  const sessionRows = Math.min(sessions.length, Math.max(1, Math.floor(rows / 4)))
  const more = sessions.length > sessionRows ? `, ${sessions.length - sessionRows} more` : ''
  const top =
    sessions.length === 0
      ? [palette.dim('No session is open.'), '']
      : [
          palette.bold(`Open sessions (${sessions.length}${more})`),
          ...sessions.slice(0, sessionRows).map((session) => formatSession(session, activity.at, columns)),
          '',
        ]
  const items = filterItems(activity.items, state.filter)
  const title = palette.bold(state.filter === '' ? 'Notes and known failures' : `Matching "${clean(state.filter)}"`)
  const left = Math.max(0, rows - top.length - 1)
  const linesEach = columns >= WIDE_COLUMNS || left < 6 ? 1 : 2
  const shown = Math.floor(left / linesEach)
  const selected = Math.min(state.selected, items.length - 1)
  const start = Math.max(0, Math.min(selected - Math.floor(shown / 2), items.length - shown))
  const lines = items
    .slice(start, start + shown)
    .flatMap((item, i) => formatItem(item, view, start + i === selected).slice(0, linesEach))
  const none = state.filter === '' ? 'No note was shown lately.' : 'Nothing matches.'
  return [...top, title, ...(items.length === 0 ? [palette.dim(none)] : lines)]
}

function formatSession(
  { id, lastAt, branch, events, notes, prompt }: OpenSession,
  at: string,
  columns: number,
): string {
  const ago = formatTimeAgo(lastAt, Date.parse(at))
  const place = branch === undefined ? '' : `  ${clipText(clean(branch), 16)}`
  const counts = `${formatCount(events, 'event')}, ${formatCount(notes, 'note')}`
  const head = `  ${shortId(id)}  ${padText(ago, AGO_COLUMNS)}  ${counts}${place}`
  const left = columns - displayWidth(head) - 2
  return prompt === undefined || left < 12 ? head : `${head}  ${clipText(clean(prompt), left)}`
}

/** The line of an item, and below it why it was shown; a wide screen has both in one line. */
function formatItem(item: ActivityItem, view: TopScreen, isSelected: boolean): string[] {
  const { activity, columns, palette, modelOf } = view
  const { kind, at, cue, title, moment, features } = item
  const ago = padText(formatTimeAgo(at, Date.parse(activity.at)), AGO_COLUMNS)
  const why =
    kind === 'failure' ? 'its fix is known' : moment && features ? explainNote(features, moment, modelOf(moment)) : ''
  const about = [why, clean(cue)].filter(Boolean).join(' · ')
  const mark = isSelected ? '›' : ' '
  const label = kind === 'failure' ? palette.red('failed') : palette.cyan('note  ')
  const head = `${mark} ${ago} `
  const left = Math.max(4, columns - displayWidth(head) - 7)
  const style = isSelected ? palette.bold : (text: string): string => text
  if (columns < WIDE_COLUMNS) {
    return [
      `${head}${label} ${style(clipText(clean(title), left))}`,
      palette.dim(`${' '.repeat(displayWidth(head))}${clipText(about, columns - displayWidth(head))}`),
    ]
  }
  const titleColumns = Math.floor(left * 0.55)
  const text = padText(style(clipText(clean(title), titleColumns)), titleColumns)
  return [`${head}${label} ${text} ${palette.dim(clipText(about, left - titleColumns - 1))}`]
}

function formatPage({ state, memory, columns, palette, activity }: TopScreen, rows: number): string[] {
  if (state.page === 'help') return HELP.map((line, i) => (i === 0 ? palette.bold(line) : line))
  if (!memory) return ['This memory is gone.']
  const { id, kind, tier, created, updated, help, content, lessons, importance } = memory
  const now = Date.parse(activity.at)
  const lines = [
    palette.bold(`${kind} ${shortId(id)}`),
    palette.dim(`${tier}, created ${formatTimeAgo(created, now)}, changed ${formatTimeAgo(updated, now)}`),
    palette.dim(`shown ${formatCount(help.shown, 'time')}, used ${help.used}; importance ${importance.toFixed(2)}`),
    '',
    ...wrapText(sanitizeForTerminal(content), columns),
    ...lessons.flatMap((lesson) => wrapText(`- ${sanitizeForTerminal(lesson)}`, columns)),
  ]
  return lines.slice(Math.min(state.scrolled, Math.max(0, lines.length - rows)))
}

const clean = (text: string): string => sanitizeForTerminal(text).replace(/\s+/g, ' ')
