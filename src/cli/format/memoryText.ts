// Memories for a person: tables, and one in a sentence.
import { shortId } from '../../model/id.ts'
import type { Knowledge } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { sanitizeForTerminal, wrapText } from '../../report/fitText.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { AUTHOR_NAMES } from '../../report/knowledgeText.ts'
import { firstLine } from '../../text/excerpt.ts'
import { teamText } from '../../text/teamText.ts'
import type { Terminal } from '../context/cliContext.ts'
import { numberColumns } from './fieldTable.ts'

/** The first line of a memory, for a sentence about it. */
export const excerptOf = ({ content, knowledge }: Described): string =>
  sanitizeForTerminal(firstLine(knowledge?.line ?? content, 200))

type Described = Pick<Memory, 'content'> & Partial<Pick<Memory, 'knowledge'>>

/** The same, with its id. */
export const describeMemory = (memory: Described & Pick<Memory, 'id'>): string =>
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
    memory.supersededBy !== undefined ? 'superseded' : memory.status === 'archived' ? 'archived' : memory.tier,
    memory.importance.toFixed(2),
    ...(isShared ? [formatAuthor(memory)] : []),
    sanitizeForTerminal(firstLine(memory.content, 300)),
  ])
  return formatTable(layout, rows, columns, palette.dim)
}

export interface KnowledgeMemory extends Memory {
  readonly knowledge: Knowledge
}

export const isKnowledge = (memory: Memory): memory is KnowledgeMemory => memory.knowledge !== undefined

/** From this width on, a table of knowledge has every column. */
const WIDE_COLUMNS = 100

/** A table with one line per entry of knowledge, with the sessions that met it, and those that obeyed or broke it. */
export function formatKnowledgeTable(
  memories: readonly KnowledgeMemory[],
  { columns, palette, shortId }: Terminal,
): string[] {
  const isShared = memories.some((memory) => teamText(memory) !== '')
  const hasScopes = memories.some(({ knowledge }) => knowledge.scope !== 'project')
  const isWide = columns >= WIDE_COLUMNS
  const layout = [
    ...['id', 'type', 'state'].map((head) => ({ head })),
    ...(isWide ? [{ head: 'author' }] : []),
    ...(hasScopes ? [{ head: 'scope' }] : []),
    ...numberColumns('met', ...(isWide ? ['obeyed', 'broken'] : [])),
    ...(isShared ? [{ head: 'by' }] : []),
    { head: 'entry', canShrink: true },
  ]
  const rows = memories.map((memory) => {
    const { type, state, author, scope, record, line } = memory.knowledge
    return [
      shortId(memory.id),
      type,
      memory.supersededBy === undefined ? state : 'superseded',
      ...(isWide ? [AUTHOR_NAMES[author]] : []),
      ...(hasScopes ? [scope] : []),
      ...[record.met, ...(isWide ? [record.obeyed, record.broken] : [])].map(String),
      ...(isShared ? [formatAuthor(memory)] : []),
      sanitizeForTerminal(firstLine(line, 300)),
    ]
  })
  const standing = memories.filter(({ knowledge }) => knowledge.state === 'standing').length
  return [
    ...formatTable(layout, rows, columns, palette.dim),
    palette.dim(`${standing} of these stand. \`memctl show ID\` has the record and the evidence of one.`),
  ]
}

/** `Aki`, or `Aki +2` if two other people have met it; empty for what only this machine has. */
const formatAuthor = (memory: Memory): string => {
  const { by = '', people = 1 } = teamText(memory) === '' ? {} : (memory.team ?? {})
  return sanitizeForTerminal(people > 1 ? `${by} +${people - 1}` : by)
}

/** A text wrapped to the terminal, every line indented by two. */
export const indentText = (text: string, columns: number): string[] =>
  wrapText(sanitizeForTerminal(text), columns - 2).map((line) => `  ${line}`)

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
