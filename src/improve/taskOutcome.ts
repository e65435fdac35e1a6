// Aftermath: how a task went after a recall, whether the recall was shown or withheld. What the effect of showing is measured by.
import { type Event, eventTimeMs, isCallResult } from '../model/event.ts'

export interface TaskOutcome {
  /** Some tool call failed, interruptions left out. */
  readonly failed: boolean
  /** Some call failed with an error that was known before the recall. */
  readonly repeated: boolean
  /** Tool calls that ended. */
  readonly calls: number
  /** Milliseconds from the recall to the last thing that happened. */
  readonly ms: number
}

/** `after` are the events of the recall's task behind it; `known` the error signatures that memories knew before the session. */
export function measureTaskOutcome(recalled: Event, after: readonly Event[], known: ReadonlySet<string>): TaskOutcome {
  const failures = after.flatMap((event) => (event.kind === 'call.failed' && !event.interrupted ? [event] : []))
  const last = after.at(-1)
  return {
    failed: failures.length > 0,
    repeated: failures.some((call) => call.errorSignature !== undefined && known.has(call.errorSignature)),
    calls: after.filter(isCallResult).length,
    ms: last ? Math.max(0, eventTimeMs(last) - eventTimeMs(recalled)) : 0,
  }
}
