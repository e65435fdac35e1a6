// Applies one event to the projection. The same log gives the same projection, in whatever parts it is applied.
//
// Sessions are improved and organized where the log has `session.improved` and `session.organized`, at the time of
// those events, so that a rebuild gives what the sessions gave one by one.
import { applyImpact, reactivate } from '../../improve/reinforce.ts'
import { type Event, type EventOf, eventTimeMs } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { CONTENT_CHARS_MAX } from '../../model/limits.ts'
import type { Memory, MemoryChange, MemoryMap } from '../../model/memory.ts'
import { deriveMemoryId } from '../../organize/derivedId.ts'
import {
  applyAging,
  applyRelease,
  applyTaskDecay,
  applyUnloggedReleases,
  expireWorkingMemories,
} from '../../organize/lifecycle.ts'
import { isFailingItem, withOpenTasks } from '../../organize/openItems.ts'
import { truncateMiddle } from '../../text/excerpt.ts'
import { openTaskKey } from '../../text/hash.ts'
import { applyEarlyAttributions, improveSession, rateAttributed } from './improveReducer.ts'
import { applyMemoryEvent, listChanges } from './memoryReducer.ts'
import { organizePending } from './openSessions.ts'
import {
  activePolicy,
  applyConfiguredPolicy,
  applyPolicyChange,
  applyPolicyFreeze,
  type Projection,
  type SessionState,
} from './projection.ts'
import { isForgetting, updateShown } from './shownMemories.ts'
import { applyTeamEvent, applyWithTeam, isForgottenByTeam } from './teamReducer.ts'

/** Number of a session's latest event ids that are remembered, to detect duplicates. */
const SEEN_MAX = 64

/** A session is dropped this long after its last event, in milliseconds. One resumed later starts as new. */
const SESSION_RETAINED_MS = 14 * 86_400_000

export function applyEvent(projection: Projection, event: Event): void {
  switch (event.kind) {
    case 'policy.changed':
      applyPolicyChange(projection, event)
      break
    case 'policy.chosen':
      applyConfiguredPolicy(projection, event)
      break
    case 'policy.frozen':
      applyPolicyFreeze(projection, event)
      break
    case 'memory.impact':
      applyImpactEvent(projection, event)
      break
    case 'memory.slept':
      replaceMemories(projection, applyTaskDecay(projection.memories, activePolicy(projection), event.at))
      break
    case 'memory.released':
      replaceMemories(projection, applyRelease(projection.memories, event, eventTimeMs(event)))
      break
    case 'memory.restored':
      restore(projection, event)
      break
    case 'memory.stored':
    case 'memory.updated':
    case 'memory.batch':
    case 'memory.deleted':
    case 'memory.accessed':
    case 'memory.scored':
    case 'memory.strengthened':
    case 'memory.consolidated':
      settleMemories(projection, listSettled(event))
      applyWithTeam(projection, event, () => applyMemoryEvent(projection.memories, event))
      break
    case 'session.distilled': {
      const { memories } = projection
      replaceMemories(projection, [...summarizeDistilled(memories, event), ...closeTasks(memories, event.closed)])
      break
    }
    case 'agent.slept':
      break // The events before it have its changes.
    case 'team.joined':
    case 'team.left':
    case 'team.published':
    case 'team.received':
      applyTeamEvent(projection, event)
      break
    case 'session.improved':
      improveSession(projection, event)
      break
    case 'session.organized':
      organize(projection, event)
      break
    case 'recall.judged':
      rateAttributed(projection, event)
      addToSession(projection, event)
      break
    default:
      addToSession(projection, event)
  }
}

function addToSession(projection: Projection, event: Event): void {
  const known = projection.sessions.get(event.session)
  if (known?.seen.includes(event.id)) return
  const state = known ?? newSession(event)
  projection.sessions.set(event.session, {
    ...state,
    ...(event.kind === 'session.started'
      ? { client: event.client ?? state.client, branch: event.branch ?? state.branch }
      : {}),
    // ISO times of one form compare as text.
    lastAt: event.at > state.lastAt ? event.at : state.lastAt,
    // What a transcript adds later does not open it again.
    ended: event.kind === 'session.ended' || (state.ended && event.origin !== undefined),
    pending: append(state.pending, event),
    seen: [...state.seen.slice(1 - SEEN_MAX), event.id],
    improved: false,
    stepped: false,
    ...updateConversations(state, event),
  })
}

/** Subagents of an open session whose shown memories are kept, the latest. Earlier ones have ended. */
const AGENTS_MAX = 8

function updateConversations({ told, toldAgents, compacted }: SessionState, event: Event) {
  if (event.kind === 'session.ended') return { told, toldAgents: undefined, compacted }
  if (event.agentId === undefined) {
    return { told: updateShown(told, event), toldAgents, compacted: isForgetting(event) ? event.at : compacted }
  }
  const agents = new Map(Object.entries(toldAgents ?? {}))
  const before: readonly MemoryId[] = agents.get(event.agentId) ?? []
  const after = updateShown(before, event)
  if (after === before) return { told, toldAgents, compacted }
  agents.delete(event.agentId)
  agents.set(event.agentId, after)
  return { told, toldAgents: Object.fromEntries([...agents].slice(-AGENTS_MAX)), compacted }
}

