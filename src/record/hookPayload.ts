// A hook's payload as Claude Code sends it, read leniently: fields differ by version without notice, unknown ones are kept.

/** Any JSON object with a session and an event name. */
export interface HookPayload {
  readonly session_id: string
  readonly hook_event_name: string
  readonly [field: string]: unknown
}

/** An id or a name of the client's, in characters: its own are some 40. */
const ID_CHARS_MAX = 128

/** The payload in a text; undefined for anything that is none. A byte order mark and white space around it do no harm. */
export function parseHookPayload(text: string): HookPayload | undefined {
  try {
    return hookPayloadFromValue(JSON.parse(text.trim()))
  } catch {
    return undefined // Not JSON: the client sent nothing we can use, and the session must not notice.
  }
}

/** A parsed value as a payload; undefined where it lacks a session or an event name, or one is too long for a name. */
export function hookPayloadFromValue(value: unknown): HookPayload | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { session_id, hook_event_name } = value as Record<string, unknown>
  if (!isId(session_id) || !isId(hook_event_name)) return undefined
  return value as HookPayload
}

/** A field's text; undefined where it is absent, empty or no text. */
export function getTextField(payload: HookPayload, name: string): string | undefined {
  const value = payload[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= ID_CHARS_MAX

/** A field's text where it is an id or a role, at most 128 characters; undefined where it is absent, empty or no text. */
export const getIdField = (payload: HookPayload, name: string): string | undefined =>
  getTextField(payload, name)?.slice(0, ID_CHARS_MAX)

/** A field's object; empty where it is none. */
export function getObjectField(payload: HookPayload, name: string): Readonly<Record<string, unknown>> {
  const value = payload[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

/** A prompt nobody typed: the client tells the model that a background agent has ended. Neither recorded nor recalled. */
export const isTaskNotification = (prompt: string): boolean => prompt.trimStart().startsWith('<task-notification>')
