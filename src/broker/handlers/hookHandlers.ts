// Every event's handler by its name, for the doors that serve all of them: `memctl hook`, replays, tests.

import type { HookHandler } from './hookContext.ts'
import { onPostToolUseFailure, onPreToolUse, onSubagentStart, onUserPromptSubmit } from './recallHandlers.ts'
import { onPostToolUse, onRecordOnly, onSessionEnd } from './recordHandlers.ts'
import { onSessionStart } from './startHandler.ts'

export const HOOK_HANDLERS: Readonly<Record<string, HookHandler>> = {
  SessionStart: onSessionStart,
  UserPromptSubmit: onUserPromptSubmit,
  PreToolUse: onPreToolUse,
  PostToolUse: onPostToolUse,
  PostToolUseFailure: onPostToolUseFailure,
  SubagentStart: onSubagentStart,
  SubagentStop: onRecordOnly,
  Stop: onRecordOnly,
  PreCompact: onRecordOnly,
  PostCompact: onRecordOnly,
  SessionEnd: onSessionEnd,
}
