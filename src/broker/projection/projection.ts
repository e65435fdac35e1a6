// The projection: the state that the log's events add up to. Memories, sessions, the policy, and the learner's state.
//
//   log ──apply──▶ projection ──save──▶ snapshot ──load──▶ projection
//
// A rebuild applies the entire log, the end of a session only its tail.
import type { AttributedMemory, AttributedRecall } from '../../improve/attribution.ts'
import { type Baselines, NO_BASELINES } from '../../improve/baseline.ts'
import type { MomentUseTable } from '../../improve/exclusionRules.ts'
import type { HoldoutStatsByShare } from '../../improve/experiment.ts'
import type { Event, EventOf } from '../../model/event.ts'
import type { EventId, MemoryId, SessionId } from '../../model/id.ts'
import type { Tier } from '../../model/memory.ts'
import { DEFAULT_POLICY_PATCH, EMPTY_LEARNED_POLICY, type LearnedPolicy, type PolicyPatch } from '../../model/policy.ts'
import { MemoryTable } from '../../organize/memoryTable.ts'
import { LOG_START, type LogPosition } from '../../store/log/eventLog.ts'
import type { TeamProjection } from './teamProjection.ts'

/** A session, from its first event until some days after its last. */
export interface SessionState {
  readonly id: SessionId
  readonly started: string
  readonly lastAt: string
  /** Its last event is `session.ended`. */
  readonly ended: boolean
  readonly client?: EventOf<'session.started'>['client']
  readonly branch?: string | undefined
  /** Events not organized yet, in the order of the log. */
  readonly pending: readonly Event[]
  /** Ids of the latest events, so that an event recorded by both plugin and settings counts once. */
  readonly seen: readonly EventId[]
  /** The pending events have been improved already. */
  readonly improved: boolean
  /** How many pending events were improved before: their recalls are attributed already. */
  readonly judged?: number
  /** The policy step after it was taken too. */
  readonly stepped: boolean
  /** Memories that somebody edited, superseded or deleted while it had pending events: not derived from them again. */
  readonly settled?: readonly MemoryId[] | undefined
  /** Memories that its main thread was shown; emptied at compact and clear. */
  readonly told: readonly MemoryId[]
  /** The same for its latest subagents, by agent id; absent if there are none, and after the session's end. */
  readonly toldAgents?: Readonly<Record<string, readonly MemoryId[]>> | undefined
  /** When its main thread was last compacted, ISO: it does not contain any more what happened before. */
  readonly compacted?: string | undefined
}

export interface PolicyChange {
  readonly version: number
  /** The name of the policy it was learned over; missing in the first stores, where it was the default one. */
  readonly base?: string
  readonly at: string
  readonly by: 'improve' | 'person'
  readonly reason: string
  readonly values: Readonly<Record<string, number>>
  /** Missing if there were none. */
  readonly exclusions?: LearnedPolicy['exclusions']
  readonly evidence: Readonly<Record<string, unknown>>
}

/** What one aging pass changed: number of memories moved into each tier, and the archived ones. */
export interface TierTransition {
  readonly at: string
  readonly tiers: Readonly<Partial<Record<Tier, number>>>
  readonly archived: readonly MemoryId[]
}

/** The use of a memory that was shown before its session ended, kept until that session is organized. */
export interface EarlyAttribution {
  readonly attributed: AttributedMemory
  readonly at: string
  readonly role?: string | undefined
}

/** Mutable: `applyEvent` changes it in place, because a rebuild applies millions of events. */
export interface Projection {
  cursor: LogPosition
  memories: MemoryTable
  sessions: Map<SessionId, SessionState>
  /** The configured policy, which learning starts from. */
  base: PolicyPatch
  learned: LearnedPolicy
  /** A person has stopped learning from changing the policy. */
  frozen: boolean
  history: readonly PolicyChange[]
  judged: readonly AttributedRecall[]
  /** Oldest first. */
  early: readonly EarlyAttribution[]
  /** How useful each memory was at each moment. */
  momentUse: MomentUseTable
  /** The latest transitions, newest last. */
  moves: readonly TierTransition[]
  baselines: Baselines
  /** Outcomes of shown recalls and of holdouts. */
  trials: HoldoutStatsByShare
  /** What is shared with a team; undefined in a store that never joined one. */
  team: TeamProjection | undefined
  /** Replaces attributions, in a replay that checks what learning does with other feedback. Not stored. */
  adjustFeedback?: (recalls: readonly AttributedRecall[]) => AttributedRecall[]
}

export const emptyProjection = (): Projection => ({
  cursor: LOG_START,
  memories: new MemoryTable(),
  sessions: new Map(),
  base: DEFAULT_POLICY_PATCH,
  learned: EMPTY_LEARNED_POLICY,
  frozen: false,
  history: [],
  judged: [],
  early: [],
  momentUse: {},
  moves: [],
  baselines: NO_BASELINES,
  trials: {},
  team: undefined,
})
