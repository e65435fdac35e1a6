// The hooks that only record, in a file of their own so that their bundles have no index and no ranking.
import type { SessionId } from '../../model/id.ts'
import { isAgentResult, mayFixFailure } from '../../record/fixedFailure.ts'
import { readJson } from '../../store/disk/readJson.ts'
import type { Manifest } from '../../store/snapshot/manifest.ts'
import { commitHookEvents, eventFromPayload, type HookContext, type HookHandler, NO_OUTPUT } from './hookContext.ts'

/** PostToolUse: the result is an event. A fix of a failure, and what a subagent reported, are worth knowing at once. */
export const onPostToolUse: HookHandler = (payload, context) => {
  let refresh = false
  const event = eventFromPayload(payload, context, ['call.succeeded', 'call.failed'], {
    onRecent: (event, recent) => {
      refresh = isAgentResult(event) || mayFixFailure(event, recent)
    },
  })
  commitHookEvents(context, event)
  return { refresh }
}

/**
 * Stop and SubagentStop: what the turn has learned is made available to another session that is open. Without one it
 * need not be: the hooks above do this for the session's own subagents, and to start a process costs a hook 1 to 3 ms.
 * They never print anything.
 */
export const onTurnEnd: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context)
  commitHookEvents(context, event)
  return { refresh: event !== undefined && isAnotherSessionOpen(context, event.session) }
}

/** As the snapshot says: a start of a session writes one. */
function isAnotherSessionOpen({ store: { files, layout } }: HookContext, session: SessionId): boolean {
  try {
    return readJson<Manifest>(files, layout.manifest)?.open?.some((id) => id !== session) ?? false
  } catch {
    return false // A damaged file counts as missing: `doctor` reports it.
  }
}

/** PreCompact, PostCompact and events of a later client. They never print anything. */
export const onRecordOnly: HookHandler = (payload, context) => {
  commitHookEvents(context, eventFromPayload(payload, context))
  return NO_OUTPUT
}

/** SessionEnd: maintenance starts in the background. */
export const onSessionEnd: HookHandler = (payload, context) => {
  commitHookEvents(context, eventFromPayload(payload, context))
  return { needsMaintenance: true }
}
