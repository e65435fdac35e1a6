// The Claude Code events that memctl listens to: one script each, and how the client is configured to start it.
//
// Only events that client 2.1.197 knows: there, an unknown name switches off every hook of a plugin.

export type HookEvent =
  | 'SessionStart'
  | 'UserPromptSubmit'
  | 'PreToolUse'
  | 'PostToolUse'
  | 'PostToolUseFailure'
  | 'SubagentStart'
  | 'SubagentStop'
  | 'Stop'
  | 'PreCompact'
  | 'PostCompact'
  | 'SessionEnd'

export interface HookRegistration {
  readonly event: HookEvent
  /** The bundle's name without its extension: `dist/hooks/<script>.cjs`. */
  readonly script: string
  /** Which tools; absent for all tools and for events without a tool. */
  readonly matcher?: string
  /** When the client kills the hook, in seconds. */
  readonly timeoutSeconds: number
  /** What our MCP server needs of the payload to run the hook in place of the script; absent if only the script can. */
  readonly serverFields?: readonly string[]
}

/** The tool of our MCP server that runs a hook, and the server's name. The tool is not listed: no model sees it. */
export const HOOK_TOOL = 'run_hook'
export const SERVER_NAME = 'memctl'

/** The argument of the script of a session's start that says that the server runs hooks of this session. */
export const SERVER_ARGUMENT = 'server'

/** A hook ends itself after HOOK_BUDGET_MS; this is for a machine that is too busy to start Node in time. */
const TIMEOUT_S = 10

/** The client's own limit here is 1.5 s, and only a `timeout` in settings raises it. */
const SESSION_END_TIMEOUT_S = 5

// Anchored: the client searches a matcher with `.*` anywhere in the tool's name, so that `Task` alone would also start
// a process for TaskCreate (measured in 2.1.197).
const TOOLS_BEFORE = '^(?:Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|Agent|Task|Skill|mcp__.*)$'

// The server is not connected yet when a session starts, and not any more when it ends (measured in both clients).
export const HOOK_REGISTRATIONS: readonly HookRegistration[] = [
  { event: 'SessionStart', script: 'session-start', timeoutSeconds: TIMEOUT_S },
  { event: 'UserPromptSubmit', script: 'user-prompt-submit', timeoutSeconds: TIMEOUT_S, serverFields: ['prompt'] },
  {
    event: 'PreToolUse',
    script: 'pre-tool-use',
    matcher: TOOLS_BEFORE,
    timeoutSeconds: TIMEOUT_S,
    serverFields: ['tool_name', 'tool_input', 'tool_use_id'],
  },
  {
    event: 'PostToolUse',
    script: 'post-tool-use',
    timeoutSeconds: TIMEOUT_S,
    serverFields: ['tool_name', 'tool_input', 'tool_use_id', 'tool_response', 'duration_ms'],
  },
  {
    event: 'PostToolUseFailure',
    script: 'post-tool-use-failure',
    timeoutSeconds: TIMEOUT_S,
    serverFields: ['tool_name', 'tool_input', 'tool_use_id', 'error', 'is_interrupt', 'duration_ms'],
  },
  { event: 'SubagentStart', script: 'subagent-start', timeoutSeconds: TIMEOUT_S },
  { event: 'SubagentStop', script: 'subagent-stop', timeoutSeconds: TIMEOUT_S },
  { event: 'Stop', script: 'stop', timeoutSeconds: TIMEOUT_S, serverFields: ['last_assistant_message'] },
  { event: 'PreCompact', script: 'pre-compact', timeoutSeconds: TIMEOUT_S },
  { event: 'PostCompact', script: 'post-compact', timeoutSeconds: TIMEOUT_S },
  { event: 'SessionEnd', script: 'session-end', timeoutSeconds: SESSION_END_TIMEOUT_S },
]

/** Whether the client starts a hook for this payload: for some events, only with the tools that memctl has asked for. */
export function startsHook(payload: { readonly hook_event_name: string; readonly tool_name?: unknown }): boolean {
  const { matcher } = HOOK_REGISTRATIONS.find(({ event }) => event === payload.hook_event_name) ?? {}
  const tool = typeof payload.tool_name === 'string' ? payload.tool_name : ''
  return matcher === undefined || new RegExp(matcher).test(tool)
}
