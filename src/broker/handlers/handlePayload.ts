// Handles a hook's payload in a program's own process, as the hook would.
import { MemoryError } from '../../model/memoryError.ts'
import { hookPayloadFromValue } from '../../record/hookPayload.ts'
import type { Store } from '../open/openStore.ts'
import { type HookOutput, openHookContext } from './hookContext.ts'
import { findHookHandler } from './hookHandlers.ts'

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
