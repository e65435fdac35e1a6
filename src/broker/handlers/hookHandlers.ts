// The handler of each hook event, and the one entry for a payload.
import { MemoryError } from '../../model/memoryError.ts'
import { hookPayloadFromValue } from '../../record/hookPayload.ts'
import type { Store } from '../open/openStore.ts'
import { onAgentStop } from './agentStopHandler.ts'
import { noteHiddenFailure } from './hiddenFailureNotes.ts'
import { type HookHandler, type HookOutput, openHookContext } from './hookContext.ts'
import { onPostToolUseFailure, onPreToolUse, onSubagentStart, onUserPromptSubmit } from './recallHandlers.ts'
import { onRecordOnly, onSessionEnd, onTurnEnd } from './recordHandlers.ts'
import { onPostToolUse } from './resultHandler.ts'
import { onSessionStart } from './startHandler.ts'

export const HOOK_HANDLERS: Readonly<Record<string, HookHandler>> = {
  SessionStart: onSessionStart,
  UserPromptSubmit: onUserPromptSubmit,
  PreToolUse: onPreToolUse,
  PostToolUse: onPostToolUse(noteHiddenFailure),
  PostToolUseFailure: onPostToolUseFailure,
  SubagentStart: onSubagentStart,
  SubagentStop: onAgentStop,
  Stop: onTurnEnd,
  PreCompact: onRecordOnly,
  PostCompact: onRecordOnly,
  SessionEnd: onSessionEnd,
}

/** The handler of an event; an unknown event of a later client is recorded. */
export const findHookHandler = (event: string): HookHandler =>
  (Object.hasOwn(HOOK_HANDLERS, event) ? HOOK_HANDLERS[event] : undefined) ?? onRecordOnly

/** What the hook would inject, and whether maintenance is due. Throws INPUT_INVALID for what is no payload. */
export function handlePayload(store: Store, value: unknown, now: number): HookOutput {
  const payload = hookPayloadFromValue(value)
  if (!payload) {
    throw new MemoryError('INPUT_INVALID', 'this is no payload of a hook', {
      hint: 'Give an object with session_id and hook_event_name, as Claude Code sends it.',
    })
  }
  return findHookHandler(payload.hook_event_name)(payload, openHookContext(store, now))
}
