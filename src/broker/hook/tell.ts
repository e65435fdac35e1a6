// Tell: one recall for one moment. Candidates, ranking, what is said, and the event that says what was shown and why.
import type { Cue, Features, Recall } from '../../model/cue.ts'
import type { Event, EventOf } from '../../model/event.ts'
import type { EventId, MemoryId } from '../../model/id.ts'
import { isAskedFor } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import { firstLine } from '../../text/excerpt.ts'
import { hash32, hashHex } from '../../text/hash.ts'
import { isoTime } from '../../text/iso.ts'

/** How many of the candidates left out are named in the log. */
const OTHERS_LOGGED_MAX = 12

/** What a recall came to, for the session and for the log. */
export interface Told {
  /** What the model is told; empty for silence. */
  readonly text: string
  /** The event to append; undefined when there was nothing to say, for then there is nothing to credit. */
  readonly event?: EventOf<'recalled'> | undefined
}

/**
 * The event of a recall that `cause` set off, and the text unless this recall is one of those withheld to measure what showing
 * does. One that holds a call is `held`: a person asked for that, so it is never withheld.
 */
export function toldOf(
  recall: Recall,
  cue: Cue,
  cause: Pick<Event, 'id' | 'session'>,
  policy: Policy,
  version: number,
  call?: string,
  held = false,
): Told {
  if (recall.shown.length === 0) return { text: '' }
  // Made from its cause's id: where plugin and settings both told of that, both recall, and that too counts once.
  const id = hashHex([cause.session, 'recalled', cue.moment, cause.id].join('\0')) as EventId
  // What a person said, wrote or pinned is never withheld.
  const asked = held || recall.shown.some(({ memory }) => isAskedFor(memory))
  const share = asked ? 0 : policy.recall.withholdShare
  // Drawn from the recall's own id: the same recall is always withheld or always shown.
  const withheld = hash32(id) / 2 ** 32 < share
  const event: EventOf<'recalled'> = {
    id,
    at: isoTime(cue.now),
    session: cause.session,
    agentId: cue.reader.agentId,
    role: cue.reader.role,
    taskId: cue.taskId,
    outcome: 'unknown',
    lessons: [],
    privacy: 'public',
    kind: 'recalled',
    moment: cue.moment,
    cue: firstLine(cue.text.replace(/\s+/g, ' '), 300),
    call,
    shown: recall.shown.map(({ memory, score, features }) => shownField(memory.id, score, features)),
    withheld,
    share: share > 0 ? share : undefined,
    others: recall.others.slice(0, OTHERS_LOGGED_MAX).map((other) => other.id),
    next: recall.next && shownField(recall.next.id, recall.next.score, recall.next.features),
    policy: version,
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
