// Event: one thing that happened, as one line of the log (schema version 1, documented in docs/events.md).
//
// Fields with their default value are not written (role main, no lessons, privacy public, outcome unknown).
// parseEvent restores them; no other code checks an event again.
import type { EventId, MemoryId, SessionId } from './id.ts'
import type { ImportanceTerms } from './importance.ts'
import type { Memory, Provenance } from './memory.ts'
import type { RecallMoment } from './recallQuery.ts'
import type { SystemEventBody } from './systemEventBody.ts'

/** The fields of every event. */
export interface EventEnvelope extends Pick<Memory, 'agentId' | 'outcome' | 'lessons' | 'privacy'> {
  readonly id: EventId
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string
  readonly session: SessionId
  /** Of a subagent that of its type (`roleOfAgent`); the main conversation, without an `agentId`, is `main`. */
  readonly role: string
  /** One prompt and what followed from it: `prompt_id`, else the prompt's ordinal where it is known. */
  readonly taskId?: string | undefined
  /** The initial importance, 0 to 1, and those of its terms that are not 0. */
  readonly importance?: number | undefined
  readonly terms?: Partial<ImportanceTerms> | undefined
  /** Milliseconds from the start of the hook's process until it wrote this event; only the last event of a write. */
  readonly hookMs?: number | undefined
  /** Payload fields this version does not know. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined
  /** Where it was taken over from, such as `import:transcript`; absent for what hooks and tools have recorded. */
  readonly origin?: string | undefined
}

/** A tool call: the fields that its start and its end share. */
export interface CallFields {
  readonly tool: string
  /** tool_use_id */
  readonly call: string
  /** The input, redacted and truncated. */
  readonly input: Readonly<Record<string, unknown>>
  readonly files: readonly string[]
  readonly commandShape?: string | undefined
}

export interface PromptSignal {
  readonly kind: 'remember' | 'preference' | 'decision' | 'correction' | 'thanks' | 'complaint'
  readonly text: string
}

/** One memory of a recall, with its score and its features by name. */
interface ShownMemory {
  readonly memory: MemoryId
  readonly score: number
  readonly features: Readonly<Record<string, number>>
  /** Whose words the note had; absent in logs of earlier versions. */
  readonly provenance?: Provenance | undefined
}

export type EventBody =
  | {
      readonly kind: 'session.started'
      readonly source: string
      readonly cwd: string
      readonly branch?: string | undefined
      /**
       * The client's process, so that a later session can check whether it runs: pid and start time in ticks; and
       * whether our MCP server runs hooks of the session.
       */
      readonly client?:
        | { readonly pid: number; readonly started?: string | undefined; readonly hooks?: 'server' }
        | undefined
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
      /** The length of the injected text; absent for a holdout, and in logs of earlier versions. */
      readonly tokens?: number | undefined
      /** A holdout: ranked and logged but not shown, so that the effect of showing can be measured. */
      readonly withheld: boolean
      /** The call was blocked once, with this as the reason. */
      readonly held?: true | undefined
      /** The probability of being a holdout; absent for a recall that cannot be one, such as a user's request. */
      readonly share?: number | undefined
      readonly others: readonly MemoryId[]
      /** The best memory that only the moment's limits left out: learning estimates the gain of a higher limit. */
      readonly next?: ShownMemory | undefined
      readonly policy: number
    }
  | SystemEventBody
  /** An event of a kind this version does not know: kept unchanged, truncated. */
  | { readonly kind: 'other'; readonly name: string }

export type EventKind = EventBody['kind']
export type Event = EventEnvelope & EventBody
export type EventOf<Kind extends EventKind> = EventEnvelope & Extract<EventBody, { readonly kind: Kind }>
export type CallResult = EventOf<'call.succeeded'> | EventOf<'call.failed'>

const DEFAULTS: Readonly<Record<string, unknown>> = { role: 'main', outcome: 'unknown', privacy: 'public' }

