// The hooks that only record, in a file of their own so that their bundles have no index and no ranking.
import { commitHookEvents, eventFromPayload, type HookHandler, NO_OUTPUT } from './hookContext.ts'

/** PostToolUse: the result is an event. */
export const onPostToolUse: HookHandler = (payload, context) => {
  commitHookEvents(context, eventFromPayload(payload, context, ['call.succeeded', 'call.failed']))
  return NO_OUTPUT
}

/** Stop, SubagentStop, PreCompact, PostCompact and events of a later client. They never print anything. */
export const onRecordOnly: HookHandler = (payload, context) => {
  commitHookEvents(context, eventFromPayload(payload, context))
  return NO_OUTPUT
}

/** SessionEnd: maintenance starts in the background. */
export const onSessionEnd: HookHandler = (payload, context) => {
  commitHookEvents(context, eventFromPayload(payload, context))
  return { needsMaintenance: true }
}
