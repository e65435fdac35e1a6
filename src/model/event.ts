// Event: one thing that happened, as the log keeps it. The one schema, version 1; docs/events.md tells it to people.
//
// Fields of their default value are not written (role main, no lessons, privacy public, outcome unknown), so a line
// is short. parseEvent puts them back: past that line nobody checks again.

import type { EventId, MemoryId, SessionId } from './id.ts'
import type { ImportanceTerms } from './importance.ts'
import type { Outcome } from './memory.ts'
import type { Privacy } from './privacy.ts'
import type { RecallMoment } from './recallQuery.ts'
import type { SystemEventBody } from './systemEventBody.ts'

/** What every event says. Lessons to privacy are seed 003's shared schema. */
export interface EventEnvelope {
  readonly id: EventId
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string
  readonly session: SessionId
  readonly agentId?: string | undefined
  /** `agent_type`; the main conversation is `main`. */
  readonly role: string
  /** One prompt and what it set off: `prompt_id`, else the prompt's ordinal where it is known. */
  readonly taskId?: string | undefined
  readonly outcome: Outcome
  readonly lessons: readonly string[]
  readonly privacy: Privacy
  /** First importance, 0 to 1, and those of its terms that are not 0. */
  readonly importance?: number | undefined
  readonly terms?: Partial<ImportanceTerms> | undefined
  /** Payload fields this version does not know. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined
}

/** A tool call, as its start and its end tell it. */
export interface CallFields {
  readonly tool: string
  /** tool_use_id */
  readonly call: string
  /** The input, redacted and bounded; file texts are cut. */
  readonly input: Readonly<Record<string, unknown>>
  readonly files: readonly string[]
  readonly commandShape?: string | undefined
}

export interface PromptSignal {
  readonly kind: 'remember' | 'preference' | 'decision' | 'correction' | 'thanks' | 'complaint'
  readonly text: string
}

/** One memory as a recall showed it: score, then the features by name. */
interface ShownMemory {
  readonly memory: MemoryId
  readonly score: number
  readonly features: Readonly<Record<string, number>>
}

export type EventBody =
  | {
      readonly kind: 'session.started'
      readonly source: string
      readonly cwd: string
      readonly branch?: string | undefined
      /** The client's process, so that a later session can tell whether it lives: pid and its start time in ticks. */
      readonly client?: { readonly pid: number; readonly started?: string | undefined } | undefined
    }
  | {
      readonly kind: 'prompt'
      readonly text: string
      readonly signals: readonly PromptSignal[]
      readonly branch?: string | undefined
    }
  | ({ readonly kind: 'call.started' } & CallFields)
  | ({
      readonly kind: 'call.succeeded'
      readonly output: string
      readonly durationMs?: number | undefined
      readonly repeatOf?: EventId | undefined
    } & CallFields)
  | ({
      readonly kind: 'call.failed'
      readonly error: string
      readonly errorSignature?: string | undefined
      readonly interrupted: boolean
      readonly durationMs?: number | undefined
      readonly repeatOf?: EventId | undefined
    } & CallFields)
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'agent.started' }
  | { readonly kind: 'agent.stopped'; readonly text: string }
  | {
      readonly kind: 'compaction'
      readonly phase: 'before' | 'after'
      readonly trigger: string
      readonly summary: string
    }
  | { readonly kind: 'session.ended'; readonly reason: string }
  | {
      readonly kind: 'recalled'
      readonly moment: RecallMoment
      readonly cue: string
      readonly call?: string | undefined
      readonly shown: readonly ShownMemory[]
      /** Ranked, logged and not shown, so that the effect of showing can be measured. */
      readonly withheld: boolean
      /** The call was held back once, with this as the reason. */
      readonly held?: true | undefined
      /** The chance it had of being withheld; absent for one that must not be, such as what a person asked for. */
      readonly share?: number | undefined
      readonly others: readonly MemoryId[]
      /** The best that only the limits of the moment left out, so that learning can tell what one place more would have given. */
      readonly next?: ShownMemory | undefined
      readonly policy: number
    }
  | SystemEventBody
  /** A hook event of a name this version does not know: kept as it came, bounded. */
  | { readonly kind: 'other'; readonly name: string }

