// Every event's handler by its name, for the doors that serve all of them: `memctl hook`, replays, tests.
import { onAgentStart, onCall, onFailure, onPrompt } from './moments.ts'
import { onEnd, onRecord, onSuccess } from './record.ts'
import { onStart } from './start.ts'
import type { Handler } from './visit.ts'

export const HANDLERS: Readonly<Record<string, Handler>> = {
  SessionStart: onStart,
  UserPromptSubmit: onPrompt,
  PreToolUse: onCall,
  PostToolUse: onSuccess,
  PostToolUseFailure: onFailure,
  SubagentStart: onAgentStart,
  SubagentStop: onRecord,
  Stop: onRecord,
  PreCompact: onRecord,
  PostCompact: onRecord,
  SessionEnd: onEnd,
}
