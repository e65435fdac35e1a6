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
import type { Memory } from '../../model/memory.ts'
import {
  applyLearnedPolicy,
  applyPolicyPatch,
  DEFAULT_POLICY_PATCH,
  EMPTY_LEARNED_POLICY,
  type LearnedPolicy,
  type Policy,
  type PolicyPatch,
} from '../../model/policy.ts'
import { findPolicySpec, type PolicyProblem, validatePolicy, validateValues } from '../../model/policySchema.ts'
import { isExclusionRule } from '../../model/recallQuery.ts'
import { MemoryTable } from '../../organize/memoryTable.ts'
import { LOG_START, type LogPosition } from '../../store/log/eventLog.ts'
import type { Manifest } from '../../store/snapshot/manifest.ts'
import type { StoredMemories } from '../../store/snapshot/storedMemories.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'
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
  baselines: NO_BASELINES,
  trials: {},
  team: undefined,
})

/** Memories by id that open sessions would create or change, each complete. */
export type ProvisionalMemories = ReadonlyMap<MemoryId, Memory>

/** A projection and the memories of its snapshot, which tell what has changed since. */
export interface LoadedProjection {
  readonly projection: Projection
  manifest: Manifest
  /** The memories of the snapshot; none if all must be written again. */
  stored: StoredMemories
  /** What open sessions have learned up to a cursor, as JSON. */
  provisional?: { readonly cursor: string; readonly memories: ProvisionalMemories }
  /** How far this process has searched the log for secrets. */
  searched?: LogPosition
}

// Applies events to the policy: changes that improve learned, and changes, choices and freezes by a person.
//
// Changes by a person always apply, learned ones only while nothing is frozen. Values out of their range are refused:
// the configured policy is used then and the history says so. An invalid policy must never become active.

/** Policy changes kept with their evidence. */
const HISTORY_MAX = 200

/** The configured policy of this project, before anything was learned. */
export const basePolicy = ({ base }: Pick<Projection, 'base'>): Policy => applyPolicyPatch(DEFAULT_POLICY, base)

/** The active policy: the configured one with what was learned. */
export const activePolicy = (projection: Projection): Policy =>
  applyLearnedPolicy(basePolicy(projection), projection.learned)

export function applyPolicyChange(projection: Projection, event: EventOf<'policy.changed'>): void {
  const state = projection.sessions.get(event.session)
  if (state && event.by === 'improve') projection.sessions.set(state.id, { ...state, stepped: true })
  // Frozen since the step was computed, or a duplicate.
  if (event.by === 'improve' && (projection.frozen || event.version <= projection.learned.version)) return
  const refused = findInvalidValue(event.values)
  const exclusions = refused ? [] : (event.exclusions ?? []).filter(isExclusionRule)
  projection.learned = {
    version: Math.max(event.version, projection.learned.version + 1),
    values: refused ? {} : event.values,
    ...(exclusions.length > 0 && { exclusions }),
  }
  const { reason, evidence, by } = event
  addToHistory(projection, event.at, {
    by,
    reason: refused ? `refused, the configured policy is used: ${reason}` : reason,
    evidence: { ...evidence, ...refusal(refused) },
  })
}

export function applyConfiguredPolicy(projection: Projection, event: EventOf<'policy.chosen'>): void {
  const { name, values } = event
  if (JSON.stringify([projection.base.name, projection.base.values]) === JSON.stringify([name, values])) return
  const refused = findInvalidValue(values) ?? validatePolicy(basePolicy({ base: { name, values } }))[0]
  if (!refused) {
    projection.base = { name, values }
    // What was learned was learned over another policy: learning starts again from this one.
    projection.learned = { version: projection.learned.version + 1, values: {} }
  }
  const reason = `${refused ? 'refused' : 'chose'} the policy ${name}`
  addToHistory(projection, event.at, { by: 'person', reason, evidence: refusal(refused) })
}

export function applyPolicyFreeze(projection: Projection, { at, frozen }: EventOf<'policy.frozen'>): void {
  if (projection.frozen === frozen) return
  projection.frozen = frozen
  addToHistory(projection, at, { by: 'person', reason: frozen ? 'frozen' : 'thawed', evidence: {} })
}

/** The first value out of its range. Numbers that policies no longer have are ignored elsewhere and are no problem. */
const findInvalidValue = (values: Readonly<Record<string, unknown>>): PolicyProblem | undefined =>
  validateValues(values).find(({ path }) => findPolicySpec(path) !== undefined)

const refusal = (problem: PolicyProblem | undefined): PolicyChange['evidence'] =>
  problem ? { refused: `${problem.what}. ${problem.hint}` } : {}

function addToHistory(projection: Projection, at: string, cause: Pick<PolicyChange, 'by' | 'reason' | 'evidence'>) {
  const { base, learned, history } = projection
  projection.history = [...history, { at, base: base.name, ...learned, ...cause }].slice(-HISTORY_MAX)
}
