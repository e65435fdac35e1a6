// The hooks that only record. Apart from those that recall, so that their bundles hold no index and no ranking.
import { append, eventOf, type Handler, SILENT } from './visit.ts'

/** PostToolUse: the result is an event. */
export const onSuccess: Handler = (payload, visit) => {
  append(visit, eventOf(payload, visit, ['call.succeeded', 'call.failed']))
  return SILENT
}

/** Stop, SubagentStop, PreCompact, PostCompact and events of a later client: recorded. They print nothing, ever. */
export const onRecord: Handler = (payload, visit) => {
  append(visit, eventOf(payload, visit))
  return SILENT
}

/** SessionEnd: hand over and be gone. */
export const onEnd: Handler = (payload, visit) => {
  append(visit, eventOf(payload, visit))
  return { background: true }
}
