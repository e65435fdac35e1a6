// The hooks that recall: at a prompt, before a call, at a failure, at a subagent's start. Each records first.

import type { Event } from '../../model/event.ts'
import { RECENT_TAIL_BYTES, SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { RecallMoment } from '../../model/recallQuery.ts'
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
 * UserPromptSubmit: the prompt is an event, and what may bear on it is told. Once a turn is often enough to see that the log has
 * outgrown the view; then a new one is written in the background, so that no hook's reading grows with a long session.
 */
export const onUserPromptSubmit: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context, ['prompt'], detectUserSignals)
  if (!event) return NO_OUTPUT
  const answer = recordAndTell('prompt', { event, payload, visit: context }, { findSessions: relatedIn(context.store) })
  const { files, layout } = context.store
  const { cursor } = readManifest(files, layout)
  return { ...answer, needsMaintenance: countBytesAfter(files, layout.events, cursor) > SNAPSHOT_TAIL_BYTES }
}

/**
 * PreToolUse: what is known of the file or command at hand. The client shows it after the tool's result; a call that is held does
 * not come to one.
 */
export const onPreToolUse: HookHandler = (payload, context) =>
  recordAndTell(
    'call',
    { event: eventFromPayload(payload, context)!, payload, visit: context },
    { findBlock: findBlockingRecall },
  )

/** PostToolUseFailure: the fix that worked last time, even if this session has been told of it before. */
export const onPostToolUseFailure: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context, ['call.failed'])!
  if (event.kind === 'call.failed' && (event.interrupted || event.errorSignature === undefined)) {
    commitHookEvents(context, event)
    return NO_OUTPUT
  }
  return recordAndTell('failure', { event, payload, visit: context })
}

/** SubagentStart: what its role may see, about the task it was given by the latest call of Agent without an answer. */
export const onSubagentStart: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context)!
  const task = latestAgentTask(payload, context)
  return recordAndTell('agent', { event, payload, visit: context }, { queryText: task })
}

/** What a hook got, and its event. */
interface Recorded {
  readonly event: Event
  readonly payload: HookPayload
  readonly visit: HookContext
}

interface Telling {
  /** What is asked with, in place of the event's own words. */
  readonly queryText?: string
  /** Given only by who may hold a call, so that the other hooks' bundles have nothing of it. */
  readonly findBlock?: typeof findBlockingRecall
  /** Only of prompts, for the same reason. */
  readonly findSessions?: FindNearestSessions
}

/** Appends the event first, so that nothing that goes wrong in recalling can lose it; then what was shown and why. */
function recordAndTell(
  moment: RecallMoment,
  { event, payload, visit: context }: Recorded,
  given: Telling = {},
): HookOutput {
  const { queryText, findBlock, findSessions } = given
  commitHookEvents(context, event)
  const reader = acquireReader(context.store)
  try {
    const branch = getTextField(payload, 'git_branch')
    const asked = buildHookQuery(moment, event, context.now, branch)
    const query = queryText === undefined ? asked : { ...asked, text: `${event.role}\n${queryText}` }
    const candidates = findCandidates(query, reader, policyForMoment(context.policy, moment), findSessions)
    const gone = findDeletedSince(context.store, reader.manifest.cursor)
    const found = gone.size === 0 ? candidates : candidates.filter(({ memory }) => !gone.has(memory.id))
    const held = findBlock?.(found, query, payload, context)
    const result =
      held ??
      recall({
        query,
        candidates: found,
        policy: context.policy,
        alreadyShown: () => readShownMemories(context, payload, reader.manifest.cursor),
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
    // Appended before the call is held: where that fails nothing is, for nobody would know that it was held already.
    commitHookEvents(context, held && text && recalled ? { ...recalled, held: true } : recalled)
    return text ? (held ? { denyReason: text } : { context: text }) : NO_OUTPUT
  } finally {
    releaseReader(reader)
  }
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
  // Of several agents started at once the type tells which call is this one's.
  const own = open.findLast((call) => call.input['subagent_type'] === payload['agent_type']) ?? open.at(-1)
  if (!own) return ''
  return [own.input['description'], own.input['prompt']].filter((text) => typeof text === 'string').join('\n')
}