/** Pushes instead of copying: the list grows by one event at a time, and only here. */
function append(pending: readonly Event[], event: Event): readonly Event[] {
  ;(pending as Event[]).push(event)
  return pending
}

const newSession = ({ session, at }: Event): SessionState => ({
  id: session,
  started: at,
  lastAt: at,
  ended: false,
  pending: [],
  seen: [],
  improved: false,
  stepped: false,
  told: [],
})

function organize(projection: Projection, marker: EventOf<'session.organized'>): void {
  const { memories, sessions } = projection
  const state = sessions.get(marker.session)
  const policy = activePolicy(projection)
  const now = eventTimeMs(marker)
  if (state && state.pending.length > 0) {
    const organized = organizePending(state, memories, policy)
    replaceMemories(
      projection,
      organized.filter(({ id }) => !isForgottenByTeam(projection, id)),
    )
    applyEarlyAttributions(projection)
    sessions.set(state.id, { ...state, pending: [], settled: undefined, improved: false, judged: 0, stepped: false })
  }
  replaceMemories(projection, expireWorkingMemories(memories, marker.session, now))
  // Logs of earlier versions have no events for releases.
  if (marker.releases !== 'told')
    replaceMemories(projection, applyUnloggedReleases(memories, policy.privacy.releaseDays, now))
  replaceMemories(projection, applyAging(memories, policy, now))
  for (const [id, session] of sessions) {
    if (session.pending.length === 0 && now - Date.parse(session.lastAt) > SESSION_RETAINED_MS) sessions.delete(id)
  }
}

/** Memories of one session that are kept as settled: a person settles a few, a tool may delete thousands. */
const SETTLED_MAX = 200

function listSettled(event: Event): readonly MemoryId[] {
  const isDecided = ({ content, supersededBy }: MemoryChange): boolean =>
    content !== undefined || supersededBy !== undefined
  if (event.kind === 'memory.deleted') return event.memories
  return listChanges(event)
    .filter(isDecided)
    .map(({ memory }) => memory)
}

/** The sessions that are open now do not derive these memories again from what they have recorded. */
function settleMemories({ sessions }: Projection, ids: readonly MemoryId[]): void {
  if (ids.length === 0) return
  for (const [id, state] of sessions) {
    if (state.pending.length === 0) continue
    sessions.set(id, { ...state, settled: [...new Set([...(state.settled ?? []), ...ids])].slice(-SETTLED_MAX) })
  }
}

function replaceMemories({ memories }: Projection, replacements: Iterable<Memory>): void {
  for (const memory of replacements) memories.set(memory.id, memory)
}

/** Restores memories with the strength of a reactivated memory (agent-memory spec), exempt from aging. */
function restore(projection: Projection, event: EventOf<'memory.restored'>): void {
  const { strength } = activePolicy(projection)
  for (const id of event.memories) {
    const memory = projection.memories.get(id)
    if (memory) projection.memories.set(id, reactivate(memory, event.at, strength))
  }
}

function applyImpactEvent(projection: Projection, event: EventOf<'memory.impact'>): void {
  const memory = projection.memories.get(event.memory)
  if (memory) projection.memories.set(memory.id, applyImpact(memory, event, activePolicy(projection).strength))
}

/** Open tasks of a session, at most. */
const OPEN_MAX = 6

/** The memories without the tasks that this session ended. */
function closeTasks(memories: MemoryMap, closed: readonly string[] = []): Memory[] {
  if (closed.length === 0) return []
  return [...memories.values()].flatMap((memory) => {
    const { id, leftOpen = [] } = memory
    const left = leftOpen.filter((task) => !closed.includes(openTaskKey(id, task)))
    if (left.length === leftOpen.length) return []
    return [{ ...memory, leftOpen: left, content: withOpenTasks(memory.content, left) }]
  })
}

/**
 * The headline becomes the first line of the session's summary. The changed summary; empty if it has none, or nothing
 * is said about it.
 */
function summarizeDistilled(memories: MemoryMap, event: EventOf<'session.distilled'>): Memory[] {
  const { headline, leftOpen } = event
  const summary = memories.get(deriveMemoryId('summary', event.session))
  if (!summary || (!headline && !leftOpen)) return []
  // The model has read the end of the session: it knows better what is open, except which checks fail.
  const known = (summary.leftOpen ?? []).filter((item) => !headline || isFailingItem(item))
  const open = [...new Set([...(leftOpen ?? []), ...known])].slice(0, OPEN_MAX)
  const questionOnly = headline ? undefined : summary.questionOnly
  const lines = [...(headline ? [headline] : []), withOpenTasks(summary.content, open)]
  const content = truncateMiddle(lines.join('\n'), CONTENT_CHARS_MAX)
  return [{ ...summary, content, leftOpen: open, questionOnly }]
}
