// Fold: one event changes the view. The same log gives the same view, whoever folds it and in however many parts.
//
// Organising and improving happen where the log says so (`session.improved`, `session.organized`), at the time it says, so
// that a rebuild comes to what the sessions came to one by one.

import { attributeRecalls } from '../../improve/attribution.ts'
import { addOutcome } from '../../improve/experiment.ts'
import { applyImpact, reactivate, reinforceMemory } from '../../improve/reinforce.ts'
import { updateBaselines } from '../../improve/updateBaselines.ts'
import { type Event, type EventOf, eventTimeMs } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { hasSameImportanceWeights } from '../../model/importance.ts'
import type { Memory } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import type { Tier } from '../../model/tier.ts'
import { applyAging, applyTaskDecay, expireWorkingMemories } from '../../organize/lifecycle.ts'
import { organizeSession } from '../../organize/organizeSession.ts'
import { applyRelease, applyUnloggedReleases } from '../../organize/privacyRelease.ts'
import { rescoreImportance } from '../../organize/scoreImportance.ts'
import { applyMemoryEvent } from './memoryReducer.ts'
import { activePolicy, applyConfiguredPolicy, applyPolicyChange, applyPolicyFreeze } from './policyReducer.ts'
import type { Projection, SessionState } from './projection.ts'
import { updateShown } from './shownMemories.ts'

/** Latest event ids kept of a session, to know one that comes twice. */
const SEEN_MAX = 64

/** A session is forgotten this long after its last event, in milliseconds; one resumed later begins anew. */
const SESSION_KEPT_MS = 14 * 86_400_000

/** Moves kept, so that the latest can be told and undone. */
const MOVES_MAX = 10

export function applyEvent(projection: Projection, event: Event, shipped: Policy): void {
  switch (event.kind) {
    case 'policy.changed':
      weighedBy(projection, shipped, () => applyPolicyChange(projection, event))
      break
    case 'policy.chosen':
      weighedBy(projection, shipped, () => applyConfiguredPolicy(projection, event, shipped))
      break
    case 'policy.frozen':
      applyPolicyFreeze(projection, event)
      break
    case 'memory.impact':
      impact(projection, event, shipped)
      break
    case 'memory.slept':
      age(
        projection,
        applyTaskDecay(projection.memories, activePolicy(projection, shipped).strength, event.at),
        event.at,
      )
      break
    case 'memory.released':
      for (const memory of applyRelease(projection.memories, event, eventTimeMs(event)))
        projection.memories.set(memory.id, memory)
      break
    case 'memory.restored':
      restore(projection, event, shipped)
      break
    case 'memory.stored':
    case 'memory.updated':
    case 'memory.batch':
    case 'memory.deleted':
    case 'memory.accessed':
    case 'memory.scored':
    case 'memory.strengthened':
    case 'memory.consolidated':
      applyMemoryEvent(projection.memories, event)
      break
    case 'agent.slept':
      break // What it did is told by the events before it.
    case 'session.improved':
      improve(projection, event, shipped)
      break
    case 'session.organized':
      organized(projection, event, shipped)
      break
    default:
      happened(projection, event)
  }
}

function happened(projection: Projection, event: Event): void {
  const known = projection.sessions.get(event.session)
  if (known?.seen.includes(event.id)) return
  const state = known ?? begun(event)
  projection.sessions.set(event.session, {
    ...state,
    ...(event.kind === 'session.started'
      ? { client: event.client ?? state.client, branch: event.branch ?? state.branch }
      : {}),
    lastAt: latest(state.lastAt, event.at),
    ended: event.kind === 'session.ended',
    pending: appended(state.pending, event),
    seen: [...state.seen.slice(1 - SEEN_MAX), event.id],
    improved: false,
    stepped: false,
    told: updateShown(state.told, event),
  })
}

/** ISO times of one form compare as text. */
const latest = (a: string, b: string): string => (b > a ? b : a)

/** Pending lists grow by one at a time and are never changed by anyone else: pushing beats copying them. */
function appended(pending: readonly Event[], event: Event): readonly Event[] {
  ;(pending as Event[]).push(event)
  return pending
}

function begun(event: Event): SessionState {
  return {
    id: event.session,
    started: event.at,
    lastAt: event.at,
    ended: false,
    pending: [],
    seen: [],
    improved: false,
    stepped: false,
    told: [],
  }
}

