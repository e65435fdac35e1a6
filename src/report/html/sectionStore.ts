// What the memory costs: tokens, tiers and sizes, and the time of hooks.
import type { ReportData } from '../../broker/queries/reportData.ts'
import type { HookFigures } from '../../broker/queries/reportFigures.ts'
import type { EventKind } from '../../model/event.ts'
import { formatBytes } from '../formatNumber.ts'
import { renderEmpty, renderFigure, renderTable } from './figure.ts'
import { countOf, formatInteger, formatPeriod } from './formatFigures.ts'
import { type Html, html } from './html.ts'
import { drawBars } from './rowChart.ts'
import { inlineText } from './storeText.ts'
import { drawColumns } from './timeChart.ts'

export function renderTokens({ periods, unit, tokens, totals }: ReportData): Html {
  if (totals.notes === 0) return renderEmpty('No note was shown yet, so none has cost tokens.')
  const finding = `Half of the sessions with notes got at most ${formatInteger(tokens.median)} tokens of them`
  const columns = periods.map(({ start, tokens: value }) => ({ start, value }))
  return renderFigure({
    id: 'tokens-chart',
    finding,
    draw: drawColumns({ unit, label: 'tokens of notes', columns }),
    alternative: `Columns: tokens of shown notes per ${unit}. ${finding}; in all ${formatInteger(tokens.total)}.`,
    counted:
      'the estimated length of every text that was added to a conversation, subagents included. Nine of ten sessions ' +
      `stayed below ${formatInteger(tokens.p90)} tokens; the longest had ${formatInteger(tokens.max)}.`,
    table: {
      caption: `Tokens per ${unit}`,
      heads: [unit, 'notes', 'tokens'],
      rows: periods.map((period) => [
        formatPeriod(period.start, unit),
        ...[period.notes, period.tokens].map(formatInteger),
      ]),
      numeric: [1, 2],
    },
  })
}

const TIER_NAMES = { hot: 'hot: the last days', warm: 'warm: the last weeks', cold: 'cold: older' } as const

export function renderSizes({ status, vectorBytes }: ReportData): Html {
  const { memories, bytes, events } = status
  const kinds = Object.entries(memories.byKind).filter(([, count]) => count > 0)
  const sizes = renderTable({
    caption: 'Size on disk',
    heads: ['part', 'size'],
    rows: [
      [events.lines === null ? 'event log' : `event log, ${countOf(events.lines, 'event')}`, formatBytes(bytes.log)],
      ['memories and their index', formatBytes(bytes.memories)],
      ['vectors', formatBytes(vectorBytes)],
    ],
    numeric: [1],
  })
  if (memories.total === 0) return html`${renderEmpty('Memories appear when the first session has ended.')}${sizes}`
  const tiers = Object.entries(memories.byTier).map(([tier, count]) => ({
    name: TIER_NAMES[tier as keyof typeof TIER_NAMES],
    value: count,
    label: formatInteger(count),
  }))
  const active = memories.total - memories.archived
  const archived = `${formatInteger(active)} active, ${formatInteger(memories.archived)} archived`
  const finding = `${countOf(memories.total, 'memory', 'memories')}: ${archived}`
  return html`${renderFigure({
    id: 'tiers-chart',
    finding,
    draw: drawBars({ label: 'memories', rows: tiers }),
    alternative: tiers.map(({ name, label }) => `${name}: ${label}`).join('. '),
    counted:
      'a memory moves from hot to warm to cold with age; an archived one stays searchable but is not shown by ' +
      'itself. ' +
      'Private memories are not counted.',
    table: {
      caption: 'Memories by kind',
      heads: ['kind', 'memories'],
      rows: kinds.map(([kind, number]) => [kind, formatInteger(number)]),
      numeric: [1],
    },
  })}${sizes}`
}

const HOOK_NAMES: Readonly<Partial<Record<EventKind, string>>> = {
  recalled: 'any hook that found a note',
  'session.started': 'SessionStart',
  prompt: 'UserPromptSubmit',
  'call.started': 'PreToolUse',
  'call.succeeded': 'PostToolUse',
  'call.failed': 'PostToolUseFailure',
  answer: 'Stop',
  'agent.started': 'SubagentStart',
  'agent.stopped': 'SubagentStop',
  compaction: 'PreCompact, PostCompact',
  'session.ended': 'SessionEnd',
}

export function renderHooks({ hooks, status: { faults } }: ReportData): Html {
  const latest = faults.latest ? `${faults.latest.where}: ${faults.latest.what}` : ''
  const faultText = faults.latest
    ? html`<p>${countOf(faults.count, 'fault')} of hooks in all. The latest: ${inlineText(latest, 200)}.
<code>memctl doctor</code> says what to do.</p>`
    : html`<p>No hook has had a fault.</p>`
  if (hooks.length === 0) {
    const text = 'No hook of this log has recorded its time: earlier versions, imports and replays do not.'
    return html`${renderEmpty(text)}${faultText}`
  }
  return html`${renderHookTimes(hooks)}${faultText}`
}

function renderHookTimes(hooks: readonly HookFigures[]): Html {
  const total = hooks.reduce((sum, { count }) => sum + count, 0)
  const slowest = hooks.reduce((worst, figures) => (figures.medianMs > worst ? figures.medianMs : worst), 0)
  const finding = `Half of the hooks of each kind took at most ${slowest} ms`
  const rows = hooks.map(({ kind, medianMs }) => ({
    name: HOOK_NAMES[kind] ?? kind,
    value: medianMs,
    label: `${medianMs} ms`,
  }))
  return renderFigure({
    id: 'hooks-chart',
    finding,
    draw: drawBars({ label: 'median, milliseconds', rows }),
    alternative: rows.map(({ name, label }) => `${name}: ${label}`).join('. '),
    counted:
      `the time from the start of the hook's process until it wrote its event, ${countOf(total, 'time')}; ` +
      'one that found a note wrote twice. ' +
      'What the system needs to create and to end the process comes on top: a few milliseconds.',
    table: {
      caption: 'Times by hook',
      heads: ['hook', 'times', 'median', '95 % below', 'longest'],
      rows: hooks.map(({ kind, count, medianMs, p95Ms, maxMs }) => [
        HOOK_NAMES[kind] ?? kind,
        formatInteger(count),
        ...[medianMs, p95Ms, maxMs].map((ms) => `${formatInteger(ms)} ms`),
      ]),
      numeric: [1, 2, 3, 4],
    },
  })
}
