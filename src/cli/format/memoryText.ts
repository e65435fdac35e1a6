// Memories for a person: a table of many, or all fields of one.
import type { Event, EventOf } from '../../model/event.ts'
import { shortId } from '../../model/idPrefix.ts'
import type { Memory } from '../../model/memory.ts'
import { findSuccessor } from '../../model/statement.ts'
import { sanitizeForTerminal, wrapText } from '../../report/fitText.ts'
import { formatCount, formatNumber, formatSigned } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { firstLine } from '../../text/excerpt.ts'
import { teamText } from '../../text/teamText.ts'
import type { Terminal } from '../context/cliContext.ts'
import { formatEvent } from './eventText.ts'
import { formatFields, numberColumns } from './fieldTable.ts'

/** The first line of a memory, for a sentence about it. */
export const excerptOf = ({ content }: Pick<Memory, 'content'>): string => sanitizeForTerminal(firstLine(content, 200))

/** The same, with its id. */
export const describeMemory = (memory: Pick<Memory, 'id' | 'content'>): string =>
  `${excerptOf(memory)} (${shortId(memory.id)})`

/** A table with one line per memory; `scores`, in the same order, come first. */
export function formatMemoryTable(
  memories: readonly Memory[],
  { columns, palette, shortId }: Terminal,
  scores?: readonly number[],
): string[] {
  const isShared = memories.some((memory) => teamText(memory) !== '')
  const layout = [
    ...(scores ? numberColumns('score') : []),
    { head: 'id' },
    { head: 'kind' },
    { head: 'updated' },
    { head: 'tier' },
    ...numberColumns('imp'),
    ...(isShared ? [{ head: 'by' }] : []),
    { head: 'content', canShrink: true },
  ]
  const rows = memories.map((memory, i) => [
    ...(scores ? [scores[i]?.toFixed(2) ?? ''] : []),
    shortId(memory.id),
    memory.kind,
    memory.updated.slice(0, 10),
    findSuccessor(memory) ? 'superseded' : memory.status === 'archived' ? 'archived' : memory.tier,
    memory.importance.toFixed(2),
    ...(isShared ? [formatAuthor(memory)] : []),
    sanitizeForTerminal(firstLine(memory.content, 300)),
  ])
  return formatTable(layout, rows, columns, palette.dim)
}

/** `Aki`, or `Aki +2` if two other people have met it; empty for what only this machine has. */
const formatAuthor = (memory: Memory): string => {
  const { by = '', people = 1 } = teamText(memory) === '' ? {} : (memory.team ?? {})
  return sanitizeForTerminal(people > 1 ? `${by} +${people - 1}` : by)
}

/** Which memory replaced it, and which ones it replaced: one line each. */
export const formatSuccession = (
  successor: Memory | undefined,
  predecessors: readonly Memory[],
  terminal: Terminal,
): string[] => [
  ...(successor ? [`superseded by ${formatReference(successor, terminal)}`] : []),
  ...predecessors.map((memory) => `supersedes ${formatReference(memory, terminal)}`),
]

const formatReference = ({ id, content }: Memory, { shortId }: Terminal): string =>
  `${shortId(id)}: ${sanitizeForTerminal(firstLine(content, 200))}`

/** A text wrapped to the terminal, every line indented by two. */
export const indentText = (text: string, columns: number): string[] =>
  wrapText(sanitizeForTerminal(text), columns - 2).map((line) => `  ${line}`)

/** One memory with every field it has, its source events and the times at which its visibility was widened. */
export function formatMemory(
  memory: Memory,
  sources: readonly Event[],
  releases: readonly EventOf<'memory.released'>[],
  terminal: Terminal,
): string[] {
  const { palette, columns } = terminal
  const { id, kind, content, lessons, importanceTerms, help, events, team, ...rest } = memory
  const fields: [string, string][] = [
    ['help', `shown ${help.shown}, used ${help.used}, contribution ${formatSigned(help.contribution)}`],
    ['team', team ? sanitizeForTerminal(describeTeam(memory)) : ''],
    ['importance of', fieldText(importanceTerms)],
    ...Object.entries(rest).map(([name, value]): [string, string] => [name, sanitizeForTerminal(fieldText(value))]),
  ]
  const released = releases.map(
    ({ opened, from, to, at }) => [formatTimestamp(opened), `${from} → ${to}, seen to ${formatTimestamp(at)}`] as const,
  )
  const missing = events.length - sources.length
  return [
    `${palette.bold(kind)} ${palette.dim(id)}`,
    ...indentText(content, columns),
    ...lessons.flatMap((lesson) => indentText(`• ${lesson}`, columns)),
    '',
    ...formatFields(
      fields.filter(([, value]) => value !== ''),
      terminal,
    ),
    ...(releases.length > 0 ? ['', palette.dim('made more visible by the policy')] : []),
    ...formatFields(released, terminal),
    '',
    palette.dim(
      `derived from ${events.length} events${missing > 0 ? `, ${missing} of them no longer in the log` : ''}`,
    ),
    ...formatFields(
      sources.map((event) => [formatTimestamp(event.at), formatEvent(event)]),
      terminal,
    ),
  ]
}

/** `learned by Aki; 3 people met it, on 4 machines`, or that only this machine has it so far. */
function describeTeam(memory: Memory): string {
  const { replicas = 1 } = memory.team ?? {}
  const text = teamText(memory) || 'shared by this machine'
  return replicas > 1 ? `${text}, on ${replicas} machines` : text
}

/** A field's value as text; empty for a value without information. */
function fieldText(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value === 'number') return formatNumber(value)
  if (Array.isArray(value)) return value.map(fieldText).filter(Boolean).join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .flatMap(([name, inner]) => (fieldText(inner) ? [`${name} ${fieldText(inner)}`] : []))
    .join(', ')
}

/** Plurals that do not end with `s`. */
const PLURALS: Readonly<Record<string, string>> = {
  summary: 'summaries',
  entry: 'entries',
  consolidated: 'consolidated',
}

/** `lessons, facts and entries`. */
export function formatKindNames(kinds: readonly string[]): string {
  const names = kinds.map((kind) => PLURALS[kind] ?? `${kind}s`)
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Counts of memories by kind: `12 experiences, 5 lessons`. */
export function formatKinds(byKind: Readonly<Record<string, number>>): string {
  const counts = Object.entries(byKind).filter(([, count]) => count > 0)
  return counts.map(([kind, count]) => formatCount(count, kind, PLURALS[kind])).join(', ') || 'none'
}
