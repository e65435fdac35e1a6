// The view: what the log comes to. Memories, sessions, the learned policy, and what improving remembers.
//
//   log ──fold──▶ view ──save──▶ files ──load──▶ view        a rebuild folds the whole log, a session end only its tail

import type { AttributedRecall } from '../../improve/attribution.ts'
import type { Baselines } from '../../improve/baseline.ts'
import { NO_BASELINES } from '../../improve/baseline.ts'
import type { HoldoutStatsByShare } from '../../improve/experiment.ts'
import type { Event, EventOf } from '../../model/event.ts'
import type { EventId, MemoryId, SessionId } from '../../model/id.ts'
import { DEFAULT_POLICY_PATCH, EMPTY_LEARNED_POLICY, type LearnedPolicy, type PolicyPatch } from '../../model/policy.ts'
import type { Tier } from '../../model/tier.ts'
import { MemoryTable } from '../../organize/memoryTable.ts'
import type { LogPosition } from '../../store/log/eventLog.ts'
import { LOG_START } from '../../store/log/eventLog.ts'

/** A session, from its first event until some days after its last. */
export interface SessionState {
  readonly id: SessionId
  readonly started: string
  readonly lastAt: string
  /** Its SessionEnd has come, and nothing after it. */
  readonly ended: boolean
  readonly client?: EventOf<'session.started'>['client']
  readonly branch?: string | undefined
  /** Events not organised yet, in the order of the log. */
  readonly pending: readonly Event[]
  /** Ids of the latest events, so that one told by plugin and settings both counts once. */
  readonly seen: readonly EventId[]
  /** The pending events have been through improve already. */
  readonly improved: boolean
  /** How many of them a step of improving has been through before: their recalls have their verdicts. */
  readonly judged?: number
  /** And the policy has made its step after it. */
  readonly stepped: boolean
  /** Memories this session has been shown; forgotten at compact and clear. */
  readonly told: readonly MemoryId[]
}

export interface PolicyChange {
  readonly version: number
  /** The name of the policy it was learned over; absent in the first stores, where it was the shipped one. */
  readonly base?: string
  readonly at: string
  readonly by: 'improve' | 'person'
  readonly reason: string
  readonly values: Readonly<Record<string, number>>
  /** Absent where there were none. */
  readonly exclusions?: LearnedPolicy['exclusions']
  readonly evidence: Readonly<Record<string, unknown>>
}

/** What one look at age moved: how many into which tier, and what went into the archive. */
export interface TierTransition {
  readonly at: string
  readonly tiers: Readonly<Partial<Record<Tier, number>>>
  readonly archived: readonly MemoryId[]
}

/** The one mutable thing in the house: `fold` changes it in place, for a rebuild folds millions of events. */
export interface Projection {
  cursor: LogPosition
  memories: MemoryTable
  sessions: Map<SessionId, SessionState>
  /** The policy a person has chosen, which learning starts from. */
  base: PolicyPatch
  learned: LearnedPolicy
  /** A person has stopped learning from moving anything. */
  frozen: boolean
  history: readonly PolicyChange[]
  judged: readonly AttributedRecall[]
  /** The latest moves, newest last. */
  moves: readonly TierTransition[]
  baselines: Baselines
  /** What showing changed, measured against what was withheld. */
  trials: HoldoutStatsByShare
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
  moves: [],
  baselines: NO_BASELINES,
  trials: {},
})
