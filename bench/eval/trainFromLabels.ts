// Trains a store on queries with known answers, through its own events, judge, learner and guard.
import { commitEvents } from '../../src/broker/commit/commitEvents.ts'
import { eventEnvelope, eventId } from '../../src/broker/commit/systemEvent.ts'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { nextPolicyUpdate } from '../../src/broker/maintenance/policyUpdate.ts'
import type { Store } from '../../src/broker/open/openStore.ts'
import { applyEvent } from '../../src/broker/projection/applyEvent.ts'
import { loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import type { Event } from '../../src/model/event.ts'
import type { MemoryId, SessionId } from '../../src/model/id.ts'
import { loggedRanking } from './logFeedback.ts'
import type { RankedCandidate } from './rankQuestion.ts'

/** A query, the ranking for it, and which of the memories answer it. */
export interface RankedQuery {
  readonly id: string
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly ranked: readonly RankedCandidate[]
  readonly helped: readonly MemoryId[]
}

/** The maximum of learning steps, one for each session end. Twenty steps can move a weight across its whole range. */
const STEPS_MAX = 20

/** Trains on the queries, each in a session of its own, until no weight changes. Returns the number of steps. */
export function trainFromLabels(store: Store, queries: readonly RankedQuery[], now: number): number {
  commitEvents(
    store,
    queries.flatMap((query) => eventsOf(query)),
  )
  runMaintenance(store, { now })
  // The steps that the ends of later sessions would cause, even without new evidence.
  const { projection } = loadProjection(store)
  const steps: Event[] = []
  for (let at = 1; at <= STEPS_MAX; at++) {
    const step = nextPolicyUpdate(projection, now + at)
    if (!step) break
    applyEvent(projection, step)
    steps.push(step)
  }
  commitEvents(store, steps)
  runMaintenance(store, { now: now + STEPS_MAX })
  return projection.learned.version
}

function eventsOf({ id, text, at, ranked, helped }: RankedQuery): Event[] {
  const session = `lesson-${id}` as SessionId
  const base = (part: string) => eventEnvelope({ id: eventId([id, part]), now: at, session })
  const shown = loggedRanking(ranked.map(({ id: memory, score, features }) => ({ memory, score, features })))
  const recalled = base('recalled')
  return [
    // Shown, because a holdout earns nothing.
    {
      ...recalled,
      kind: 'recalled',
      moment: 'ask',
      cue: text.slice(0, 300),
      shown,
      withheld: false,
      others: [],
      policy: 0,
    },
    { ...base('judged'), kind: 'recall.judged', recall: recalled.id, helped },
    { ...base('ended'), kind: 'session.ended', reason: 'lesson' },
  ]
}