function improve(projection: Projection, marker: EventOf<'session.improved'>, shipped: Policy): void {
  const state = projection.sessions.get(marker.session)
  if (!state || state.improved || state.pending.length === 0) return
  const policy = activePolicy(projection, shipped)
  // Where a crash came between improving and organising, and the session went on: what has its verdict gets no second one.
  const before = state.judged ?? 0
  const done = new Set(state.pending.slice(0, before).map((event) => event.id))
  const judged = attributeRecalls(state.pending, projection.memories, projection.baselines, policy.improve).filter(
    (one) => !done.has(one.recall),
  )
  for (const recall of judged) {
    const { share, after } = recall
    if (share !== undefined && after) projection.trials = addOutcome(projection.trials, share, recall.withheld, after)
    if (recall.withheld) continue
    for (const verdict of recall.memories) {
      const memory = projection.memories.get(verdict.memory)
      if (memory)
        projection.memories.set(
          memory.id,
          reinforceMemory(memory, verdict, { at: recall.at, perspective: recall.role }, policy.strength),
        )
    }
  }
  projection.baselines = updateBaselines(projection.baselines, state.pending.slice(before))
  projection.judged = [...projection.judged, ...judged.filter((recall) => recall.memories.length > 0)].slice(
    -policy.improve.guardWindow,
  )
  projection.sessions.set(state.id, { ...state, improved: true, judged: state.pending.length })
}

function organized(projection: Projection, marker: EventOf<'session.organized'>, shipped: Policy): void {
  const state = projection.sessions.get(marker.session)
  const policy = activePolicy(projection, shipped)
  const now = eventTimeMs(marker)
  if (state && state.pending.length > 0) {
    const part = { session: state.id, events: state.pending }
    for (const memory of organizeSession(part, projection.memories, policy)) projection.memories.set(memory.id, memory)
    projection.sessions.set(state.id, { ...state, pending: [], improved: false, judged: 0, stepped: false })
  }
  for (const memory of expireWorkingMemories(projection.memories, marker.session, now))
    projection.memories.set(memory.id, memory)
  if (marker.releases !== 'told') {
    for (const memory of applyUnloggedReleases(projection.memories, policy.privacy.releaseDays, now))
      projection.memories.set(memory.id, memory)
  }
  age(projection, applyAging(projection.memories, policy, now), marker.at)
  for (const [id, session] of projection.sessions) {
    if (session.pending.length === 0 && now - Date.parse(session.lastAt) > SESSION_KEPT_MS)
      projection.sessions.delete(id)
  }
}

/** Changes the policy; where importance is weighed otherwise then, all that was made of sessions is weighed anew. */
function weighedBy(projection: Projection, shipped: Policy, change: () => void): void {
  const before = activePolicy(projection, shipped).importance
  change()
  const after = activePolicy(projection, shipped).importance
  if (hasSameImportanceWeights(before, after)) return
  for (const memory of rescoreImportance(projection.memories.values(), after))
    projection.memories.set(memory.id, memory)
}

/** Puts what time has changed into the view, and notes what moved. */
function age(projection: Projection, changed: readonly Memory[], at: string): void {
  const tiers: Partial<Record<Tier, number>> = {}
  const archived: MemoryId[] = []
  for (const memory of changed) {
    const before = projection.memories.get(memory.id)
    projection.memories.set(memory.id, memory)
    if (before && before.tier !== memory.tier) tiers[memory.tier] = (tiers[memory.tier] ?? 0) + 1
    if (before?.status === 'active' && memory.status === 'archived') archived.push(memory.id)
  }
  if (archived.length === 0 && Object.keys(tiers).length === 0) return
  // By id: a rebuild comes upon them in another order.
  projection.moves = [...projection.moves, { at, tiers, archived: archived.sort() }].slice(-MOVES_MAX)
}

/** Back from the archive, at seed 000's strength of a reactivated memory, and no longer folded by age. */
function restore(projection: Projection, event: EventOf<'memory.restored'>, shipped: Policy): void {
  const { strength } = activePolicy(projection, shipped)
  for (const id of event.memories) {
    const memory = projection.memories.get(id)
    if (memory) projection.memories.set(id, reactivate(memory, event.at, strength))
  }
}

/** Somebody says what it gave. */
function impact(projection: Projection, event: EventOf<'memory.impact'>, shipped: Policy): void {
  const memory = projection.memories.get(event.memory)
  if (!memory) return
  const { strength } = activePolicy(projection, shipped)
  projection.memories.set(memory.id, applyImpact(memory, event, strength))
}
