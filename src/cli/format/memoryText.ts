// Memories as lines for a person: a list with its telling columns, one memory whole.
import type { Event, EventOf } from '../../model/event.ts'
import type { Memory } from '../../model/memory.ts'
import { sanitizeForTerminal, wrapText } from '../../report/fitText.ts'
import { formatNumber, formatSigned } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { firstLine } from '../../text/excerpt.ts'
import type { Terminal } from '../context/cliContext.ts'
import { formatEvent } from './eventText.ts'

/** How much of an id lists show: enough to tell some thousand apart, and `show` takes it. */
export const ID_CHARS_SHOWN = 8

/** A list, one line a memory; `scores` in front where there are any. */
export function formatMemoryTable(memories: readonly Memory[], page: Terminal, scores?: readonly number[]): string[] {
  const layout = [
    ...(scores ? [{ head: 'score', align: 'right' } as const] : []),
    { head: 'id' },
    { head: 'kind' },
    { head: 'updated' },
    { head: 'tier' },
    { head: 'imp', align: 'right' } as const,
    { head: 'content', canShrink: true },
  ]
  const rows = memories.map((memory, i) => [
    ...(scores ? [scores[i]!.toFixed(2)] : []),
    memory.id.slice(0, ID_CHARS_SHOWN),
    memory.kind,
    memory.updated.slice(0, 10),
    memory.status === 'archived' ? 'archived' : memory.tier,
    memory.importance.toFixed(2),
    sanitizeForTerminal(firstLine(memory.content, 300)),
  ])
  return formatTable(layout, rows, page.columns, page.palette.dim)
}

/** One memory with every field it has, and the events it was made of. */
export function formatMemory(
  memory: Memory,
  sources: readonly Event[],
  { palette, columns }: Terminal,
  releases: readonly EventOf<'memory.released'>[] = [],
): string[] {
  const { id, kind, content, lessons, importanceTerms, help, events, ...rest } = memory
  const text = (value: string): string[] => wrapText(sanitizeForTerminal(value), columns - 2).map((line) => `  ${line}`)
  const fields = Object.entries(rest).flatMap(([name, value]) => {
    const said = fieldText(value)
    return said === '' ? [] : [[palette.dim(name), sanitizeForTerminal(said)]]
  })
  const told = [
    [palette.dim('help'), `shown ${help.shown}, used ${help.used}, contribution ${formatSigned(help.contribution)}`],
    ...(importanceTerms ? [[palette.dim('importance of'), fieldText(importanceTerms)]] : []),
  ]
  const layout = [{ head: '' }, { head: '', canShrink: true }] as const
  const missing = events.length - sources.length
  return [
    `${palette.bold(kind)} ${palette.dim(id)}`,
    ...text(content),
    ...lessons.flatMap((lesson) => text(`• ${lesson}`)),
    '',
    ...formatTable(layout, [...told, ...fields], columns),
    ...(releases.length > 0 ? ['', palette.dim('opened in time, by the policy')] : []),
    ...formatTable(
      layout,
      releases.map(({ opened, from, to, at }) => [
        formatTimestamp(opened),
        `${from} → ${to}, seen to ${formatTimestamp(at)}`,
      ]),
      columns,
    ),
    '',
    palette.dim(`made of ${events.length} events${missing > 0 ? `, ${missing} of them no longer in the log` : ''}`),
    ...formatTable(
      layout,
      sources.map((event) => [formatTimestamp(event.at), formatEvent(event)]),
      columns,
    ),
  ]
}

/** A field's value in words; empty for what says nothing. */
function fieldText(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value === 'number') return formatNumber(value)
  if (Array.isArray(value)) return value.map(fieldText).filter(Boolean).join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .flatMap(([name, inner]) => (fieldText(inner) ? [`${name} ${fieldText(inner)}`] : []))
    .join(', ')
}
