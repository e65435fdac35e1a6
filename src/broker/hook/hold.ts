// Hold: a call that is known to fail is held once, with the reason and the fix, where a person has chosen that. All that costs
// something is asked only for a call whose command some lesson is about.
import type { Cue, Recall } from '../../model/cue.ts'
import type { Event } from '../../model/event.ts'
import { isCallEnded } from '../../model/event.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import { holds, mayHold, type SessionSoFar } from '../../recall/hold.ts'
import { ranked } from '../../recall/rank.ts'
import { heldNote } from '../../recall/render.ts'
import { cleaned } from '../../record/clean.ts'
import { objectField, type Payload } from '../../record/payload.ts'
import { holdsCalls } from '../hookConfig.ts'
import type { IndexedCandidate } from '../search/candidates.ts'
import { recent, type Visit } from './visit.ts'

/** The recall of the lesson that holds this call; undefined where the call may go on. */
export function heldBack(
  found: readonly IndexedCandidate[],
  cue: Cue,
  payload: Payload,
  visit: Visit,
): Recall | undefined {
  if (cue.commandShape === undefined || !found.some((one) => mayHold(one, cue)) || !holdsCalls(visit.store))
    return undefined
  const { command } = objectField(cleaned(payload), 'tool_input')
  if (typeof command !== 'string') return undefined
  let so: SessionSoFar | undefined
  for (const { memory, score, features, breakdown, whole } of ranked(found, cue, visit.policy)) {
    const candidate = found.find((one) => one.memory === memory)!
    if (!mayHold(candidate, cue)) continue
    const lesson = whole()
    so ??= soFar(
      recent(visit, payload, { bytesMax: SNAPSHOT_TAIL_BYTES, kinds: ['call.succeeded', 'call.failed', 'recalled'] }),
    )
    if (!holds(lesson, command, so)) continue
    const text = heldNote(lesson, visit.policy.recall.moments.call.budgetTokens)
    return { shown: [{ memory: lesson, score, features, breakdown }], others: [], text }
  }
  return undefined
}

const soFar = (events: readonly Event[]): SessionSoFar => ({
  calls: events.filter(isCallEnded),
  held: new Set(
    events.flatMap((event) => (event.kind === 'recalled' && event.held ? event.shown.map((one) => one.memory) : [])),
  ),
})
