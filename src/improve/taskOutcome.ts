// How a task went after a recall, for shown recalls and holdouts alike: the effect of showing is measured by it.
import { type Event, eventTimeMs, isCallResult } from '../model/event.ts'

export interface TaskOutcome {
  /** Whether a tool call failed; interruptions do not count. */
  readonly failed: boolean
  /** Whether a call failed with an error that memories knew before the recall. */
  readonly repeated: boolean
  /** Tool calls that ended. */
  readonly calls: number
  /** Milliseconds from the recall to the last event. */
  readonly ms: number
}

/** `after` are the task's events after the recall, `knownErrors` the error signatures known before the session. */
export function measureTaskOutcome(
  recalled: Event,
  after: readonly Event[],
  knownErrors: ReadonlySet<string>,
): TaskOutcome {
  const failures = after.flatMap((event) => (event.kind === 'call.failed' && !event.interrupted ? [event] : []))
  const last = after.at(-1)
  return {
    failed: failures.length > 0,
    repeated: failures.some((call) => call.errorSignature !== undefined && knownErrors.has(call.errorSignature)),
    calls: after.filter(isCallResult).length,
    ms: last ? Math.max(0, eventTimeMs(last) - eventTimeMs(recalled)) : 0,
  }
}
