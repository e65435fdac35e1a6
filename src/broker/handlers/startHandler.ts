// SessionStart: what this project's earlier sessions left behind, from one small file; after a compaction, the session's own state.
import { findOutdated, isMtimeCacheStale } from '../../entries/mtimeCache.ts'
import type { Event, EventOf } from '../../model/event.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { Memory } from '../../model/memory.ts'
import { buildCompactionContext } from '../../recall/compactionContext.ts'
import { buildSessionBriefing } from '../../recall/sessionBriefing.ts'
import type { HookPayload } from '../../record/hookPayload.ts'
import { countBytesAfter, type LogPosition } from '../../store/log/eventLog.ts'
import { STORE_VERSION } from '../../store/snapshot/manifest.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import type { SessionStartSnapshot } from '../projection/sessionStartFile.ts'
import { findDeletedSince } from './deletedMemories.ts'
import { createFileProbe } from './fileProbe.ts'
import {
  commitHookEvents,
  eventFromPayload,
  type HookContext,
  type HookHandler,
  type HookOutput,
  readRecentEvents,
  readSessionStartSnapshot,
  readShownMemories,
} from './hookContext.ts'
import { buildHookQuery } from './hookQuery.ts'
import { buildRecallOutcome } from './recallOutcome.ts'

export const onSessionStart: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context)
  if (event?.kind !== 'session.started') return {}
  const hot = readSessionStartSnapshot(context)
  const background = somethingUndone(context, hot)
  if (event.source === 'compact') return { ...afterCompaction(event, payload, context), needsMaintenance: background }
  return { ...atStart(event, payload, context, hot), needsMaintenance: background }
}

/** What stands: said by the person, learnt, left open. On resume nothing that this conversation holds already. */
function atStart(
  event: EventOf<'session.started'>,
  payload: HookPayload,
  context: HookContext,
  hot: SessionStartSnapshot | undefined,
): HookOutput {
  let recalled: Event | undefined
  try {
    const query = buildHookQuery('start', event, context.now)
    const { cursor } = readManifest(context.store.files, context.store.layout)
    const told = hot ? readShownMemories(context, payload, cursor) : new Set<never>()
    // What a resumed session did itself stands in its conversation.
    const standing = current(context, hot, cursor).filter(
      (one) => event.source !== 'resume' || one.session !== event.session,
    )
    const result = buildSessionBriefing({
      query,
      memories: standing,
      policy: context.policy,
      alreadyShown: told,
      fileProbe: createFileProbe(context.store),
    })
    const { text, event: recall } = buildRecallOutcome({
      recall: result,
      cue: query,
      cause: event,
      policy: context.policy,
      policyVersion: context.policyVersion,
    })
    recalled = recall
    return text ? { context: text } : {}
  } finally {
    // Both in one write; and the event also where a view that is damaged or of a later version stops the recall.
    commitHookEvents(context, event, recalled)
  }
}

/** What stands, without what was deleted and the entries whose files were written since: the worker takes them up for the prompts to come. */
function current(context: HookContext, hot: SessionStartSnapshot | undefined, cursor: LogPosition): readonly Memory[] {
  const standing = hot?.standing ?? []
  if (standing.length === 0) return standing
  const gone = findDeletedSince(context.store, cursor)
  const entries = new Set(standing.flatMap((one) => (one.kind === 'entry' ? one.id : [])))
  const outdated = entries.size === 0 ? entries : findOutdated(context.store, entries)
  return standing.filter((one) => !gone.has(one.id) && !outdated.has(one.id))
}

/** The summary has lost detail: from our own log the open prompts, changed files, unresolved failures, decisions. */
function afterCompaction(event: Event, payload: HookPayload, context: HookContext): HookOutput {
  commitHookEvents(context, event)
  const text = buildCompactionContext(readRecentEvents(context, payload, { bytesMax: SNAPSHOT_TAIL_BYTES }))
  return text ? { context: text } : {}
}

/**
 * Whether the view is an earlier version's, some session's events wait to be organised (in the snapshot's open list or
 * in the log past it), or entries to be taken up:
 * their files' names and times tell.
 */
function somethingUndone(context: HookContext, hot: SessionStartSnapshot | undefined): boolean {
  const { files, layout } = context.store
  try {
    const { version, cursor } = readManifest(files, layout)
    return (
      version < STORE_VERSION ||
      (hot?.open.length ?? 0) > 0 ||
      countBytesAfter(files, layout.events, cursor) > 0 ||
      isMtimeCacheStale(context.store)
    )
  } catch {
    return false // A view this version cannot read: `doctor` tells, and the worker could do no better.
  }
}
