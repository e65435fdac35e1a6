// What every event says: which one it is, when, whose, for whose eyes; and the fields of its payload nobody here knows.
import type { EventBody, EventEnvelope } from '../model/event.ts'
import type { EventId, SessionId } from '../model/id.ts'
import type { Privacy } from '../model/privacy.ts'
import { hashHex } from '../text/hash.ts'
import { isoTime } from '../text/isoTime.ts'
import { getIdField, getTextField, type HookPayload } from './hookPayload.ts'
import { truncateExtra } from './truncatePayload.ts'

/** The base of what happened, at `now` (milliseconds since 1970). */
export function payloadEnvelope(payload: HookPayload, body: EventBody, now: number): EventEnvelope {
  const agentId = getIdField(payload, 'agent_id')
  const role = getIdField(payload, 'agent_type') ?? 'main'
  const unknown = Object.entries(payload).filter(([name]) => !BASE_FIELDS.has(name))
  return {
    id: eventIdOf(payload, now),
    at: isoTime(now),
    session: payload.session_id as SessionId,
    agentId,
    role,
    taskId: getIdField(payload, 'prompt_id'),
    outcome: body.kind === 'call.succeeded' ? 'success' : body.kind === 'call.failed' ? 'failure' : 'unknown',
    lessons: [],
    privacy: privacyOf(role),
    extra: truncateExtra(Object.fromEntries(unknown)),
  }
}

/** The fields that become part of an event under a name of ours, or that say nothing worth keeping. */
const BASE_FIELDS = new Set([
  'session_id',
  'transcript_path',
  'agent_transcript_path',
  'cwd',
  'hook_event_name',
  'prompt_id',
  'permission_mode',
  'effort',
  'agent_id',
  'agent_type',
  'source',
  'model',
  'prompt',
  'git_branch',
  'tool_name',
  'tool_input',
  'tool_use_id',
  'tool_response',
  'duration_ms',
  'error',
  'is_interrupt',
  'stop_hook_active',
  'last_assistant_message',
  'background_tasks',
  'session_crons',
  'trigger',
  'custom_instructions',
  'compact_summary',
  'reason',
  'seconds_since_last_response',
  'context_tokens',
])

/** A subagent's experiences are for agents of its kind; the main conversation's for everyone in the project. */
const privacyOf = (role: string): Privacy => (role === 'main' ? 'public' : 'agent-only')

/**
 * A hash of session, event name and what makes the event one of a kind: the call's id, else the agent's, else the
 * prompt's id and the words, else the words and the minute. Plugin and settings both wired run twice some milliseconds
 * apart, and give one id.
 */
function eventIdOf(payload: HookPayload, now: number): EventId {
  const words = `${getTextField(payload, 'prompt') ?? ''}${getTextField(payload, 'last_assistant_message') ?? ''}`
  const task = getTextField(payload, 'prompt_id') ?? String(Math.floor(now / 60_000))
  const one = getTextField(payload, 'tool_use_id') ?? `${getTextField(payload, 'agent_id') ?? ''}|${task}|${words}`
  const source = getTextField(payload, 'source') ?? getTextField(payload, 'trigger') ?? ''
  return hashHex([payload.session_id, payload.hook_event_name, one, source].join('\0')) as EventId
}