/** Every kind with its list fields. An empty list is not written. */
const LIST_FIELDS: Readonly<Record<EventKind, readonly string[]>> = {
  'session.started': [],
  prompt: ['signals'],
  'call.started': ['files'],
  'call.succeeded': ['files'],
  'call.failed': ['files'],
  answer: [],
  'agent.started': [],
  'agent.stopped': [],
  compaction: [],
  'session.ended': [],
  recalled: ['shown', 'others'],
  'session.improved': [],
  'session.organized': [],
  'session.distilled': [],
  'recall.judged': ['helped', 'unhelped'],
  'policy.changed': [],
  'policy.chosen': [],
  'policy.frozen': [],
  'memory.stored': [],
  'memory.restored': ['memories'],
  'memory.released': [],
  'memory.impact': [],
  'memory.slept': [],
  'memory.updated': [],
  'memory.batch': ['stored', 'changes'],
  'memory.deleted': ['memories'],
  'memory.accessed': ['memories'],
  'memory.scored': [],
  'memory.strengthened': ['changes'],
  'agent.slept': ['errors'],
  'memory.consolidated': ['from'],
  'team.joined': [],
  'team.left': [],
  'team.published': ['operations'],
  'team.received': ['operations'],
  other: [],
}

export const listEventKinds = (): EventKind[] => Object.keys(LIST_FIELDS) as EventKind[]

/** The boolean fields of a kind. False is not written. */
const FLAG_FIELDS: { readonly [Kind in EventKind]?: string } = {
  'call.failed': 'interrupted',
  recalled: 'withheld',
  'memory.consolidated': 'preserved',
  'policy.frozen': 'frozen',
}

const isKnownKind = (kind: string): kind is EventKind => Object.hasOwn(LIST_FIELDS, kind)

/** The event's fields as the log has them: without those that have their default. */
export function eventToLogFields(event: Event): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(event)) {
    if (value === undefined || value === DEFAULTS[name] || (Array.isArray(value) && value.length === 0)) continue
    if (value === false && FLAG_FIELDS[event.kind] === name) continue
    fields[name] = value
  }
  return fields
}

/**
 * The fields of a log line as an event; undefined for what is not an event (no id, time, session or kind).
 * A kind of a later version becomes `other`, so that nothing a newer memctl wrote is lost or stops reading.
 */
export function parseEvent(fields: unknown): Event | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined
  const event: Record<string, unknown> = { ...fields }
  for (const name of ['id', 'at', 'session', 'kind']) if (typeof event[name] !== 'string') return undefined
  for (const name in DEFAULTS) event[name] ??= DEFAULTS[name]
  if (Number.isNaN(Date.parse(event['at'] as string))) return undefined
  if (!Array.isArray(event['lessons'])) event['lessons'] = []
  const kind = event['kind'] as string
  if (!isKnownKind(kind)) return { ...event, kind: 'other', name: kind } as unknown as Event
  for (const name of LIST_FIELDS[kind]) if (!Array.isArray(event[name])) event[name] = []
  const flag = FLAG_FIELDS[kind]
  if (flag !== undefined) event[flag] = event[flag] === true
  if (kind.startsWith('call.') && (typeof event['input'] !== 'object' || event['input'] === null)) event['input'] = {}
  return event as unknown as Event
}

/** The role of a subagent of this type. Without a type, or with the name of the main conversation, it is not that. */
export const roleOfAgent = (type: string): string =>
  type === '' || type === 'main' ? `${type || 'unnamed'} subagent` : type

export const eventTimeMs = (event: EventEnvelope): number => Date.parse(event.at)

export const isCallResult = (event: Event): event is CallResult =>
  event.kind === 'call.succeeded' || event.kind === 'call.failed'

export const CALL_RESULT_KINDS: readonly EventKind[] = ['call.succeeded', 'call.failed']

export const EDIT_TOOLS: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])

export const FILE_TOOLS: ReadonlySet<string> = new Set([...EDIT_TOOLS, 'Read', 'Grep', 'Glob', 'LS'])

/** Whether a tool starts a subagent: its task is in the call. Before 2.1 the tool was `Task`. */
export const isAgentTool = (tool: string): boolean => tool === 'Agent' || tool === 'Task'

export const isAgentCall = (event: Event): event is EventOf<'call.started'> =>
  event.kind === 'call.started' && isAgentTool(event.tool)

/** Whether a tool runs commands: PowerShell's own one exists on Windows. */
export const isShellTool = (tool: string): boolean => tool === 'Bash' || tool === 'PowerShell'

/** The command of a shell's call; empty for other tools, and for a command that is not a text. */
export const callCommand = (call: Pick<CallFields, 'input'>): string =>
  typeof call.input['command'] === 'string' ? call.input['command'] : ''
