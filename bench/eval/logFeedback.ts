// Logs a ranking that was not shown (a shadow recall), and later which of its memories had helped.
import { commitEvents } from '../../src/broker/commit/commitEvents.ts'
import { systemEvent } from '../../src/broker/commit/systemEvent.ts'
import type { Store } from '../../src/broker/open/openStore.ts'
import type { EventOf } from '../../src/model/event.ts'
import type { MemoryId, SessionId } from '../../src/model/id.ts'
import { editOverlap } from './editOverlap.ts'
import type { RankedSession } from './rankSessions.ts'

export type ShadowRecall = EventOf<'recalled'>

/** The number of ranked memories that fit in a line of the log with their features. */
const RANKED_MAX = 40

/** Logs a prompt's ranking as a withheld recall; `now` in milliseconds since 1970. */
export function logShadowRecall(
  store: Store,
  session: SessionId,
  ranked: readonly RankedSession[],
  now: number,
): ShadowRecall {
  const shown = loggedRanking(ranked)
  const body = { kind: 'recalled', moment: 'prompt', cue: '', shown, withheld: true, others: [], policy: 0 } as const
  const event = systemEvent(body, { now, session })
  commitEvents(store, [event])
  return event
}

/** For each memory, how far the edited files of its session overlap with `edited`, 0 to 1. */
export function overlapByMemory(
  ranked: readonly RankedSession[],
  edited: ReadonlySet<string>,
  earlier: ReadonlyMap<SessionId, ReadonlySet<string>>,
): ReadonlyMap<MemoryId, number> {
  const overlaps = editOverlap(edited, earlier)
  return new Map(ranked.map(({ memory, session }) => [memory, overlaps.get(session) ?? 0]))
}

/** Logs which memories of a recall had helped, and how much, 0 to 1. */
export function logFeedback(
  store: Store,
  recall: ShadowRecall,
  help: ReadonlyMap<MemoryId, number>,
  now: number,
): void {
  const shares = [...help.values()].map(rounded)
  const body = { kind: 'recall.judged', recall: recall.id, helped: [...help.keys()], shares } as const
  commitEvents(store, [systemEvent(body, { now, session: recall.session, key: [recall.id] })])
}

/** Logs that learning stops. This takes effect when the log is folded next. */
export function logPolicyFrozen(store: Store, now: number): void {
  commitEvents(store, [systemEvent({ kind: 'policy.frozen', frozen: true }, { now, key: ['true'] })])
}

/** The best memories of a ranking in the form of an event: without features that are 0. */
export const loggedRanking = (
  ranked: readonly Pick<RankedSession, 'memory' | 'score' | 'features'>[],
): EventOf<'recalled'>['shown'] =>
  ranked.slice(0, RANKED_MAX).map(({ memory, score, features }) => ({
    memory,
    score: rounded(score),
    features: Object.fromEntries(
      Object.entries(features).flatMap(([name, value]) => (value === 0 ? [] : [[name, rounded(value)]])),
    ),
  }))

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000
