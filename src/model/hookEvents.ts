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
}

/** A hook ends itself after HOOK_BUDGET_MS; this is for a machine that is too busy to start Node in time. */
const TIMEOUT_S = 10

/** The client's own limit here is 1.5 s, and only a `timeout` in settings raises it. */
const SESSION_END_TIMEOUT_S = 5

// Anchored: the client searches a matcher with `.*` anywhere in the tool's name, so that `Task` alone would also start
// a process for TaskCreate (measured in 2.1.197).
const TOOLS_BEFORE = '^(?:Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|Agent|Task|Skill|mcp__.*)$'

export const HOOK_REGISTRATIONS: readonly HookRegistration[] = [
  { event: 'SessionStart', script: 'session-start', timeoutSeconds: TIMEOUT_S },
  { event: 'UserPromptSubmit', script: 'user-prompt-submit', timeoutSeconds: TIMEOUT_S },
  { event: 'PreToolUse', script: 'pre-tool-use', matcher: TOOLS_BEFORE, timeoutSeconds: TIMEOUT_S },
  { event: 'PostToolUse', script: 'post-tool-use', timeoutSeconds: TIMEOUT_S },
  { event: 'PostToolUseFailure', script: 'post-tool-use-failure', timeoutSeconds: TIMEOUT_S },
  { event: 'SubagentStart', script: 'subagent-start', timeoutSeconds: TIMEOUT_S },
  { event: 'SubagentStop', script: 'subagent-stop', timeoutSeconds: TIMEOUT_S },
  { event: 'Stop', script: 'stop', timeoutSeconds: TIMEOUT_S },
  { event: 'PreCompact', script: 'pre-compact', timeoutSeconds: TIMEOUT_S },
  { event: 'PostCompact', script: 'post-compact', timeoutSeconds: TIMEOUT_S },
  { event: 'SessionEnd', script: 'session-end', timeoutSeconds: SESSION_END_TIMEOUT_S },
]
