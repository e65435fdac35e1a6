// Verdicts: a recall that nobody was shown, put into the log with what it would have said, and later what of that had helped.

import { ownEvent } from '../../src/broker/ownEvent.ts'
import type { Store } from '../../src/broker/store.ts'
import type { EventOf } from '../../src/model/event.ts'
import type { MemoryId, SessionId } from '../../src/model/id.ts'
import { appendEvents } from '../../src/store/log.ts'
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
  const event: Unshown = {
    ...ownEvent(['recalled'], now, session),
    ...{ kind: 'recalled', moment: 'prompt', cue: '', shown, withheld: true, others: [], policy: 0 },
  }
  appendEvents(store.files, store.layout.events, [event])
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
  const event: EventOf<'recall.judged'> = {
    ...ownEvent(['recall.judged', recall.id], now, recall.session),
    ...{ kind: 'recall.judged', recall: recall.id, helped: [...help.keys()], shares: [...help.values()].map(rounded) },
  }
  appendEvents(store.files, store.layout.events, [event])
}

/** Logs that learning moves nothing from here on; who folds the log next knows it. */
export function logFrozen(store: Store, now: number): void {
  const event: EventOf<'policy.frozen'> = {
    ...ownEvent(['policy.frozen', 'true'], now),
    ...{ kind: 'policy.frozen', frozen: true },
  }
  appendEvents(store.files, store.layout.events, [event])
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000
