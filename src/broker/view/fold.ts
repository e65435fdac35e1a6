// Fold: one event changes the view. The same log gives the same view, whoever folds it and in however many parts.
//
// Organising and improving happen where the log says so (`session.improved`, `session.organized`), at the time it says, so
// that a rebuild comes to what the sessions came to one by one.

import { judge } from '../../improve/judge.ts'
import { baselinesAfter } from '../../improve/observe.ts'
import { impacted, reactivated, reinforced } from '../../improve/reinforce.ts'
import { tried } from '../../improve/trial.ts'
import { type Event, type EventOf, timeOf } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { weighsAlike } from '../../model/importance.ts'
import type { Memory } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import type { Tier } from '../../model/tier.ts'
import { aged, workedThrough } from '../../organize/age.ts'
import { organize } from '../../organize/organize.ts'
import { released, releasedUntold } from '../../organize/release.ts'
import { slept } from '../../organize/sleep.ts'
import { reweighed } from '../../organize/weigh.ts'
import { toldAfter } from '../hook/told.ts'
import { changed } from './changes.ts'
import { changePolicy, choosePolicy, freezePolicy, servingIn } from './foldPolicy.ts'
import type { SessionState, View } from './view.ts'

/** Latest event ids kept of a session, to know one that comes twice. */
const SEEN_MAX = 64

/** A session is forgotten this long after its last event, in milliseconds; one resumed later begins anew. */
const SESSION_KEPT_MS = 14 * 86_400_000

/** Moves kept, so that the latest can be told and undone. */
const MOVES_MAX = 10

export function fold(view: View, event: Event, shipped: Policy): void {
  switch (event.kind) {
    case 'policy.changed':
      weighedBy(view, shipped, () => changePolicy(view, event))
      break
    case 'policy.chosen':
      weighedBy(view, shipped, () => choosePolicy(view, event, shipped))
      break
    case 'policy.frozen':
      freezePolicy(view, event)
      break
    case 'memory.impact':
      impact(view, event, shipped)
      break
    case 'memory.slept':
      age(view, slept(view.memories, servingIn(view, shipped).strength, event.at), event.at)
      break
    case 'memory.released':
      for (const memory of released(view.memories, event, timeOf(event))) view.memories.set(memory.id, memory)
      break
    case 'memory.restored':
      restore(view, event, shipped)
      break
    case 'memory.stored':
    case 'memory.updated':
    case 'memory.batch':
    case 'memory.deleted':
    case 'memory.accessed':
    case 'memory.scored':
    case 'memory.strengthened':
    case 'memory.consolidated':
      changed(view.memories, event)
      break
    case 'agent.slept':
      break // What it did is told by the events before it.
    case 'session.improved':
      improve(view, event, shipped)
      break
    case 'session.organized':
      organized(view, event, shipped)
      break
    default:
      happened(view, event)
  }
}

function happened(view: View, event: Event): void {
  const known = view.sessions.get(event.session)
  if (known?.seen.includes(event.id)) return
  const state = known ?? begun(event)
  view.sessions.set(event.session, {
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
    told: toldAfter(state.told, event),
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

function improve(view: View, marker: EventOf<'session.improved'>, shipped: Policy): void {
  const state = view.sessions.get(marker.session)
  if (!state || state.improved || state.pending.length === 0) return
  const policy = servingIn(view, shipped)
  // Where a crash came between improving and organising, and the session went on: what has its verdict gets no second one.
  const before = state.judged ?? 0
  const done = new Set(state.pending.slice(0, before).map((event) => event.id))
  const judged = judge(state.pending, view.memories, view.baselines, policy.improve).filter(
    (one) => !done.has(one.recall),
  )
  for (const recall of judged) {
    const { share, after } = recall
    if (share !== undefined && after) view.trials = tried(view.trials, share, recall.withheld, after)
    if (recall.withheld) continue
    for (const verdict of recall.memories) {
      const memory = view.memories.get(verdict.memory)
      if (memory)
        view.memories.set(
          memory.id,
          reinforced(memory, verdict, { at: recall.at, perspective: recall.role }, policy.strength),
        )
    }
  }
  view.baselines = baselinesAfter(view.baselines, state.pending.slice(before))
  view.judged = [...view.judged, ...judged.filter((recall) => recall.memories.length > 0)].slice(
    -policy.improve.guardWindow,
  )
  view.sessions.set(state.id, { ...state, improved: true, judged: state.pending.length })
}

function organized(view: View, marker: EventOf<'session.organized'>, shipped: Policy): void {
  const state = view.sessions.get(marker.session)
  const policy = servingIn(view, shipped)
  const now = timeOf(marker)
  if (state && state.pending.length > 0) {
    const part = { session: state.id, events: state.pending }
    for (const memory of organize(part, view.memories, policy)) view.memories.set(memory.id, memory)
    view.sessions.set(state.id, { ...state, pending: [], improved: false, judged: 0, stepped: false })
  }
  for (const memory of workedThrough(view.memories, marker.session, now)) view.memories.set(memory.id, memory)
  if (marker.releases !== 'told') {
    for (const memory of releasedUntold(view.memories, policy.privacy.releaseDays, now))
      view.memories.set(memory.id, memory)
  }
  age(view, aged(view.memories, policy, now), marker.at)
  for (const [id, session] of view.sessions) {
    if (session.pending.length === 0 && now - Date.parse(session.lastAt) > SESSION_KEPT_MS) view.sessions.delete(id)
  }
}

/** Changes the policy; where importance is weighed otherwise then, all that was made of sessions is weighed anew. */
function weighedBy(view: View, shipped: Policy, change: () => void): void {
  const before = servingIn(view, shipped).importance
  change()
  const after = servingIn(view, shipped).importance
  if (weighsAlike(before, after)) return
  for (const memory of reweighed(view.memories.values(), after)) view.memories.set(memory.id, memory)
}

/** Puts what time has changed into the view, and notes what moved. */
function age(view: View, changed: readonly Memory[], at: string): void {
  const tiers: Partial<Record<Tier, number>> = {}
  const archived: MemoryId[] = []
  for (const memory of changed) {
    const before = view.memories.get(memory.id)
    view.memories.set(memory.id, memory)
    if (before && before.tier !== memory.tier) tiers[memory.tier] = (tiers[memory.tier] ?? 0) + 1
    if (before?.status === 'active' && memory.status === 'archived') archived.push(memory.id)
  }
  if (archived.length === 0 && Object.keys(tiers).length === 0) return
  // By id: a rebuild comes upon them in another order.
  view.moves = [...view.moves, { at, tiers, archived: archived.sort() }].slice(-MOVES_MAX)
}

/** Back from the archive, at seed 000's strength of a reactivated memory, and no longer folded by age. */
function restore(view: View, event: EventOf<'memory.restored'>, shipped: Policy): void {
  const { strength } = servingIn(view, shipped)
  for (const id of event.memories) {
    const memory = view.memories.get(id)
    if (memory) view.memories.set(id, reactivated(memory, event.at, strength))
  }
}

/** Somebody says what it gave. */
function impact(view: View, event: EventOf<'memory.impact'>, shipped: Policy): void {
  const memory = view.memories.get(event.memory)
  if (!memory) return
  const { strength } = servingIn(view, shipped)
  view.memories.set(memory.id, impacted(memory, event, strength))
}
