// SessionStart: what this project's earlier sessions left behind, from one small file; after a compaction, the session's own state.
import { haveChanged, outdatedAmong } from '../../entries/stamps.ts'
import type { Event, EventOf } from '../../model/event.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { Memory } from '../../model/memory.ts'
import { opening } from '../../recall/opening.ts'
import { workingState } from '../../recall/state.ts'
import type { Payload } from '../../record/payload.ts'
import { bytesPast, type LogPosition } from '../../store/log.ts'
import { STORE_VERSION } from '../../store/manifest.ts'
import { readManifest } from '../../store/shelf.ts'
import type { Hot } from '../view/hotFile.ts'
import { cueOf } from './cue.ts'
import { filesOf } from './fileFacts.ts'
import { goneSince } from './gone.ts'
import { toldOf } from './tell.ts'
import { type Answer, append, eventOf, type Handler, hotOf, recent, toldIn, type Visit } from './visit.ts'

export const onStart: Handler = (payload, visit) => {
  const event = eventOf(payload, visit)
  if (event?.kind !== 'session.started') return {}
  const hot = hotOf(visit)
  const background = somethingUndone(visit, hot)
  if (event.source === 'compact') return { ...afterCompaction(event, payload, visit), background }
  return { ...atStart(event, payload, visit, hot), background }
}

/** What stands: said by the person, learnt, left open. On resume nothing that this conversation holds already. */
function atStart(event: EventOf<'session.started'>, payload: Payload, visit: Visit, hot: Hot | undefined): Answer {
  let recalled: Event | undefined
  try {
    const cue = cueOf('start', event, visit.now)
    const { cursor } = readManifest(visit.store.files, visit.store.layout)
    const told = hot ? toldIn(visit, payload, cursor) : new Set<never>()
    // What a resumed session did itself stands in its conversation.
    const standing = current(visit, hot, cursor).filter(
      (one) => event.source !== 'resume' || one.session !== event.session,
    )
    const result = opening(cue, standing, visit.policy, told, filesOf(visit.store))
    const { text, event: recall } = toldOf({
      recall: result,
      cue,
      cause: event,
      policy: visit.policy,
      policyVersion: visit.policyVersion,
    })
    recalled = recall
    return text ? { context: text } : {}
  } finally {
    // Both in one write; and the event also where a view that is damaged or of a later version stops the recall.
    append(visit, event, recalled)
  }
}

/** What stands, without what was deleted and the entries whose files were written since: the worker takes them up for the prompts to come. */
function current(visit: Visit, hot: Hot | undefined, cursor: LogPosition): readonly Memory[] {
  const standing = hot?.standing ?? []
  if (standing.length === 0) return standing
  const gone = goneSince(visit.store, cursor)
  const entries = new Set(standing.flatMap((one) => (one.kind === 'entry' ? one.id : [])))
  const outdated = entries.size === 0 ? entries : outdatedAmong(visit.store, entries)
  return standing.filter((one) => !gone.has(one.id) && !outdated.has(one.id))
}

/** The summary has lost detail: from our own log the open prompts, changed files, unresolved failures, decisions. */
function afterCompaction(event: Event, payload: Payload, visit: Visit): Answer {
  append(visit, event)
  const text = workingState(recent(visit, payload, { bytesMax: SNAPSHOT_TAIL_BYTES }))
  return text ? { context: text } : {}
}

/**
 * Whether the view is an earlier version's, some session's events wait to be organised (in the snapshot's open list or
 * in the log past it), or entries to be taken up:
 * their files' names and times tell.
 */
function somethingUndone(visit: Visit, hot: Hot | undefined): boolean {
  const { files, layout } = visit.store
  try {
    const { version, cursor } = readManifest(files, layout)
    return (
      version < STORE_VERSION ||
      (hot?.open.length ?? 0) > 0 ||
      bytesPast(files, layout.events, cursor) > 0 ||
      haveChanged(visit.store)
    )
  } catch {
    return false // A view this version cannot read: `doctor` tells, and the worker could do no better.
  }
}
