// A hook's payload handled in a program's own process: recorded, and answered as the hook would.
import { MemoryError } from '../model/errors.ts'
import { asPayload } from '../record/payload.ts'
import { HANDLERS } from './hook/handlers.ts'
import { onRecord } from './hook/record.ts'
import { type Answer, visitTo } from './hook/visit.ts'
import type { Store } from './store.ts'

/** What the session would be told, and whether organising is due. Throws INPUT_INVALID for what is no payload. */
export function handled(store: Store, given: unknown, now: number): Answer {
  const payload = asPayload(given)
  if (!payload) {
    throw new MemoryError('INPUT_INVALID', 'this is no payload of a hook', {
      mend: 'Give an object with session_id and hook_event_name, as Claude Code sends it.',
    })
  }
  const name = payload.hook_event_name
  const handler = Object.hasOwn(HANDLERS, name) ? HANDLERS[name]! : onRecord
  return handler(payload, visitTo(store, now))
}
