// The hook of results: it records, and shows what is known about a failure that only the output reports, because a pipe
// or a second command has hidden the exit status. The client counts such a call as passed, so no hook for failures
// runs. No index is read, because this hook runs after every call: shown are the entries with a trigger that fires.
import type { Event } from '../../model/event.ts'
import type { RecallResult } from '../../model/recallQuery.ts'
import { toRecalled } from '../../recall/recall.ts'
import { renderContext } from '../../recall/renderContext.ts'
import { getTextField, type HookPayload } from '../../record/hookPayload.ts'
import { isAgentResult, isAnotherAgentRunning, mayFixFailure } from '../../record/recordPayload.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { revealFailure } from '../../text/hiddenFailure.ts'
import {
  commitHookEvents,
  eventFromPayload,
  findDeletedSince,
  type HookContext,
  type HookHandler,
  type HookOutput,
  NO_OUTPUT,
  readShownMemories,
} from './hookContext.ts'
import { buildHookQuery } from './hookQuery.ts'
import { findKnowledge, isMetHere, readKnowledge } from './knowledgeNotes.ts'
import { showRecalled } from './recordAndRecall.ts'
import { isAnotherSessionOpen } from './recordHandlers.ts'

/**
 * PostToolUse: the result is an event. A fix of a failure, and what a subagent reported, are worth knowing at once, if
 * there is a conversation that can be shown it: another session, or for a fix an agent that runs. If there is none, the
 * session's end does the work once; an agent that starts gets its own refresh, and the start after a compaction too.
 * A failure that only the output reports is shown what is known of it.
 */
export const onPostToolUse: HookHandler = (payload, context) => {
  let refresh = false
  const event = eventFromPayload(payload, context, ['call.succeeded', 'call.failed'], {
    onRecent: (event, recent) => {
      const isFix = mayFixFailure(event, recent)
      if (isFix || isAgentResult(event))
        refresh = isAnotherSessionOpen(payload, context) || (isFix && isAnotherAgentRunning(event, recent))
    },
  })
  commitHookEvents(context, event)
  return event === undefined ? { refresh } : { ...noteHiddenFailure(event, payload, context), refresh }
}

/** The notes beside the result of a call that is recorded already. */
function noteHiddenFailure(event: Event, payload: HookPayload, context: HookContext): HookOutput {
  if (event.kind !== 'call.succeeded') return NO_OUTPUT
  const failed = revealFailure(event)
  if (failed.kind !== 'call.failed') return NO_OUTPUT
  const { store, policy, now } = context
  const query = buildHookQuery('failure', failed, now, getTextField(payload, 'git_branch'))
  const known = readKnowledge(store, query.viewer.role)
  if (known.length === 0) return NO_OUTPUT
  const { cursor, compacted } = readManifest(store.files, store.layout)
  const deleted = findDeletedSince(store, cursor)
  const present = known.filter((note) => !deleted.has(note.id) && !isMetHere(query, note, compacted?.[event.session]))
  const happening = { moment: 'failure', event: failed, payload, query } as const
  const knowledge = findKnowledge(present, happening, context, () => readShownMemories(context, payload, cursor))
  const { budgetTokens } = policy.recall.moments.failure
  const result: RecallResult = {
    shown: knowledge.map(toRecalled),
    others: [],
    text: renderContext({ knowledge, notes: [] }, query, budgetTokens),
  }
  return showRecalled(result, query, { event, payload, context }, false)
}
