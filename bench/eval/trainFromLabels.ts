// Lessons: recalls whose help somebody knows, put to a store's own learning. The same events, judge, learner and guard as work's.

import { SHIPPED } from '../../src/broker/policy/served.ts'
import type { Standing } from '../../src/broker/search/ask.ts'
import { stepOf } from '../../src/broker/step.ts'
import type { Store } from '../../src/broker/store.ts'
import { upkeep } from '../../src/broker/upkeep.ts'
import { fold } from '../../src/broker/view/fold.ts'
import { load } from '../../src/broker/view/save.ts'
import type { Event } from '../../src/model/event.ts'
import type { EventId, MemoryId, SessionId } from '../../src/model/id.ts'
import { appendEvents } from '../../src/store/log.ts'
import { hashPair } from '../../src/text/hash.ts'

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

/** The log takes a whole batch in one append, and an event of forty ranked memories has some 15 KB. */
const LESSONS_AT_ONCE = 20

/** Lets the store learn from the lessons, each a session of its own, until nothing moves any more. Gives the number of steps. */
export function learnFrom(store: Store, lessons: readonly Lesson[], now: number): number {
  for (let from = 0; from < lessons.length; from += LESSONS_AT_ONCE) {
    const events = lessons.slice(from, from + LESSONS_AT_ONCE).flatMap((lesson) => eventsOf(lesson))
    appendEvents(store.files, store.layout.events, events)
  }
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
  appendEvents(store.files, store.layout.events, steps)
  upkeep(store, { now: now + STEPS_MAX })
  return view.learned.version
}

function eventsOf({ id, text, at, ranked, helped }: Lesson): Event[] {
  const session = `lesson-${id}` as SessionId
  const base = (part: string) => ({
    ...{ id: hashed(id, part), at: new Date(at).toISOString(), session, role: 'main' },
    ...({ outcome: 'unknown', lessons: [], privacy: 'public' } as const),
  })
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

function hashed(...parts: readonly string[]): EventId {
  const words = hashPair(parts.join('\0')).map((word) => word.toString(16).padStart(8, '0'))
  return words.join('') as EventId
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000

const roundedAll = (features: Standing['features']): Standing['features'] =>
  Object.fromEntries(Object.entries(features).flatMap(([name, value]) => (value === 0 ? [] : [[name, rounded(value)]])))
