// One recall of a hook: its event is recorded first, then candidates and entries of knowledge are searched, and what is
// selected is shown and recorded.
import type { Event } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { RecallMoment, RecallQuery, RecallResult } from '../../model/recallQuery.ts'
import { recall } from '../../recall/recall.ts'
import { isLivedThrough, type RecallFocus } from '../../recall/recallCandidate.ts'
import { getTextField, type HookPayload } from '../../record/hookPayload.ts'
import type { MemoryRow } from '../../store/snapshot/memoryRow.ts'
import { openSnapshotReader, type SnapshotReader } from '../../store/snapshot/snapshotReader.ts'
import {
  type FindNearestSessions,
  findCandidates,
  type IndexedCandidate,
  policyForMoment,
} from '../search/candidates.ts'
import type { FindLeading, LeadingRecall } from '../search/leadingMemories.ts'
import type { FindFiring, findBlockingRecall } from './blockCall.ts'
import {
  commitHookEvents,
  createFileProbe,
  findDeletedSince,
  type HookContext,
  type HookOutput,
  NO_OUTPUT,
  readShownMemories,
} from './hookContext.ts'
import { buildHookQuery } from './hookQuery.ts'
import { findKnowledge, isMetHere, readKnowledge, type SelectNear } from './knowledgeNotes.ts'
import { buildPersonMessage } from './personMessage.ts'
import { buildRecallOutcome } from './recallOutcome.ts'

interface Recorded {
  readonly event: Event
  readonly payload: HookPayload
  readonly context: HookContext
}

interface RecallOptions {
  /** The text of the query instead of the event's own. */
  readonly queryText?: string
  /** The identity of the task that other sessions know too. Not of calls, to keep their bundles small. */
  readonly findTask?: () => string | undefined
  /** Passed only by the hook that may block a call, so that other bundles do not contain it. */
  readonly findBlock?: typeof findBlockingRecall
  /** Only of prompts, for the same reason. */
  readonly findSessions?: FindNearestSessions
  /** Only of edits and commands. */
  readonly selectNear?: SelectNear
  /** Only of agents and failures, for the same reason. */
  readonly findLeading?: FindLeading
  /** What the hook's moment narrows the recall to. */
  readonly findFocus?: (found: readonly IndexedCandidate[], query: RecallQuery) => RecallFocus<IndexedCandidate>
}

/** Appends the event before it recalls, so that no error in the recall can lose it; then the recall's own event. */
export function recordAndRecall(moment: RecallMoment, recorded: Recorded, options: RecallOptions = {}): HookOutput {
  const { event, payload, context } = recorded
  commitHookEvents(context, event)
  const reader = openSnapshotReader(context.store.files, context.store.layout)
  try {
    const { findFiring, ...search } = searchStore(moment, recorded, options, reader)
    const held = options.findBlock?.(findFiring, payload, context)
    const result = held ?? selectShown(search, options, context)
    context.onResult?.(result, held !== undefined)
    return showRecalled(result, search.query, recorded, held !== undefined)
  } finally {
    reader.close()
  }
}

interface Search extends Omit<LeadingRecall, 'policy'> {
  readonly reader: SnapshotReader
  readonly found: readonly IndexedCandidate[]
  readonly focus: RecallFocus<IndexedCandidate> | undefined
  readonly findFiring: FindFiring
}

function searchStore(
  moment: RecallMoment,
  { event, payload, context }: Recorded,
  { queryText, findTask, findSessions, findFocus, selectNear }: RecallOptions,
  reader: SnapshotReader,
): Search {
  const own = buildHookQuery(moment, event, context.now, getTextField(payload, 'git_branch'))
  const text = queryText === undefined ? own.text : `${event.role}\n${queryText}`
  const query = { ...own, text, taskId: findTask?.() ?? own.taskId }
  const compacted = reader.manifest.compacted?.[event.session]
  const isExcluded = (row: MemoryRow): boolean => isLivedThrough(query, row, compacted)
  const policy = policyForMoment(context.policy, moment)
  const candidates = findCandidates(query, reader, policy, { findSessions, isExcluded })
  const deleted = findDeletedSince(context.store, reader.manifest.cursor)
  const found = deleted.size === 0 ? candidates : candidates.filter(({ memory }) => !deleted.has(memory.id))
  let shown: ReadonlySet<MemoryId> | undefined
  const alreadyShown = () => (shown ??= readShownMemories(context, payload, reader.manifest.cursor))
  const known = readKnowledge(context.store, query.viewer.role)
  const present = known.filter((note) => !deleted.has(note.id) && !isMetHere(query, note, compacted))
  const focus = findFocus?.(found, query)
  const happening = { moment, event, payload, query }
  const findFiring: FindFiring = (readHidden) =>
    findKnowledge(present, { ...happening, isForBlock: true }, context, readHidden)
  const knowledge = findKnowledge(present, { ...happening, selectNear }, context, alreadyShown)
  return { query, reader, isExcluded, deleted, alreadyShown, found, focus, knowledge, findFiring }
}

function selectShown(
  search: Omit<Search, 'findFiring'>,
  { findLeading }: RecallOptions,
  { policy, store }: HookContext,
): RecallResult {
  const { query, alreadyShown, found, focus, knowledge } = search
  return recall({
    query,
    candidates: focus?.candidates ?? found,
    policy,
    alreadyShown,
    knowledge,
    leading: findLeading?.({ ...search, policy }) ?? [],
    focus: focus ?? {},
    fileProbe: createFileProbe(store),
  })
}

/** The text for the model, or the reason why its call is blocked; both only after they are in the log. */
export function showRecalled(
  result: RecallResult,
  query: RecallQuery,
  { event, context }: Recorded,
  isHeld: boolean,
): HookOutput {
  const { text: note, event: recalled } = buildRecallOutcome({
    recall: result,
    cue: query,
    cause: event,
    policy: context.policy,
    policyVersion: context.policyVersion,
    call: 'call' in event ? event.call : undefined,
    isHeld,
  })
  // Appended before the call is blocked. If that fails, it is not: the next call would not know that it was blocked.
  commitHookEvents(context, isHeld && note && recalled ? { ...recalled, held: true } : recalled)
  if (!note || isHeld) return note ? { denyReason: note } : NO_OUTPUT
  const injected = { text: note, notes: result.shown.length }
  return { context: note, message: buildPersonMessage(context.store, query.moment, injected) }
}
