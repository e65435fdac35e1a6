// The handlers of all hook events, for callers that serve all of them: replays, tests.
import type { HookHandler } from './hookContext.ts'
import { onPostToolUseFailure, onPreToolUse, onSubagentStart, onUserPromptSubmit } from './recallHandlers.ts'
import { onRecordOnly, onSessionEnd, onTurnEnd } from './recordHandlers.ts'
import { onPostToolUse } from './resultHandler.ts'
import { onSessionStart } from './startHandler.ts'

export const HOOK_HANDLERS: Readonly<Record<string, HookHandler>> = {
  SessionStart: onSessionStart,
  UserPromptSubmit: onUserPromptSubmit,
  PreToolUse: onPreToolUse,
  PostToolUse: onPostToolUse,
  PostToolUseFailure: onPostToolUseFailure,
  SubagentStart: onSubagentStart,
  SubagentStop: onTurnEnd,
  Stop: onTurnEnd,
  PreCompact: onRecordOnly,
  PostCompact: onRecordOnly,
  SessionEnd: onSessionEnd,
}

/** The handler of an event; an unknown event of a later client is recorded. */
export const findHookHandler = (event: string): HookHandler =>
  (Object.hasOwn(HOOK_HANDLERS, event) ? HOOK_HANDLERS[event] : undefined) ?? onRecordOnly
