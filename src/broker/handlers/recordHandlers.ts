// The hooks that only record, in a file of their own so that their bundles have no index and no ranking.
import type { HookPayload } from '../../record/hookPayload.ts'
import type { RecordContext } from '../../record/recordPayload.ts'
import { readJsonIfIntact } from '../../store/disk/readJson.ts'
import type { Manifest } from '../../store/snapshot/manifest.ts'
import { commitHookEvents, eventFromPayload, type HookContext, type HookHandler, NO_OUTPUT } from './hookContext.ts'

/**
 * Stop and SubagentStop: what the turn has learned is made available to another session that is open. Without one it
 * need not be: the other hooks do this for the session's own subagents, and to start a process costs a hook 1 to 3 ms.
 * They never print anything.
 */
export const onTurnEnd: HookHandler = (payload, context) => endTurn(payload, context)

/** The same for the end of a subagent; `readReport` finds the lessons in its report. */
export function endTurn(payload: HookPayload, context: HookContext, readReport?: RecordContext['readReport']) {
  const event = eventFromPayload(payload, context, [], { readReport })
  commitHookEvents(context, event)
  return { refresh: event !== undefined && isAnotherSessionOpen(payload, context) }
}

/** As the snapshot says: a start of a session writes one. */
export function isAnotherSessionOpen(payload: HookPayload, { store }: HookContext): boolean {
  const { open = [] } = readJsonIfIntact<Manifest>(store.files, store.layout.manifest) ?? {}
  return open.some((id) => id !== payload.session_id)
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
