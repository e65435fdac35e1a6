// A hook's payload handled in a program's own process: recorded, and answered as the hook would.
import { MemoryError } from '../../model/memoryError.ts'
import { hookPayloadFromValue } from '../../record/hookPayload.ts'
import type { Store } from '../open/openStore.ts'
import { type HookOutput, openHookContext } from './hookContext.ts'
import { HOOK_HANDLERS } from './hookHandlers.ts'
import { onRecordOnly } from './recordHandlers.ts'

/** What the session would be told, and whether organising is due. Throws INPUT_INVALID for what is no payload. */
export function handlePayload(store: Store, given: unknown, now: number): HookOutput {
  const payload = hookPayloadFromValue(given)
  if (!payload) {
    throw new MemoryError('INPUT_INVALID', 'this is no payload of a hook', {
      hint: 'Give an object with session_id and hook_event_name, as Claude Code sends it.',
    })
  }
  const name = payload.hook_event_name
  const handler = Object.hasOwn(HOOK_HANDLERS, name) ? HOOK_HANDLERS[name]! : onRecordOnly
  return handler(payload, openHookContext(store, now))
}
