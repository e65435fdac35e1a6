// Verdicts: a recall that nobody was shown, put into the log with what it would have said, and later what of that had helped.

import { commitEvents } from '../../src/broker/commit/commitEvents.ts'
import { systemEvent } from '../../src/broker/commit/systemEvent.ts'
import type { Store } from '../../src/broker/store.ts'
import type { EventOf } from '../../src/model/event.ts'
import type { MemoryId, SessionId } from '../../src/model/id.ts'
import { agreementWith } from './editOverlap.ts'
import type { Pointed } from './rankSessions.ts'

export type Unshown = EventOf<'recalled'>

/** The memories that a line of the log has room for with their features, best first. */
const RANKED_MAX = 40

/** Logs a prompt's recall as ranked and withheld; `now` in milliseconds since 1970. */
export function logUnshown(store: Store, session: SessionId, pointed: readonly Pointed[], now: number): Unshown {
  const shown = pointed.slice(0, RANKED_MAX).map(({ memory, score, features }) => ({
    ...{ memory, score: rounded(score) },
    features: Object.fromEntries(
      Object.entries(features).flatMap(([name, value]) => (value === 0 ? [] : [[name, rounded(value)]])),
    ),
  }))
  const body = { kind: 'recalled', moment: 'prompt', cue: '', shown, withheld: true, others: [], policy: 0 } as const
  const event = systemEvent(body, { now, session })
  commitEvents(store, [event])
  return event
}

/** How far each memory's session agrees with what was edited, 0 to 1; see improve/agreement.ts. */
export function agreedBy(
  pointed: readonly Pointed[],
  edited: ReadonlySet<string>,
  earlier: ReadonlyMap<SessionId, ReadonlySet<string>>,
): ReadonlyMap<MemoryId, number> {
  const agreements = agreementWith(edited, earlier)
  return new Map(pointed.map(({ memory, session }) => [memory, agreements.get(session) ?? 0]))
}

/** Logs what of it had helped, and how far, 0 to 1. */
export function logVerdict(store: Store, recall: Unshown, help: ReadonlyMap<MemoryId, number>, now: number): void {
  const shares = [...help.values()].map(rounded)
  const body = { kind: 'recall.judged', recall: recall.id, helped: [...help.keys()], shares } as const
  commitEvents(store, [systemEvent(body, { now, session: recall.session, key: [recall.id] })])
}

/** Logs that learning moves nothing from here on; who folds the log next knows it. */
export function logFrozen(store: Store, now: number): void {
  commitEvents(store, [systemEvent({ kind: 'policy.frozen', frozen: true }, { now, key: ['true'] })])
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000