export type EventKind = EventBody['kind']
export type Event = EventEnvelope & EventBody
export type EventOf<Kind extends EventKind> = EventEnvelope & Extract<EventBody, { readonly kind: Kind }>
export type CallResult = EventOf<'call.succeeded'> | EventOf<'call.failed'>

const KINDS_KNOWN: ReadonlySet<string> = new Set<EventKind>([
  'session.started',
  'prompt',
  'call.started',
  'call.succeeded',
  'call.failed',
  'answer',
  'agent.started',
  'agent.stopped',
  'compaction',
  'session.ended',
  'recalled',
  'session.improved',
  'session.organized',
  'recall.judged',
  'policy.changed',
  'policy.chosen',
  'policy.frozen',
  'memory.stored',
  'memory.restored',
  'memory.released',
  'memory.impact',
  'memory.slept',
  'memory.updated',
  'memory.batch',
  'memory.deleted',
  'memory.accessed',
  'memory.scored',
  'memory.strengthened',
  'agent.slept',
  'memory.consolidated',
  'other',
])

const DEFAULTS: Readonly<Record<string, unknown>> = { role: 'main', outcome: 'unknown', privacy: 'public' }

/** Lists and flags of a kind; an empty list and a flag that is not set are not written. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  prompt: ['signals'],
  'call.started': ['files'],
  'call.succeeded': ['files'],
  'call.failed': ['files'],
  recalled: ['shown', 'others'],
  'recall.judged': ['helped'],
  'memory.restored': ['memories'],
  'memory.batch': ['stored', 'changes'],
  'memory.deleted': ['memories'],
  'memory.accessed': ['memories'],
  'memory.strengthened': ['changes'],
  'agent.slept': ['errors'],
  'memory.consolidated': ['from'],
}
const FLAGS: Readonly<Record<string, string>> = {
  'call.failed': 'interrupted',
  recalled: 'withheld',
  'memory.consolidated': 'preserved',
  'policy.frozen': 'frozen',
}

/** The event as the log writes it: without the fields that have their default. */
export function eventToLogFields(event: Event): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(event)) {
    if (value === undefined || value === DEFAULTS[name] || (Array.isArray(value) && value.length === 0)) continue
    if (value === false && FLAGS[event.kind] === name) continue
    fields[name] = value
  }
  return fields
}

/**
 * A log line's fields as an event; undefined for what is none (no id, time, session or kind).
 * A kind of a later version becomes `other`, so that nothing a newer memctl wrote is lost or stops the reader.
 */
export function parseEvent(fields: unknown): Event | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined
  const event: Record<string, unknown> = { ...fields }
  for (const name of ['id', 'at', 'session', 'kind']) if (typeof event[name] !== 'string') return undefined
  event['role'] ??= DEFAULTS['role']
  event['outcome'] ??= DEFAULTS['outcome']
  event['privacy'] ??= DEFAULTS['privacy']
  if (Number.isNaN(Date.parse(event['at'] as string))) return undefined
  if (!Array.isArray(event['lessons'])) event['lessons'] = []
  const kind = event['kind'] as string
  if (!KINDS_KNOWN.has(kind)) return { ...event, kind: 'other', name: kind } as unknown as Event
  for (const name of LISTS[kind] ?? []) if (!Array.isArray(event[name])) event[name] = []
  const flag = FLAGS[kind]
  if (flag !== undefined) event[flag] = event[flag] === true
  if (kind.startsWith('call.') && (typeof event['input'] !== 'object' || event['input'] === null)) event['input'] = {}
  return event as unknown as Event
}

/** When it happened, in milliseconds since 1970. */
export const eventTimeMs = (event: EventEnvelope): number => Date.parse(event.at)

/** Whether it is a tool call's result. */
export const isCallResult = (event: Event): event is CallResult =>
  event.kind === 'call.succeeded' || event.kind === 'call.failed'

/** The command of a Bash call; empty for other tools, and for a command that is no text. */
export const callCommand = (call: Pick<CallFields, 'input'>): string =>
  typeof call.input['command'] === 'string' ? call.input['command'] : ''
