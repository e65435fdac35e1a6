// Blocks a call that is known to fail, once, with the reason and the fix, if the user has configured that. Files are
// read only for a call that matches the command of a lesson.

import { type Event, isCallResult } from '../../model/event.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { RecallQuery, RecallResult } from '../../model/recallQuery.ts'
import { mayBlockCall, type SessionCallHistory, shouldBlockCall } from '../../recall/callBlocking.ts'
import { rankByPolicy } from '../../recall/rankByPolicy.ts'
import { renderBlockReason } from '../../recall/renderContext.ts'
import { getObjectField, type HookPayload } from '../../record/hookPayload.ts'
import { sanitizePayload } from '../../record/sanitizePayload.ts'
import { blocksKnownFailures } from '../open/hookConfig.ts'
import type { IndexedCandidate } from '../search/candidates.ts'
import { conversationOf, type HookContext, readRecentEvents } from './hookContext.ts'

/** The recall of the lesson that blocks this call; undefined if the call may run. */
export function findBlockingRecall(
  candidates: readonly IndexedCandidate[],
  query: RecallQuery,
  payload: HookPayload,
  context: HookContext,
): RecallResult | undefined {
  if (
    query.commandShape === undefined ||
    !candidates.some((candidate) => mayBlockCall(candidate, query)) ||
    !blocksKnownFailures(context.store)
  ) {
    return undefined
  }
  const { command } = getObjectField(sanitizePayload(payload), 'tool_input')
  if (typeof command !== 'string') return undefined
  let history: SessionCallHistory | undefined
  for (const { memory, score, features, breakdown, load } of rankByPolicy(candidates, query, context.policy)) {
    const candidate = candidates.find((other) => other.memory === memory)
    if (!candidate || !mayBlockCall(candidate, query)) continue
    const lesson = load()
    history ??= readCallHistory(payload, context)
    if (!shouldBlockCall(lesson, command, history)) continue
    const text = renderBlockReason(lesson, context.policy.recall.moments.call.budgetTokens)
    return { shown: [{ memory: lesson, score, features, breakdown }], others: [], text }
  }
  return undefined
}

/**
 * What this session has done so far, from the end of the log. What passed counts whoever ran it, because all work in
 * one folder; of what failed, and of what was blocked, a conversation knows only its own.
 */
export function readCallHistory(payload: HookPayload, context: HookContext): SessionCallHistory {
  const kinds = ['call.succeeded', 'call.failed', 'recalled'] as const
  const events = readRecentEvents(context, payload, { bytesMax: SNAPSHOT_TAIL_BYTES, kinds })
  const { agentId } = conversationOf(payload)
  const isOwn = (event: Event): boolean => event.agentId === agentId
  const blocking = events.flatMap((event) =>
    event.kind === 'recalled' && event.held && isOwn(event) ? event.shown : [],
  )
  return {
    calls: events.filter(isCallResult).filter((call) => call.kind === 'call.succeeded' || isOwn(call)),
    alreadyBlocking: new Set(blocking.map(({ memory }) => memory)),
  }
}
