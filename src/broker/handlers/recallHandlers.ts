// The hooks that recall: at a prompt, before a call, at a failure, at a subagent's start. Each records first.

import type { Event } from '../../model/event.ts'
import type { FactNote } from '../../model/factNote.ts'
import type { MemoryId } from '../../model/id.ts'
import { RECENT_TAIL_BYTES, SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { RecallMoment } from '../../model/recallQuery.ts'
import { isOwnCommand } from '../../model/sessionTask.ts'
import { selectFactBlock, shortenFact, toRecalledFact } from '../../recall/projectFacts.ts'
import { recall } from '../../recall/recall.ts'
import { getTextField, type HookPayload } from '../../record/hookPayload.ts'
import { countBytesAfter } from '../../store/log/eventLog.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { detectUserSignals } from '../../text/intent/userSignals.ts'
import { acquireReader, releaseReader } from '../open/indexReaderCache.ts'
import { type FindNearestSessions, findCandidates, policyForMoment } from '../search/candidates.ts'
import { relatedIn } from '../search/relatedWork.ts'
import { findBlockingRecall } from './blockCall.ts'
import { findDeletedSince } from './deletedMemories.ts'
import { findMatchingFacts, isOutdated, readFacts } from './factNotes.ts'
import { createFileProbe } from './fileProbe.ts'
import {
  commitHookEvents,
  eventFromPayload,
  type HookContext,
  type HookHandler,
  type HookOutput,
  NO_OUTPUT,
  readRecentEvents,
  readShownMemories,
} from './hookContext.ts'
import { buildHookQuery } from './hookQuery.ts'
import { buildRecallOutcome } from './recallOutcome.ts'

/**
 * UserPromptSubmit. Once in a turn it also checks whether the log is far ahead of the snapshot. Then a new one is
 * written in the background, so that hooks read no more in a long session.
 */
export const onUserPromptSubmit: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context, ['prompt'], detectUserSignals)
  if (!event) return NO_OUTPUT
  if (event.kind === 'prompt' && isOwnCommand(event)) {
    commitHookEvents(context, event)
    return NO_OUTPUT
  }
  const output = recordAndRecall('prompt', { event, payload, context }, { findSessions: relatedIn(context.store) })
  const { files, layout } = context.store
  const { cursor } = readManifest(files, layout)
  return { ...output, needsMaintenance: countBytesAfter(files, layout.events, cursor) > SNAPSHOT_TAIL_BYTES }
}

/** PreToolUse: what is known about the file or command. The client shows it after the tool's result. */
export const onPreToolUse: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context)
  return event ? recordAndRecall('call', { event, payload, context }, { findBlock: findBlockingRecall }) : NO_OUTPUT
}

/** PostToolUseFailure: the fix that worked last time, even if the session was shown it before. */
export const onPostToolUseFailure: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context, ['call.failed'])
  if (!event) return NO_OUTPUT
  if (event.kind === 'call.failed' && event.interrupted) {
    commitHookEvents(context, event)
    return NO_OUTPUT
  }
  return recordAndRecall('failure', { event, payload, context })
}

/** SubagentStart: what its role may see about its task, which is in the latest Agent call without a result. */
export const onSubagentStart: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context)
  if (!event) return NO_OUTPUT
  const task = latestAgentTask(payload, context)
  return recordAndRecall('agent', { event, payload, context }, { queryText: task })
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
  /** Passed only by the hook that may block a call, so that other bundles do not contain it. */
  readonly findBlock?: typeof findBlockingRecall
  /** Only of prompts, for the same reason. */
  readonly findSessions?: FindNearestSessions
}

/** Appends the event before it recalls, so that no error in the recall can lose it; then the recall's own event. */
function recordAndRecall(
  moment: RecallMoment,
  { event, payload, context }: Recorded,
  { queryText, findBlock, findSessions }: RecallOptions = {},
): HookOutput {
  commitHookEvents(context, event)
  const reader = acquireReader(context.store)
  try {
    const branch = getTextField(payload, 'git_branch')
    const own = buildHookQuery(moment, event, context.now, branch)
    const query = queryText === undefined ? own : { ...own, text: `${event.role}\n${queryText}` }
    const candidates = findCandidates(query, reader, policyForMoment(context.policy, moment), findSessions)
    const deleted = findDeletedSince(context.store, reader.manifest.cursor)
    const found = deleted.size === 0 ? candidates : candidates.filter(({ memory }) => !deleted.has(memory.id))
    let shown: ReadonlySet<MemoryId> | undefined
    const alreadyShown = () => (shown ??= readShownMemories(context, payload, reader.manifest.cursor))
    const facts = findFacts(moment, { event, payload, context }, alreadyShown).filter(({ id }) => !deleted.has(id))
    const held = findBlock?.(found, query, payload, context)
    const result =
      held ??
      recall({
        query,
        candidates: found,
        policy: context.policy,
        alreadyShown,
        leading: facts.map(toRecalledFact),
        fileProbe: createFileProbe(context.store),
      })
    const { text, event: recalled } = buildRecallOutcome({
      recall: result,
      cue: query,
      cause: event,
      policy: context.policy,
      policyVersion: context.policyVersion,
      call: 'call' in event ? event.call : undefined,
      isHeld: held !== undefined,
    })
    // Appended before the call is blocked. If that fails, it is not: the next call would not know that it was blocked.
    commitHookEvents(context, held && text && recalled ? { ...recalled, held: true } : recalled)
    return text ? (held ? { denyReason: text } : { context: text }) : NO_OUTPUT
  } finally {
    releaseReader(reader)
  }
}

/** For a subagent the facts of a start: it is a conversation of its own. Else those about the event. */
function findFacts(
  moment: RecallMoment,
  { event, payload, context }: Recorded,
  alreadyShown: () => ReadonlySet<MemoryId>,
): readonly FactNote[] {
  const { store, policy } = context
  return moment === 'agent'
    ? selectFactBlock(readFacts(store), policy.facts.startTokens, (fact) => isOutdated(store, fact)).map(shortenFact)
    : findMatchingFacts(context, event, payload, alreadyShown)
}

/** The task of the latest Agent call that has no result yet; its description and prompt. */
function latestAgentTask(payload: HookPayload, context: HookContext): string {
  const calls = readRecentEvents(context, payload, {
    bytesMax: RECENT_TAIL_BYTES,
    kinds: ['call.started', 'call.succeeded', 'call.failed'],
  })
  const ended = new Set(calls.flatMap((call) => (call.kind !== 'call.started' && 'call' in call ? [call.call] : [])))
  const open = calls.flatMap((call) =>
    call.kind === 'call.started' && ['Agent', 'Task'].includes(call.tool) && !ended.has(call.call) ? [call] : [],
  )
  // Of several agents started at once, the type identifies the call.
  const own = open.findLast((call) => call.input['subagent_type'] === payload['agent_type']) ?? open.at(-1)
  if (!own) return ''
  return [own.input['description'], own.input['prompt']].filter((text) => typeof text === 'string').join('\n')
}
