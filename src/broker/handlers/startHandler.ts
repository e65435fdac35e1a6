// SessionStart: a briefing on earlier sessions, from one small file; after a compaction, the session's own state.
import { START_ENTRY_LIMITS } from '../../entries/entry.ts'
import { findOutdated, isMtimeCacheStale } from '../../entries/mtimeCache.ts'
import type { Event, EventOf } from '../../model/event.ts'
import type { FactNote } from '../../model/factNote.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { buildCompactionContext } from '../../recall/compactionContext.ts'
import { isFixLivedThrough, isLivedThrough } from '../../recall/ownConversation.ts'
import { type BriefingInput, buildSessionBriefing } from '../../recall/sessionBriefing.ts'
import type { HookPayload } from '../../record/hookPayload.ts'
import { countBytesAfter, type LogPosition } from '../../store/log/eventLog.ts'
import { STORE_VERSION } from '../../store/snapshot/manifest.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { readShowChoice } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'
import { addPersonStatements } from '../projection/personFile.ts'
import type { SessionStartSnapshot } from '../projection/sessionStartFile.ts'
import { findDeletedSince } from './deletedMemories.ts'
import { isOutdated, readFacts } from './factNotes.ts'
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
import { JOINED, joinEarlier, requestLink } from './joinEarlier.ts'
import { buildPersonMessage } from './personMessage.ts'
import { buildRecallOutcome } from './recallOutcome.ts'
import { requestTrust } from './trustRequest.ts'

export const onSessionStart: HookHandler = (payload, opened) => {
  const event = eventFromPayload(payload, opened)
  if (event?.kind !== 'session.started') return {}
  const snapshot = readSessionStartSnapshot(opened)
  const context = snapshot === undefined ? joinEarlier(opened, event.cwd || opened.store.project.root) : opened
  const hot = context === opened ? snapshot : readSessionStartSnapshot(context)
  const needsMaintenance = isMaintenanceDue(context, hot)
  if (event.source === 'compact') return { ...afterCompaction(event, payload, context), needsMaintenance }
  const output = addRequest(
    atStart(event, payload, context, hot),
    context.store,
    context === opened ? requestLink(context.store) : JOINED,
  )
  return { ...addRequest(output, context.store, requestTrust(context.store)), needsMaintenance }
}

/** Adds a line that asks the person for something, if it is due. */
function addRequest(output: HookOutput, store: Store, request: string | undefined): HookOutput {
  if (request === undefined) return output
  const join = (text: string | undefined): string => (text ? `${text}\n${request}` : request)
  const message = readShowChoice(store) === 'off' ? output.message : join(output.message)
  return { ...output, context: join(output.context), message }
}

/** The briefing. On resume it leaves out what this conversation contains already. */
function atStart(
  event: EventOf<'session.started'>,
  payload: HookPayload,
  context: HookContext,
  hot: SessionStartSnapshot | undefined,
): HookOutput {
  let recalled: Event | undefined
  try {
    const query = buildHookQuery('start', event, context.now)
    const { cursor, compacted } = readManifest(context.store.files, context.store.layout)
    const shown = hot ? readShownMemories(context, payload, cursor) : new Set<never>()
    // A resumed conversation contains the session's own work.
    const since = compacted?.[event.session]
    const isContained = (memory: Memory): boolean =>
      event.source === 'resume' && (isLivedThrough(query, memory, since) || isFixLivedThrough(query, memory, since))
    const standing = addPersonStatements(context.store, listStanding(context, hot, cursor)).filter((memory) => {
      const isOwn = isContained(memory)
      if (isOwn) context.trace?.onNotStarted?.(memory, 'own')
      return !isOwn
    })
    const briefing: BriefingInput = {
      query,
      memories: standing,
      facts: listFacts(context, cursor),
      isOutdated: (fact) => isOutdated(context.store, fact),
      policy: context.policy,
      alreadyShown: shown,
      unusedStarts: hot?.unusedStarts ?? 0,
      fileProbe: createFileProbe(context.store),
      onLeftOut: context.trace?.onNotStarted,
    }
    context.trace?.onStart?.(briefing)
    const result = buildSessionBriefing(briefing)
    context.trace?.onResult?.(result, false)
    const { text, event: recall } = buildRecallOutcome({
      recall: result,
      cue: query,
      cause: event,
      policy: context.policy,
      policyVersion: context.policyVersion,
    })
    recalled = recall
    return text ? { context: text, message: buildPersonMessage(context.store, 'start', text, result.shown.length) } : {}
  } finally {
    // Both in one write; the event also if a damaged or newer snapshot stops the recall.
    commitHookEvents(context, event, recalled)
  }
}

/** The facts of the snapshot without deleted ones. */
function listFacts({ store }: HookContext, cursor: LogPosition): readonly FactNote[] {
  const facts = readFacts(store, 'main')
  if (facts.length === 0) return facts
  const deleted = findDeletedSince(store, cursor)
  return deleted.size === 0 ? facts : facts.filter(({ id }) => !deleted.has(id))
}

/** The memories for the briefing, without deleted ones and entries whose files have changed since the snapshot. */
function listStanding(
  context: HookContext,
  hot: SessionStartSnapshot | undefined,
  cursor: LogPosition,
): readonly Memory[] {
  const standing = hot?.standing ?? []
  if (standing.length === 0) return standing
  const deleted = findDeletedSince(context.store, cursor)
  const entries = new Set(standing.flatMap(({ id, kind }) => (kind === 'entry' ? id : [])))
  const outdated = entries.size === 0 ? entries : findOutdated(context.store, entries)
  return standing.filter((memory) => {
    if (outdated.has(memory.id)) context.trace?.onNotStarted?.(memory, 'outdated')
    return !deleted.has(memory.id) && !outdated.has(memory.id)
  })
}

/** After a compaction: open prompts, changed files, unresolved failures and decisions, from the log. */
function afterCompaction(event: Event, payload: HookPayload, context: HookContext): HookOutput {
  commitHookEvents(context, event)
  const text = buildCompactionContext(readRecentEvents(context, payload, { bytesMax: SNAPSHOT_TAIL_BYTES }))
  return text ? { context: text, message: buildPersonMessage(context.store, 'compact', text, 0) } : {}
}

/**
 * Whether the snapshot has an earlier version, events wait to be organized (in the snapshot's open list or in the log
 * after it), or entry files have changed.
 */
function isMaintenanceDue(context: HookContext, hot: SessionStartSnapshot | undefined): boolean {
  const { files, layout } = context.store
  try {
    const { version, cursor } = readManifest(files, layout)
    return (
      version < STORE_VERSION ||
      (hot?.open.length ?? 0) > 0 ||
      countBytesAfter(files, layout.events, cursor) > 0 ||
      isMtimeCacheStale(context.store, START_ENTRY_LIMITS)
    )
  } catch (error) {
    // Maintenance writes a damaged snapshot again; it cannot read that of a later version either.
    return !(error instanceof MemoryError && error.code === 'STORE_NEWER')
  }
}
