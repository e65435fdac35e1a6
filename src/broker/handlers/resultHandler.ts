// The hook of results: it records, and shows what is known about a failure that only the output reports, because a pipe
// or a second command has hidden the exit status. The client counts such a call as passed, so no hook for failures
// runs.
import { CALL_RESULT_KINDS } from '../../model/event.ts'
import { isAgentResult, isAnotherAgentRunning, mayFixFailure } from '../../record/recordPayload.ts'
import { revealFailure, suspectFailure } from '../../text/hiddenFailure.ts'
import type { noteHiddenFailure } from './hiddenFailureNotes.ts'
import { commitHookEvents, eventFromPayload, type HookHandler } from './hookContext.ts'
import { isAnotherSessionOpen } from './recordHandlers.ts'

/**
 * PostToolUse: the result is an event. A fix of a failure, and what a subagent reported, are worth knowing at once, if
 * there is a conversation that can be shown it: another session, or for a fix an agent that runs. If there is none, the
 * session's end does the work once; an agent that starts gets its own refresh, and the start after a compaction too.
 * A failure that only the output reports is shown what is known of it: by `note`, which a hook loads only then.
 */
export const onPostToolUse =
  (note: typeof noteHiddenFailure): HookHandler =>
  (payload, context) => {
    let refresh = false
    const event = eventFromPayload(payload, context, CALL_RESULT_KINDS, {
      onRecent: (event, recent) => {
        const isFix = mayFixFailure(event, recent)
        if (isFix || isAgentResult(event))
          refresh = isAnotherSessionOpen(payload, context) || (isFix && isAnotherAgentRunning(event, recent))
      },
    })
    commitHookEvents(context, event)
    if (event?.kind !== 'call.succeeded') return { refresh }
    const revealed = revealFailure(event)
    const failed = revealed.kind === 'call.failed' ? revealed : suspectFailure(event)
    return failed === undefined ? { refresh } : { ...note(event, failed, payload, context), refresh }
  }
