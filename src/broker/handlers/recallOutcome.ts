// Tell: one recall for one moment. Candidates, ranking, what is said, and the event that says what was shown and why.

import type { Event, EventOf } from '../../model/event.ts'
import type { EventId, MemoryId } from '../../model/id.ts'
import { isUserRequested } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import type { Features, RecallQuery, RecallResult } from '../../model/recallQuery.ts'
import { firstLine } from '../../text/excerpt.ts'
import { hash32, hashHex } from '../../text/hash.ts'
import { isoTime } from '../../text/isoTime.ts'

/** How many of the candidates left out are named in the log. */
const OTHERS_LOGGED_MAX = 12

/** What a recall came to, for the session and for the log. */
interface RecallOutcome {
  /** What the model is told; empty for silence. */
  readonly text: string
  /** The event to append; undefined when there was nothing to say, for then there is nothing to credit. */
  readonly event?: EventOf<'recalled'> | undefined
}

/** A recall, and what set it off. */
export interface Recalled {
  readonly recall: RecallResult
  readonly cue: RecallQuery
  /** The event of the hook that recalled. */
  readonly cause: Pick<Event, 'id' | 'session'>
  readonly policy: Policy
  readonly policyVersion: number
  /** The tool call it is about, by its id. */
  readonly call?: string | undefined
  /** The call is blocked once. A person asked for that, so it is never a holdout. */
  readonly isHeld?: boolean
}

/** The event of a recall, and its text unless the recall is a holdout: ranked and logged, but not shown. */
export function buildRecallOutcome(recalled: Recalled): RecallOutcome {
  const { recall, cue: query, cause, policy } = recalled
  if (recall.shown.length === 0) return { text: '' }
  // Made from its cause's id: where plugin and settings both told of that, both recall, and that too counts once.
  const id = hashHex([cause.session, 'recalled', query.moment, cause.id].join('\0')) as EventId
  // What a person said, wrote or pinned is never withheld.
  const asked = recalled.isHeld || recall.shown.some(({ memory }) => isUserRequested(memory))
  const share = asked ? 0 : policy.recall.withholdShare
  // Drawn from the recall's own id: the same recall is always withheld or always shown.
  const withheld = hash32(id) / 2 ** 32 < share
  const event: EventOf<'recalled'> = {
    id,
    at: isoTime(query.now),
    session: cause.session,
    agentId: query.viewer.agentId,
    role: query.viewer.role,
    taskId: query.taskId,
    outcome: 'unknown',
    lessons: [],
    privacy: 'public',
    kind: 'recalled',
    moment: query.moment,
    cue: firstLine(query.text.replace(/\s+/g, ' '), 300),
    call: recalled.call,
    shown: recall.shown.map(({ memory, score, features }) => shownField(memory.id, score, features)),
    withheld,
    share: share > 0 ? share : undefined,
    others: recall.others.slice(0, OTHERS_LOGGED_MAX).map((other) => other.id),
    next: recall.next && shownField(recall.next.id, recall.next.score, recall.next.features),
    policy: recalled.policyVersion,
  }
  return { text: withheld ? '' : recall.text, event }
}

const shownField = (memory: MemoryId, score: number, features: Features): Shown => ({
  ...{ memory, score: rounded(score) },
  features: Object.fromEntries(
    Object.entries(features).flatMap(([name, value]) => (value === 0 ? [] : [[name, rounded(value)]])),
  ),
})

type Shown = EventOf<'recalled'>['shown'][number]

const rounded = (value: number): number => Math.round(value * 1000) / 1000
