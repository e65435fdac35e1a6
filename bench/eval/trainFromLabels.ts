// Lessons: recalls whose help somebody knows, put to a store's own learning. The same events, judge, learner and guard as work's.

import { commitEvents } from '../../src/broker/commit/commitEvents.ts'
import { eventEnvelope, eventId } from '../../src/broker/commit/systemEvent.ts'
import { SHIPPED } from '../../src/broker/policy/served.ts'
import type { Standing } from '../../src/broker/search/ask.ts'
import { stepOf } from '../../src/broker/step.ts'
import type { Store } from '../../src/broker/store.ts'
import { upkeep } from '../../src/broker/upkeep.ts'
import { fold } from '../../src/broker/view/fold.ts'
import { load } from '../../src/broker/view/save.ts'
import type { Event } from '../../src/model/event.ts'
import type { MemoryId, SessionId } from '../../src/model/id.ts'

/** A question, what recall ranked for it, and what of that was the answer. */
export interface Lesson {
  readonly id: string
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly ranked: readonly Standing[]
  readonly helped: readonly MemoryId[]
}

/** Steps at most: so many sessions' ends would take them. A weight is anywhere in its range after twenty. */
const STEPS_MAX = 20

/** Memories of a lesson that count, best first: so many fit a line of the log with their features. */
const RANKED_MAX = 40

/** Lets the store learn from the lessons, each a session of its own, until nothing moves any more. Gives the number of steps. */
export function learnFrom(store: Store, lessons: readonly Lesson[], now: number): number {
  commitEvents(
    store,
    lessons.flatMap((lesson) => eventsOf(lesson)),
  )
  upkeep(store, { now })
  // What sessions to come would do, one step at each end, although they had nothing new to say.
  const { view } = load(store)
  const steps: Event[] = []
  for (let at = 1; at <= STEPS_MAX; at++) {
    const step = stepOf(view, now + at)
    if (!step) break
    fold(view, step, SHIPPED)
    steps.push(step)
  }
  commitEvents(store, steps)
  upkeep(store, { now: now + STEPS_MAX })
  return view.learned.version
}

function eventsOf({ id, text, at, ranked, helped }: Lesson): Event[] {
  const session = `lesson-${id}` as SessionId
  const base = (part: string) => eventEnvelope({ id: eventId([id, part]), now: at, session })
  const shown = ranked
    .slice(0, RANKED_MAX)
    .map((one) => ({ memory: one.id, score: rounded(one.score), features: roundedAll(one.features) }))
  const recalled = base('recalled')
  return [
    // Withheld: ranked and logged, and nobody was shown anything.
    {
      ...recalled,
      ...{ kind: 'recalled', moment: 'ask', cue: text.slice(0, 300), shown, withheld: true, others: [], policy: 0 },
    },
    { ...base('judged'), kind: 'recall.judged', recall: recalled.id, helped },
    { ...base('ended'), kind: 'session.ended', reason: 'lesson' },
  ]
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000

const roundedAll = (features: Standing['features']): Standing['features'] =>
  Object.fromEntries(Object.entries(features).flatMap(([name, value]) => (value === 0 ? [] : [[name, rounded(value)]])))
