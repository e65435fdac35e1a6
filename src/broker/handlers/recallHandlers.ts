// The hooks that recall: at a prompt, before a call, at a failure, at a subagent's start. Each records first.

import { callCommand, type Event } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { Memory } from '../../model/memory.ts'
import type { RecallMoment, RecallQuery } from '../../model/recallQuery.ts'
import { isOwnCommand } from '../../model/sessionTask.ts'
import { focusOnCall } from '../../recall/callFocus.ts'
import { focusOnFailure } from '../../recall/failureFocus.ts'
import { isFixLivedThrough, isLivedThrough } from '../../recall/ownConversation.ts'
import { toRecalledFact } from '../../recall/projectFacts.ts'
import { focusOnPrompt } from '../../recall/promptFocus.ts'
import { recall } from '../../recall/recall.ts'
import type { RecallFocus } from '../../recall/recallFocus.ts'
import { getObjectField, getTextField, type HookPayload } from '../../record/hookPayload.ts'
import { countBytesAfter } from '../../store/log/eventLog.ts'
import type { MemoryRow } from '../../store/snapshot/memoryRow.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { classifyPrompt } from '../../text/intent/promptClass.ts'
import { detectUserSignals } from '../../text/intent/userSignals.ts'
import { mayHaveLastingInstruction } from '../../text/statement/lastingWords.ts'
import { acquireReader, releaseReader } from '../open/indexReaderCache.ts'
import {
  type FindNearestSessions,
  findCandidates,
  type IndexedCandidate,
  policyForMoment,
} from '../search/candidates.ts'
import { relatedIn } from '../search/relatedWork.ts'
import { recallRoleLessons } from '../search/roleLessons.ts'
import { findBlockingRecall, readCallHistory } from './blockCall.ts'
import { findDeletedSince } from './deletedMemories.ts'
import { findFacts, isCoveredByFact, isCoveredByLesson, isFactLivedThrough, readFacts } from './factNotes.ts'
import { createFileProbe } from './fileProbe.ts'
import {
  commitHookEvents,
  eventFromPayload,
  type HookContext,
  type HookHandler,
  type HookOutput,
  NO_OUTPUT,
  readShownMemories,
} from './hookContext.ts'
import { buildHookQuery } from './hookQuery.ts'
import { buildPersonMessage } from './personMessage.ts'
import { findPromptTask, latestAgentTask } from './queryTask.ts'
import { buildRecallOutcome } from './recallOutcome.ts'

/**
 * UserPromptSubmit. Once in a turn it also checks whether the log is far ahead of the snapshot. Then a new one is
 * written in the background, so that hooks read no more in a long session.
 */
export const onUserPromptSubmit: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context, ['prompt'], { detectSignals: detectUserSignals })
  // The client's note that a subagent in the background has ended: it has reported.
  if (!event) return { refresh: true }
  if (event.kind === 'prompt' && isOwnCommand(event)) return recordOnly(event, context)
  const output = isSilentPrompt(event, context)
    ? recordOnly(event, context)
    : recordAndRecall(
        'prompt',
        { event, payload, context },
        {
          findSessions: relatedIn(context.store),
          findTask: () => findPromptTask(event, payload, context),
          findFocus: (found, query) => focusOnPrompt(found, query, context.policy.silence.samePromptShare),
        },
      )
  const { files, layout } = context.store
  const { cursor } = readManifest(files, layout)
  const needsMaintenance = countBytesAfter(files, layout.events, cursor) > SNAPSHOT_TAIL_BYTES
  return { ...output, needsMaintenance, refresh: maySayLasting(event) }
}

/** Whether another window should know at once what the person says. The end of the turn brings everything else. */
const maySayLasting = (event: Event): boolean =>
  event.kind === 'prompt' && (event.signals.length > 0 || mayHaveLastingInstruction(event.text))

/** Whether the prompt has nothing to search for. Decided before any index is read. */
const isSilentPrompt = (event: Event, { policy }: HookContext): boolean =>
  event.kind === 'prompt' && classifyPrompt(event.text, policy.silence) !== 'task'

function recordOnly(event: Event, context: HookContext): HookOutput {
  commitHookEvents(context, event)
  return NO_OUTPUT
}

/** PreToolUse: what would change the call. The client shows it after the tool's result. */
export const onPreToolUse: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context)
  if (!event) return NO_OUTPUT
  const call = {
    command: readCommand(payload),
    history: () => readCallHistory(payload, context),
    scoreMin: context.policy.silence.callScoreMin,
  }
  return recordAndRecall(
    'call',
    { event, payload, context },
    { findBlock: findBlockingRecall, findFocus: (found, query) => focusOnCall(found, query, call) },
  )
}

/** The complete command of a call: an event of its start keeps only the beginning. */
const readCommand = (payload: HookPayload): string => callCommand({ input: getObjectField(payload, 'tool_input') })

/**
 * PostToolUseFailure: the fix that worked last time, unless the conversation contains it already. A failure alone
 * teaches nothing that is worth showing; the same one again is counted.
 */
