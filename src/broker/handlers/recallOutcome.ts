// The outcome of a recall: the text to inject, and the event that records what was shown and why.
import type { Event, EventOf } from '../../model/event.ts'
import type { EventId, MemoryId } from '../../model/id.ts'
import { isUserRequested } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import { memoryProvenance } from '../../model/provenance.ts'
import type { Features, RecallQuery, RecallResult } from '../../model/recallQuery.ts'
import { estimateTokens, firstLine } from '../../text/excerpt.ts'
import { hash32, hashHex } from '../../text/hash.ts'
import { isoTime } from '../../text/isoTime.ts'

/** Candidates that were not shown but are named in the log, at most. */
const OTHERS_LOGGED_MAX = 12

export interface Recalled {
  readonly recall: RecallResult
  readonly cue: RecallQuery
  /** The event of the hook that recalled. */
  readonly cause: Pick<Event, 'id' | 'session' | 'taskId'>
  readonly policy: Policy
  readonly policyVersion: number
  /** The id of the tool call it is about. */
  readonly call?: string | undefined
  /** The call is blocked once. The user configured that, so it is never a holdout. */
  readonly isHeld?: boolean
}

/** The event of a recall, and its text unless the recall is a holdout: ranked and logged, but not shown. */
export function buildRecallOutcome(recalled: Recalled) {
  const { recall, cue: query, cause, policy } = recalled
  if (recall.shown.length === 0) return { text: '' }
  // Derived from its cause's id: if plugin and settings both run the hook, the second event is a duplicate.
  const id = hashHex([cause.session, 'recalled', query.moment, cause.id].join('\0')) as EventId
  const share = recalled.isHeld ? 0 : withholdShareOf(recall, policy)
  // Derived from the recall's id: the same recall is always withheld or always shown.
  const withheld = hash32(id) / 2 ** 32 < share
  const event: EventOf<'recalled'> = {
    id,
    at: isoTime(query.now),
    session: cause.session,
    agentId: query.viewer.agentId,
    role: query.viewer.role,
    // As in all events: the prompt. The query has the task's identity.
    taskId: cause.taskId,
    outcome: 'unknown',
    lessons: [],
    privacy: 'public',
    kind: 'recalled',
    moment: query.moment,
    cue: firstLine(query.text.replace(/\s+/g, ' '), 300),
    call: recalled.call,
    shown: recall.shown.map(({ memory, score, features }) => ({
      ...shownField(memory.id, score, features),
      provenance: memoryProvenance(memory),
    })),
    tokens: withheld ? undefined : estimateTokens(recall.text),
    withheld,
    share: share > 0 ? share : undefined,
    others: recall.others.slice(0, OTHERS_LOGGED_MAX).map((other) => other.id),
    next: recall.next && shownField(recall.next.id, recall.next.score, recall.next.features),
    policy: recalled.policyVersion,
  }
  return { text: withheld ? '' : recall.text, event }
}

/** The share of such recalls that are withheld: none of what the user said, wrote or pinned. */
export const withholdShareOf = ({ shown }: RecallResult, { recall }: Policy): number =>
  shown.some(({ memory }) => isUserRequested(memory)) ? 0 : recall.withholdShare

const shownField = (memory: MemoryId, score: number, features: Features): Shown => ({
  memory,
  score: rounded(score),
  features: Object.fromEntries(
    Object.entries(features).flatMap(([name, value]) => (value === 0 ? [] : [[name, rounded(value)]])),
  ),
})

type Shown = EventOf<'recalled'>['shown'][number]

const rounded = (value: number): number => Math.round(value * 1000) / 1000
