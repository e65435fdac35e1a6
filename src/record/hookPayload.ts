// The payload of a hook as Claude Code sends it. Fields differ between versions without notice, so parsing is lenient.

/** Any JSON object with a session id and an event name. Unknown fields stay. */
export interface HookPayload {
  /** The session, 1 to 128 characters. */
  readonly session_id: string
  /** The name of the hook's event, such as UserPromptSubmit. */
  readonly hook_event_name: string
  readonly [field: string]: unknown
}

/** Length of an id or a name, in characters; those of the client have about 40. */
const ID_CHARS_MAX = 128

/** Parses a payload; undefined if the text is not one. A byte order mark and white space around it are ignored. */
export function parseHookPayload(text: string): HookPayload | undefined {
  try {
    return hookPayloadFromValue(JSON.parse(text.trim()))
  } catch {
    return undefined // Not JSON: there is nothing to record, and the session must not be disturbed.
  }
}

/** A parsed value as a payload; undefined if session id or event name are missing or longer than 128 characters. */
export function hookPayloadFromValue(value: unknown): HookPayload | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { session_id, hook_event_name } = value as Record<string, unknown>
  if (!isId(session_id) || !isId(hook_event_name)) return undefined
  return value as HookPayload
}

/** A field as text; undefined if it is absent, empty or not a string. */
export function getTextField(payload: HookPayload, name: string): string | undefined {
  const value = payload[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= ID_CHARS_MAX

/** A field as an id or role, truncated to 128 characters; undefined if it is absent, empty or not a string. */
export const getIdField = (payload: HookPayload, name: string): string | undefined =>
  getTextField(payload, name)?.slice(0, ID_CHARS_MAX)

/** Whether the client wrote this prompt because a background agent ended: it is not recorded. */
export const isTaskNotification = (prompt: string): boolean => prompt.trimStart().startsWith('<task-notification>')
