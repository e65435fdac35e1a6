// The notes that a session was shown, each with what it was ranked by, and what a person has said of it.
import { type Rating, readRatings } from '../../improve/ratings.ts'
import type { EventOf } from '../../model/event.ts'
import type { EventId, MemoryId, SessionId } from '../../model/id.ts'
import type { Features, RecallMoment } from '../../model/recallQuery.ts'
import { readTailEvents } from '../../store/log/eventLog.ts'
import type { Store } from '../open/openStore.ts'

/** How much of the log is read, from its end: a session of many hours. Notes before it are not listed. */
const TAIL_BYTES = 16_777_216

export interface ShownNote {
  readonly recall: EventId
  readonly memory: MemoryId
  /** ISO time. */
  readonly at: string
  readonly moment: RecallMoment
  /** What it was recalled for: the prompt, the command or the error; empty at a start. */
  readonly cue: string
  readonly features: Features
  /** Of an entry of knowledge at a start: the calls that showing it was expected to save in a session. */
  readonly score: number
  /** The type of the subagent that was shown it; absent for the main conversation. */
  readonly agent?: string
  readonly rating?: Rating
}

/** Every note of the session, its subagents' too, the first one first. Holdouts are left out: nobody saw them. */
export function listShownNotes({ files, layout }: Store, session: SessionId): ShownNote[] {
  const kinds = ['recalled', 'recall.judged'] as const
  const events = readTailEvents(files, layout.events, { session, bytesMax: TAIL_BYTES, kinds })
  return events.flatMap((event) => {
    if (event.kind !== 'recalled' || event.withheld) return []
    const ratings = readRatings(events, event.id)
    return event.shown.map((shown) => toNote(event, shown, ratings.get(shown.memory)))
  })
}

const toNote = (
  { id, at, moment, cue, agentId, role }: EventOf<'recalled'>,
  { memory, features, score }: EventOf<'recalled'>['shown'][number],
  rating: Rating | undefined,
): ShownNote => ({
  recall: id,
  memory,
  at,
  moment,
  cue,
  features,
  score,
  ...(agentId !== undefined && { agent: role }),
  ...(rating && { rating }),
})
