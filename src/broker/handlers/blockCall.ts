// Hold: a call that is known to fail is held once, with the reason and the fix, where a person has chosen that. All that costs
// something is asked only for a call whose command some lesson is about.

import type { Event } from '../../model/event.ts'
import { isCallResult } from '../../model/event.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { RecallQuery, RecallResult } from '../../model/recallQuery.ts'
import { mayBlockCall, type SessionCallHistory, shouldBlockCall } from '../../recall/callBlocking.ts'
import { rankByPolicy } from '../../recall/rankByPolicy.ts'
import { renderBlockReason } from '../../recall/renderContext.ts'
import { getObjectField, type HookPayload } from '../../record/hookPayload.ts'
import { sanitizePayload } from '../../record/sanitizePayload.ts'
import { blocksKnownFailures } from '../open/hookConfig.ts'
import type { IndexedCandidate } from '../search/candidates.ts'
import { type HookContext, readRecentEvents } from './hookContext.ts'

/** The recall of the lesson that holds this call; undefined where the call may go on. */
export function findBlockingRecall(
  found: readonly IndexedCandidate[],
  query: RecallQuery,
  payload: HookPayload,
  context: HookContext,
): RecallResult | undefined {
  if (
    query.commandShape === undefined ||
    !found.some((one) => mayBlockCall(one, query)) ||
    !blocksKnownFailures(context.store)
  )
    return undefined
  const { command } = getObjectField(sanitizePayload(payload), 'tool_input')
  if (typeof command !== 'string') return undefined
  let so: SessionCallHistory | undefined
  for (const { memory, score, features, breakdown, load } of rankByPolicy(found, query, context.policy)) {
    const candidate = found.find((one) => one.memory === memory)!
    if (!mayBlockCall(candidate, query)) continue
    const lesson = load()
    so ??= soFar(
      readRecentEvents(context, payload, {
        bytesMax: SNAPSHOT_TAIL_BYTES,
        kinds: ['call.succeeded', 'call.failed', 'recalled'],
      }),
    )
    if (!shouldBlockCall(lesson, command, so)) continue
    const text = renderBlockReason(lesson, context.policy.recall.moments.call.budgetTokens)
    return { shown: [{ memory: lesson, score, features, breakdown }], others: [], text }
  }
  return undefined
}

const soFar = (events: readonly Event[]): SessionCallHistory => ({
  calls: events.filter(isCallResult),
  alreadyBlocking: new Set(
    events.flatMap((event) => (event.kind === 'recalled' && event.held ? event.shown.map((one) => one.memory) : [])),
  ),
})
