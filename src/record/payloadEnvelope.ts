// The envelope of an event: id, time, session, role, visibility, and the payload's unknown fields.
import type { EventBody, EventEnvelope } from '../model/event.ts'
import type { EventId, SessionId } from '../model/id.ts'
import { hashHex } from '../text/hash.ts'
import { isoTime } from '../text/isoTime.ts'
import { getIdField, getTextField, type HookPayload } from './hookPayload.ts'
import { truncateExtra } from './truncatePayload.ts'

/** The envelope for an event of this payload at `now` (milliseconds since 1970). */
export function payloadEnvelope(payload: HookPayload, body: EventBody, now: number): EventEnvelope {
  const agentId = getIdField(payload, 'agent_id')
  const role = getIdField(payload, 'agent_type') ?? 'main'
  const unknownFields = Object.entries(payload).filter(([name]) => !KNOWN_FIELDS.has(name))
  return {
    id: computeEventId(payload, now),
    at: isoTime(now),
    session: payload.session_id as SessionId,
    agentId,
    role,
    taskId: getIdField(payload, 'prompt_id'),
    outcome: body.kind === 'call.succeeded' ? 'success' : body.kind === 'call.failed' ? 'failure' : 'unknown',
    lessons: [],
    // What a subagent does is for agents of its role; what the main conversation does for everyone in the project.
    privacy: role === 'main' ? 'public' : 'agent-only',
    extra: truncateExtra(Object.fromEntries(unknownFields)),
  }
}

/** The fields that an event stores under another name, or that are not worth storing. */
const KNOWN_FIELDS = new Set(
  [
    'session_id transcript_path agent_transcript_path cwd hook_event_name prompt_id permission_mode effort',
    'agent_id agent_type source model prompt git_branch tool_name tool_input tool_use_id tool_response',
    'duration_ms error is_interrupt stop_hook_active last_assistant_message background_tasks session_crons',
    'trigger custom_instructions compact_summary reason seconds_since_last_response context_tokens',
  ].flatMap((line) => line.split(' ')),
)

/**
 * A hash of session, event name and what identifies the event: the id of the call, else that of the agent and the
 * prompt with the text, else the text and the minute. If both plugin and settings register the hooks, each runs twice
 * within milliseconds, and both events get the same id.
 */
function computeEventId(payload: HookPayload, now: number): EventId {
  const text = `${getTextField(payload, 'prompt') ?? ''}${getTextField(payload, 'last_assistant_message') ?? ''}`
  const task = getTextField(payload, 'prompt_id') ?? String(Math.floor(now / 60_000))
  const subject = getTextField(payload, 'tool_use_id') ?? `${getTextField(payload, 'agent_id') ?? ''}|${task}|${text}`
  const source = getTextField(payload, 'source') ?? getTextField(payload, 'trigger') ?? ''
  return hashHex([payload.session_id, payload.hook_event_name, subject, source].join('\0')) as EventId
}
