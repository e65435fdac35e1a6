// Applies `session.improved`: the session's recalls are attributed, and the memories that were shown count their use.
//
// A memory can be shown before its session has ended. Then it is attributed as it was known at this time, and what that
// changes in it is kept until its session is organized.
import { type AttributedRecall, applyRating, attributeRecalls, readRatings } from '../../improve/attribution.ts'
import { updateBaselines } from '../../improve/baseline.ts'
import { updateMomentUse } from '../../improve/exclusionRules.ts'
import { addOutcome } from '../../improve/experiment.ts'
import { GUARD_WINDOW } from '../../improve/leastScores.ts'
import { correctReinforcement, reinforceMemory } from '../../improve/reinforce.ts'
import type { Event, EventOf } from '../../model/event.ts'
import type { MemoryTable } from '../../organize/memoryTable.ts'
import { organizeOpenSessions } from './openSessions.ts'
import { activePolicy, type EarlyAttribution, type Projection, type SessionState } from './projection.ts'

/** Attributions that wait for their memories, at most: some sessions' recalls. */
const EARLY_MAX = 200

export function improveSession(projection: Projection, marker: EventOf<'session.improved'>): void {
  const state = projection.sessions.get(marker.session)
  if (!state || state.improved || state.pending.length === 0) return
  const { strength } = activePolicy(projection)
  const { memories, baselines } = projection
  const shown = findShownMemories(projection, state.pending)
  const found = listNewAttributions(state, attributeRecalls(state.pending, shown, baselines))
  const attributed = projection.adjustFeedback?.(found) ?? found
  const early: EarlyAttribution[] = []
  for (const { share, after, withheld, memories: verdicts, at, role } of attributed) {
    if (share !== undefined && after) projection.trials = addOutcome(projection.trials, share, withheld, after)
    if (withheld) continue
    for (const verdict of verdicts) {
      const memory = memories.get(verdict.memory)
      if (memory) memories.set(memory.id, reinforceMemory(memory, verdict, { at, perspective: role }, strength))
      else if (shown.has(verdict.memory)) early.push({ attributed: verdict, at, role })
    }
  }
  projection.early = [...projection.early, ...early].slice(-EARLY_MAX)
  projection.momentUse = updateMomentUse(projection.momentUse, attributed, (id) => shown.has(id))
  const observed = attributed.flatMap((recall) => recall.observed ?? [])
  projection.baselines = updateBaselines(baselines, state.pending.slice(state.judged ?? 0), observed)
  const judged = attributed.filter((recall) => recall.memories.length > 0)
  projection.judged = [...projection.judged, ...judged.map(({ observed: _, ...recall }) => recall)].slice(-GUARD_WINDOW)
  projection.sessions.set(state.id, { ...state, improved: true, judged: state.pending.length })
}

/**
 * A person rates notes of a recall that was attributed before, as when a session is resumed: the attribution and what
 * it gave to the memories are corrected.
 */
export function rateAttributed(projection: Projection, event: EventOf<'recall.judged'>): void {
  const ratings = readRatings([event], event.recall)
  const recall = projection.judged.find((attributed) => attributed.recall === event.recall)
  if (!recall || recall.withheld || ratings.size === 0) return
  const { strength } = activePolicy(projection)
  const rated = recall.memories.map((before) => {
    const rating = ratings.get(before.memory)
    if (!rating) return before
    const after = applyRating(before, rating)
    const memory = projection.memories.get(before.memory)
    const context = { at: event.at, perspective: recall.role }
    if (memory) projection.memories.set(memory.id, correctReinforcement(memory, before, after, { context, strength }))
    return after
  })
  projection.judged = projection.judged.map((known) => (known === recall ? { ...recall, memories: rated } : known))
}

/**
 * The memories, with those that these events show although their sessions are still open. Other provisional memories
 * are left out: what a session has learned by itself was not known to it.
 */
export function findShownMemories(projection: Projection, events: readonly Event[]): MemoryTable {
  const { memories } = projection
  const ids = events.flatMap((event) => (event.kind === 'recalled' ? event.shown.map(({ memory }) => memory) : []))
  const missing = [...new Set(ids)].filter((id) => !memories.has(id))
  if (missing.length === 0) return memories
  const provisional = organizeOpenSessions(projection)
  const shown = missing.flatMap((id) => provisional.get(id) ?? [])
  if (shown.length === 0) return memories
  return memories.with(new Map(shown.map((memory) => [memory.id, memory])))
}

/**
 * The recalls that were not attributed before. After a crash between improving and organizing, a session that goes on
 * has pending events that have been improved already.
 */
export function listNewAttributions(state: SessionState, recalls: readonly AttributedRecall[]): AttributedRecall[] {
  const done = new Set<string>(state.pending.slice(0, state.judged ?? 0).map((event) => event.id))
  return recalls.filter(({ recall }) => !done.has(recall))
}

/** Applies what was attributed before its memories existed, where they exist now. */
export function applyEarlyAttributions(projection: Projection): void {
  const { memories, early } = projection
  if (early.length === 0) return
  const { strength } = activePolicy(projection)
  for (const { attributed, at, role } of early) {
    const memory = memories.get(attributed.memory)
    if (memory) memories.set(memory.id, reinforceMemory(memory, attributed, { at, perspective: role }, strength))
  }
  projection.early = early.filter(({ attributed }) => !memories.has(attributed.memory))
}