export const onPostToolUseFailure: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context, ['call.failed'])
  if (!event) return NO_OUTPUT
  if (event.kind === 'call.failed' && event.interrupted) return recordOnly(event, context)
  const failure = { command: readCommand(payload), error: event.kind === 'call.failed' ? event.error : '' }
  const output = recordAndRecall(
    'failure',
    { event, payload, context },
    { findFocus: (found, query) => focusOnFailure(found, query, failure) },
  )
  return { ...output, refresh: event.kind === 'call.failed' && event.repeatOf !== undefined }
}

/** SubagentStart: what its role may see about its task, which is in the latest Agent call without a result. */
export const onSubagentStart: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context)
  if (!event) return NO_OUTPUT
  const { text, taskId } = latestAgentTask(payload, context)
  return recordAndRecall(
    'agent',
    { event, payload, context },
    { queryText: text, findTask: () => taskId, findLessons: recallRoleLessons },
  )
}

/** A hook's payload, its context and its event. */
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
  /** Only of agents, for the same reason. */
  readonly findLessons?: typeof recallRoleLessons
  /** What the hook's moment narrows the recall to. */
  readonly findFocus?: (found: readonly IndexedCandidate[], query: RecallQuery) => RecallFocus<IndexedCandidate>
}

/** Appends the event before it recalls, so that no error in the recall can lose it; then the recall's own event. */
function recordAndRecall(
  moment: RecallMoment,
  { event, payload, context }: Recorded,
  { queryText, findTask, findBlock, findSessions, findLessons, findFocus }: RecallOptions = {},
): HookOutput {
  commitHookEvents(context, event)
  const reader = acquireReader(context.store)
  try {
    const branch = getTextField(payload, 'git_branch')
    const own = buildHookQuery(moment, event, context.now, branch)
    const text = queryText === undefined ? own.text : `${event.role}\n${queryText}`
    const query = { ...own, text, taskId: findTask?.() ?? own.taskId }
    const compacted = reader.manifest.compacted?.[event.session]
    const isExcluded = (row: MemoryRow): boolean => isLivedThrough(query, row, compacted)
    const candidates = findCandidates(query, reader, policyForMoment(context.policy, moment), {
      findSessions,
      isExcluded,
    })
    const deleted = findDeletedSince(context.store, reader.manifest.cursor)
    const found = deleted.size === 0 ? candidates : candidates.filter(({ memory }) => !deleted.has(memory.id))
    let shown: ReadonlySet<MemoryId> | undefined
    const alreadyShown = () => (shown ??= readShownMemories(context, payload, reader.manifest.cursor))
    // Read once: every candidate is compared with them.
    const knownFacts = readFacts(context.store, query.viewer.role).filter(
      (fact) => !isFactLivedThrough(query, fact, compacted),
    )
    const facts = findFacts(moment, knownFacts, { event, payload, context }, alreadyShown).filter(
      (fact) => !deleted.has(fact.id) && (moment === 'agent' || !isCoveredByLesson(fact, found, alreadyShown)),
    )
    const held = findBlock?.(found, query, payload, context)
    const focus = findFocus?.(found, query)
    context.trace?.onRecall?.({
      query,
      event,
      payload,
      reader,
      findSessions,
      compacted,
      deleted,
      alreadyShown,
      found,
      focus,
      knownFacts,
      facts,
    })
    const lessons = findLessons?.({ query, reader, policy: context.policy, deleted, alreadyShown, isExcluded }) ?? []
    const isShownFact = (id: MemoryId) => facts.some((fact) => fact.id === id) || alreadyShown().has(id)
    const isWorth = (memory: Memory, score: number): boolean =>
      (focus?.isWorth?.(memory, score) ?? true) &&
      !isFixLivedThrough(query, memory, compacted) &&
      !isCoveredByFact(knownFacts, memory, isShownFact)
    const result =
      held ??
      recall({
        query,
        candidates: focus?.candidates ?? found,
        policy: context.policy,
        alreadyShown,
        leading: [...facts.map(toRecalledFact), ...lessons],
        focus: { limits: focus?.limits ?? {}, isWorth },
        fileProbe: createFileProbe(context.store),
        onLeftOut: context.trace?.onLeftOut,
      })
    context.trace?.onResult?.(result, held !== undefined)
    const { text: note, event: recalled } = buildRecallOutcome({
      recall: result,
      cue: query,
      cause: event,
      policy: context.policy,
      policyVersion: context.policyVersion,
      call: 'call' in event ? event.call : undefined,
      isHeld: held !== undefined,
    })
    // Appended before the call is blocked. If that fails, it is not: the next call would not know that it was blocked.
    commitHookEvents(context, held && note && recalled ? { ...recalled, held: true } : recalled)
    if (!note || held) return note ? { denyReason: note } : NO_OUTPUT
    return { context: note, message: buildPersonMessage(context.store, moment, note, result.shown.length) }
  } finally {
    releaseReader(reader)
  }
}
