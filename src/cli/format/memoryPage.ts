// One memory for a person: what it says, when it is shown, and what became of it.
import type { Event, EventOf } from '../../model/event.ts'
import type { Memory } from '../../model/memory.ts'
import { sanitizeForTerminal, wrapText } from '../../report/fitText.ts'
import { formatCount, formatNumber, formatSigned } from '../../report/formatNumber.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { AUTHOR_NAMES, describeRecord, describeWhen, SCOPE_NAMES } from '../../report/knowledgeText.ts'
import { firstLine } from '../../text/excerpt.ts'
import { teamText } from '../../text/teamText.ts'
import type { Terminal } from '../context/cliContext.ts'
import { formatEvent } from './eventText.ts'
import { formatFields } from './fieldTable.ts'
import { indentText } from './memoryText.ts'

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
  const fields = [...listFields(memory), ...(isComplete ? listInternalFields(memory) : [])]
  const released = releases.map(
    ({ opened, from, to, at }) => [formatTimestamp(opened), `${from} → ${to}, seen to ${formatTimestamp(at)}`] as const,
  )
  const missing = events.length - sources.length
  const lost = missing > 0 ? `, ${missing} of them no longer in the log` : ''
  return [
    `${palette.bold(knowledge?.type ?? kind)} ${palette.dim(id)}`,
    ...indentText(knowledge?.line ?? content, columns),
    ...lessons.flatMap((lesson) => indentText(`• ${lesson}`, columns)),
    '',
    ...formatFields(wrapFields(fields, columns), terminal),
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

/** The fields with a value, each in as many rows as the terminal needs for it. */
function wrapFields(fields: readonly Field[], columns: number): Field[] {
  const filled = fields.filter(([, value]) => value !== '')
  const width = Math.max(...filled.map(([name]) => name.length)) + 2
  return filled.flatMap(([name, value]) =>
    wrapText(sanitizeForTerminal(value), Math.max(20, columns - width)).map(
      (line, i): Field => [i === 0 ? name : '', line.trimStart()],
    ),
  )
}

/** What a person asks about. An empty value is left out. */
function listFields(memory: Memory): Field[] {
  const { branch, files, help, importance, pinned, privacy, role, status, supersededBy, tier } = memory
  const used = `shown ${formatCount(help.shown, 'time')}, used ${formatNumber(help.used)}`
  const rank = `importance ${importance.toFixed(2)}${pinned ? `, pinned: ${pinned.reason}` : ''}`
  return [
    ...listKnowledgeFields(memory),
    ['team', memory.team ? describeTeam(memory) : ''],
    ['words of', memory.knowledge ? '' : (memory.provenance ?? '')],
    ['made', `${formatTimestamp(memory.created)}${memory.session === undefined ? '' : `, session ${memory.session}`}`],
    ['updated', memory.updated === memory.created ? '' : formatTimestamp(memory.updated)],
    ['kept', `${supersededBy !== undefined ? 'superseded' : status === 'archived' ? status : tier}, ${rank}`],
    ['help', help.shown === 0 ? '' : `${used}, contribution ${formatSigned(help.contribution)}`],
    ['visible to', privacy === 'public' ? '' : privacy === 'private' ? 'its own agent' : `agents of the role ${role}`],
    ['outcome', memory.outcome === 'unknown' ? '' : memory.outcome],
    ['branch', branch ?? ''],
    ['files', files.join(', ')],
    ['tags', memory.tags.join(', ')],
    ['task', isTaskName(memory.taskId) ? memory.taskId : ''],
    ['expires', memory.expires ?? ''],
    ['importSource', fieldText(memory.importSource)],
    ['entry', memory.entrySource?.file ?? ''],
    ['metadata', fieldText(memory.metadata)],
  ]
}

/** An issue such as `#42`; else it is the id of a prompt. */
const isTaskName = (task: string | undefined): task is string => task !== undefined && !/^[\da-f-]{36}$/.test(task)

function listKnowledgeFields({ content, knowledge }: Memory): Field[] {
  if (!knowledge) return []
  const { asked, author, line, quote, reason, scope, state, when } = knowledge
  const words = quote ?? (content === line ? '' : firstLine(content, 300))
  return [
    ['said', words === '' || words === line ? '' : `“${words}”`],
    ['reason', reason ?? ''],
    ['author', `${AUTHOR_NAMES[author]}${asked ? ', asked to remember it' : ''}`],
    ['holds for', SCOPE_NAMES[scope]],
    ['state', state],
    ['when', describeWhen(when) || 'at starts'],
    ['record', describeRecord(knowledge)],
  ]
}

/** Those that are said above, and what would have two meanings here: a memory's own scope is about sharing. */
const SAID_ABOVE: ReadonlySet<string> = new Set(
  'id kind content lessons importanceTerms help events team knowledge provenance'.split(' '),
)

const INTERNAL_NAMES: Readonly<Record<string, string>> = { scope: 'shared with', scopeDomain: 'domain' }

const listInternalFields = (memory: Memory): Field[] => [
  ['importance of', fieldText(memory.importanceTerms)],
  ...Object.entries(memory).flatMap(([name, value]): Field[] =>
    SAID_ABOVE.has(name) ? [] : [[INTERNAL_NAMES[name] ?? name, fieldText(value)]],
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

const formatReference = ({ id, content, knowledge }: Memory, { shortId }: Terminal): string =>
  `${shortId(id)}: ${sanitizeForTerminal(firstLine(knowledge?.line ?? content, 200))}`
