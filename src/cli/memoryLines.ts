// Memories as lines for a person: a list with its telling columns, one memory whole.
import type { Event, EventOf } from '../model/event.ts'
import type { Memory } from '../model/memory.ts'
import { numberText, signedText } from '../report/amount.ts'
import { table } from '../report/table.ts'
import { momentText } from '../report/time.ts'
import { plain, wrapped } from '../report/width.ts'
import { firstLine } from '../text/excerpt.ts'
import { eventWords } from './eventWords.ts'
import type { Page } from './io.ts'

/** How much of an id lists show: enough to tell some thousand apart, and `show` takes it. */
export const ID_SHOWN = 8

/** A list, one line a memory; `scores` in front where there are any. */
export function memoryTable(memories: readonly Memory[], page: Page, scores?: readonly number[]): string[] {
  const layout = [
    ...(scores ? [{ head: 'score', side: 'right' } as const] : []),
    { head: 'id' },
    { head: 'kind' },
    { head: 'updated' },
    { head: 'tier' },
    { head: 'imp', side: 'right' } as const,
    { head: 'content', gives: true },
  ]
  const rows = memories.map((memory, i) => [
    ...(scores ? [scores[i]!.toFixed(2)] : []),
    memory.id.slice(0, ID_SHOWN),
    memory.kind,
    memory.updated.slice(0, 10),
    memory.status === 'archived' ? 'archived' : memory.tier,
    memory.importance.toFixed(2),
    plain(firstLine(memory.content, 300)),
  ])
  return table(layout, rows, page.columns, page.palette.dim)
}

/** One memory with every field it has, and the events it was made of. */
export function memoryWhole(
  memory: Memory,
  sources: readonly Event[],
  { palette, columns }: Page,
  releases: readonly EventOf<'memory.released'>[] = [],
): string[] {
  const { id, kind, content, lessons, importanceTerms, help, events, ...rest } = memory
  const text = (value: string): string[] => wrapped(plain(value), columns - 2).map((line) => `  ${line}`)
  const fields = Object.entries(rest).flatMap(([name, value]) => {
    const said = fieldText(value)
    return said === '' ? [] : [[palette.dim(name), plain(said)]]
  })
  const told = [
    [palette.dim('help'), `shown ${help.shown}, used ${help.used}, contribution ${signedText(help.contribution)}`],
    ...(importanceTerms ? [[palette.dim('importance of'), fieldText(importanceTerms)]] : []),
  ]
  const layout = [{ head: '' }, { head: '', gives: true }] as const
  const missing = events.length - sources.length
  return [
    `${palette.bold(kind)} ${palette.dim(id)}`,
    ...text(content),
    ...lessons.flatMap((lesson) => text(`• ${lesson}`)),
    '',
    ...table(layout, [...told, ...fields], columns),
    ...(releases.length > 0 ? ['', palette.dim('opened in time, by the policy')] : []),
    ...table(
      layout,
      releases.map(({ opened, from, to, at }) => [momentText(opened), `${from} → ${to}, seen to ${momentText(at)}`]),
      columns,
    ),
    '',
    palette.dim(`made of ${events.length} events${missing > 0 ? `, ${missing} of them no longer in the log` : ''}`),
    ...table(
      layout,
      sources.map((event) => [momentText(event.at), eventWords(event)]),
      columns,
    ),
  ]
}

/** A field's value in words; empty for what says nothing. */
function fieldText(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value === 'number') return numberText(value)
  if (Array.isArray(value)) return value.map(fieldText).filter(Boolean).join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .flatMap(([name, inner]) => (fieldText(inner) ? [`${name} ${fieldText(inner)}`] : []))
    .join(', ')
}
