// Memories for a person: tables, one in a sentence, one with its fields and evidence, rules that exclude one, and what
// a list says when it is empty.
import type { Event, EventOf } from '../../model/event.ts'
import { shortId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { ExclusionRule } from '../../model/recallQuery.ts'
import { displayWidth, removeControls, sanitizeForTerminal, wrapText } from '../../report/fitText.ts'
import { formatCount, formatNumber, formatSigned, formatTimestamp } from '../../report/formatNumber.ts'
import { formatFields, formatItems } from '../../report/formatTable.ts'
import {
  AUTHOR_NAMES,
  describeRecord,
  describeWhen,
  explainImportance,
  SCOPE_NAMES,
} from '../../report/knowledgeText.ts'
import { isolate, translate, translateStored } from '../../report/translation.ts'
import { firstLine } from '../../text/excerpt.ts'
import { teamText } from '../../text/sanitizeText.ts'
import type { Terminal } from '../context/cliContext.ts'
import { formatEvent } from './eventText.ts'

/** The first line of a memory, for a sentence about it. */
export const excerptOf = ({ content, kind, knowledge }: Described): string =>
  sanitizeForTerminal(translateStored(firstLine(knowledge?.line ?? content, 200), kind))

type Described = Pick<Memory, 'content' | 'kind'> & Partial<Pick<Memory, 'knowledge'>>

/** The same, with its id. */
export const describeMemory = (memory: Described & Pick<Memory, 'id'>): string =>
  `${excerptOf(memory)} (${shortId(memory.id)})`

/** From this width on, a table of memories has every column. */
const WIDE_COLUMNS = 100

/**
 * A table with one line per memory, for an entry of knowledge with its type, its state and what its record counts.
 * `scores`, in the same order, come first.
 */
export function formatMemoryTable(
  memories: readonly Memory[],
  terminal: Terminal,
  scores?: readonly number[],
): string[] {
  const isShared = memories.some((memory) => teamText(memory) !== '')
  const isWide = terminal.columns >= WIDE_COLUMNS
  const countOf = (name: 'met' | 'shown' | 'obeyed' | 'broken') => {
    const cell = ({ knowledge }: Memory): string => (knowledge ? String(knowledge.record[name]) : '')
    return memories.some((memory) => Number(cell(memory)) > 0) && ({ head: name, align: 'right', cell } as const)
  }
  return formatItems(memories, terminal, [
    scores && { head: 'score', align: 'right', cell: (_, i) => scores[i]?.toFixed(2) ?? '' },
    { head: 'id', cell: ({ id }) => terminal.shortId(id) },
    { head: 'kind', cell: ({ kind, knowledge }) => knowledge?.type ?? kind },
    { head: 'state', cell: describeState },
    isWide && { head: 'updated', cell: ({ updated }) => updated.slice(0, 10) },
    countOf('met'),
    countOf('shown'),
    isWide && countOf('obeyed'),
    isWide && countOf('broken'),
    isShared && { head: 'by', cell: formatAuthor },
    { head: 'content', canShrink: true, cell: excerptOf },
  ])
}

/** Its tier, or why it has none. */
const describePlace = ({ supersededBy, status, tier }: Memory): string =>
  supersededBy !== undefined ? 'superseded' : status === 'archived' ? status : tier

/** The state of an entry; of another memory where it is kept. */
const describeState = (memory: Memory): string =>
  memory.supersededBy === undefined ? (memory.knowledge?.state ?? describePlace(memory)) : 'superseded'

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

/** Beside the memory: the events it was derived from, and the times at which its visibility was widened. */
interface MemoryEvidence {
  readonly events: readonly Event[]
  readonly releases: readonly EventOf<'memory.released'>[]
  /** Every field, also those that only memctl uses. */
  readonly isComplete: boolean
}

export function formatMemory(
  memory: Memory,
  { events: sources, releases, isComplete }: MemoryEvidence,
  terminal: Terminal,
): string[] {
  const { palette, columns } = terminal
  const { id, kind, content, lessons, events, knowledge } = memory
  const line = knowledge?.line ?? content
  const fields = [...listFields(memory), ...(isComplete ? listInternalFields(memory) : [])]
  const released = releases.map(
    ({ opened, from, to, at }) => [formatTimestamp(opened), `${from} → ${to}, seen to ${formatTimestamp(at)}`] as const,
  )
  const missing = events.length - sources.length
  const lost = missing > 0 ? `, ${missing} of them no longer in the log` : ''
  return [
    `${palette.bold(translate(knowledge?.type ?? kind))} ${palette.dim(id)}`,
    ...indentText(translateStored(line, kind), columns),
    ...lessons.flatMap((lesson) => (lesson === line ? [] : indentText(`• ${lesson}`, columns))),
    '',
    ...formatWrappedFields(fields.map(withoutColours), terminal),
    ...(releases.length > 0 ? ['', palette.dim('made more visible by the policy')] : []),
    ...formatFields(released, terminal),
    '',
    palette.dim(`derived from ${formatCount(events.length, 'event')}${lost}`),
    ...formatFields(
      sources.map((event) => [formatTimestamp(event.at), formatEvent(event)]),
      terminal,
    ),
  ]
}

type Field = readonly [name: string, value: string]

/** A value of a memory has none of its own. */
const withoutColours = ([name, value]: Field): Field => [name, value.replaceAll('\u001b', '')]

/** The fields with a value, each in as many rows as the terminal needs for it. */
export function formatWrappedFields(fields: readonly Field[], terminal: Terminal): string[] {
  const filled = fields.filter(([, value]) => removeControls(value) !== '')
  const width = Math.max(...filled.map(([name]) => displayWidth(translate(name)))) + 2
  const rows = filled.flatMap(([name, value]) =>
    wrapText(value, Math.max(20, terminal.columns - width)).map(
      (line, i): Field => [i === 0 ? name : '', line.trimStart()],
    ),
  )
  return formatFields(rows, terminal)
}

/** What a person asks about. An empty value is left out. */
function listFields(memory: Memory): Field[] {
  const { branch, files, help, importance, pinned, privacy, role } = memory
  const used = `shown ${formatCount(help.shown, 'time')}, used ${formatNumber(help.used)}`
  const rank = `importance ${importance.toFixed(2)}${pinned ? `, pinned: ${pinned.reason}` : ''}`
  return [
    ...listKnowledgeFields(memory),
    ['team', memory.team ? describeTeam(memory) : ''],
    // A task has the words of both.
    ['words of', memory.knowledge || memory.kind === 'experience' ? '' : (memory.provenance ?? '')],
    ['made', `${formatTimestamp(memory.created)}${memory.session === undefined ? '' : `, session ${memory.session}`}`],
    ['updated', memory.updated === memory.created ? '' : formatTimestamp(memory.updated)],
    ['kept', `${describePlace(memory)}, ${rank}`],
    ['help', help.shown === 0 ? '' : `${used}, contribution ${formatSigned(help.contribution)}`],
    ['visible to', privacy === 'public' ? '' : privacy === 'private' ? 'its own agent' : `agents of the role ${role}`],
    ['outcome', memory.outcome === 'unknown' ? '' : memory.outcome],
    ['branch', sanitizeForTerminal(branch ?? '')],
    ['files', sanitizeForTerminal(files.join(', '))],
    ['tags', sanitizeForTerminal(memory.tags.join(', '))],
    ['task', isTaskName(memory.taskId) ? memory.taskId : ''],
    ['expires', memory.expires ?? ''],
    ['importSource', fieldText(memory.importSource)],
    ['entry', memory.entrySource?.file ?? ''],
    ['metadata', sanitizeForTerminal(fieldText(memory.metadata))],
  ]
}

/** An issue such as `#42`; else it is the id of a prompt. */
const isTaskName = (task: string | undefined): task is string => task !== undefined && !/^[\da-f-]{36}$/.test(task)

function listKnowledgeFields({ content, knowledge }: Memory): Field[] {
  if (!knowledge) return []
  const { asked, author, line, quote, reason, scope, state, when } = knowledge
  const words = quote ?? (content === line ? '' : firstLine(content, 300))
  return [
    ['said', words === '' || words === line ? '' : sanitizeForTerminal(`“${words}”`)],
    ['reason', sanitizeForTerminal(reason ?? '')],
    ['author', `${AUTHOR_NAMES[author]}${asked ? ', asked to remember it' : ''}`],
    ['holds for', SCOPE_NAMES[scope]],
    ['state', state],
    // Each by itself: a row for one trigger would take all of them as its words.
    ['when', when.map((trigger) => isolate(translate(describeWhen([trigger])))).join('; ') || 'at starts'],
    ['record', describeRecord(knowledge)],
  ]
}

/** Who wrote an entry, where it holds, when it is shown, and its record. */
export const formatKnowledge = (memory: Memory, terminal: Terminal): string[] =>
  formatWrappedFields(listKnowledgeFields(memory).map(withoutColours), terminal)

/** Those that are said above, and what would have two meanings here: a memory's own scope is about sharing. */
const SAID_ABOVE: ReadonlySet<string> = new Set(
  'id kind content lessons importanceTerms help events team knowledge provenance'.split(' '),
)

const INTERNAL_NAMES: Readonly<Record<string, string>> = { scope: 'shared with', scopeDomain: 'domain' }

const listInternalFields = (memory: Memory): Field[] => [
  ['importance now', explainImportance(memory)],
  ...Object.entries(memory).flatMap(([name, value]): Field[] =>
    SAID_ABOVE.has(name) ? [] : [[INTERNAL_NAMES[name] ?? isolate(name), sanitizeForTerminal(fieldText(value))]],
  ),
]

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

/** Which memory replaced it, and which ones it replaced: one line each. */
export const formatSuccession = (
  successor: Memory | undefined,
  predecessors: readonly Memory[],
  terminal: Terminal,
): string[] => [
  ...(successor ? [`superseded by ${formatReference(successor, terminal)}`] : []),
  ...predecessors.map((memory) => `supersedes ${formatReference(memory, terminal)}`),
]

const formatReference = (memory: Memory, { shortId }: Terminal): string => `${shortId(memory.id)}: ${excerptOf(memory)}`

/** One rule, as two lines; with the text of its memory if it is known. */
export function formatExclusionRule(rule: ExclusionRule & { readonly content?: string }): string[] {
  const { moment, memory, kind, until, renewed, evidence, content } = rule
  const { sessions, used, usual } = evidence
  const isOver = Date.parse(until) <= Date.now()
  const span = `${isOver ? 'tried again since' : 'excluded until'} ${formatTimestamp(until)} UTC`
  const renewals = renewed === 0 ? '' : `, renewed ${formatCount(renewed, 'time')}`
  const text = content === undefined ? '' : ` ${sanitizeForTerminal(firstLine(content, 80))}`
  const [basis, others] =
    memory === undefined
      ? [`${formatCount(sessions, 'note')} of it shown there`, 'other kinds']
      : [`shown there in ${formatCount(sessions, 'session')}`, 'its kind']
  return [
    `${memory === undefined ? `notes of the kind ${kind}` : shortId(memory)}${text}, moment ${moment}: ${span}${renewals}`,
    `  ${basis}, uses ${formatNumber(used)}; usual for ${others} there: ${formatNumber(100 * usual)} % of the sessions`,
  ]
}

type ListName = 'memories' | 'events' | 'sessions'

/** The values of each filter by its option; `words` are those of a search. */
type Filters = Readonly<Record<string, string | readonly string[] | undefined>>

/** `isStoreEmpty`: there is nothing without the filters either. */
export function formatNothing(list: ListName, isStoreEmpty: boolean, filters: Filters = {}): string[] {
  if (isStoreEmpty) return FIRST_STEPS[list]
  const given = Object.entries(filters).flatMap(([name, value]) =>
    [value ?? []].flat().map((item) => (name === 'words' ? `"${item}"` : `--${name} ${item}`)),
  )
  return [`No ${list} match ${given.join(' ')}.`]
}

const START = 'Run `memctl init` once in the project, then work with Claude Code as usual.'

const FIRST_STEPS: Readonly<Record<ListName, string[]>> = {
  memories: [
    'No memories yet. They are made when a session ends.',
    START,
    'Or tell memctl one: `memctl remember TEXT`.',
  ],
  events: ['No events yet.', START],
  sessions: ['No sessions yet.', START],
}
