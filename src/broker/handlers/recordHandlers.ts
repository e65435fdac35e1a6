// The hooks that only record. Apart from those that recall, so that their bundles hold no index and no ranking.
import { commitHookEvents, eventFromPayload, type HookHandler, NO_OUTPUT } from './hookContext.ts'

/** PostToolUse: the result is an event. */
export const onPostToolUse: HookHandler = (payload, context) => {
  commitHookEvents(context, eventFromPayload(payload, context, ['call.succeeded', 'call.failed']))
  return NO_OUTPUT
}

/** Stop, SubagentStop, PreCompact, PostCompact and events of a later client: recorded. They print nothing, ever. */
export const onRecordOnly: HookHandler = (payload, context) => {
  commitHookEvents(context, eventFromPayload(payload, context))
  return NO_OUTPUT
}

/** SessionEnd: hand over and be gone. */
export const onSessionEnd: HookHandler = (payload, context) => {
  commitHookEvents(context, eventFromPayload(payload, context))
  return { needsMaintenance: true }
}
