// What is known about a failure that only the output reports. No index is read, because the hook of results runs after
// every call: shown are the entries with a trigger that fires.
import type { Event } from '../../model/event.ts'
import type { RecallResult } from '../../model/recallQuery.ts'
import { toRecalled } from '../../recall/recall.ts'
import { renderContext } from '../../recall/renderContext.ts'
import { getTextField, type HookPayload } from '../../record/hookPayload.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { findDeletedSince, type HookContext, type HookOutput, NO_OUTPUT, readShownMemories } from './hookContext.ts'
import { buildHookQuery } from './hookQuery.ts'
import { findKnowledge, isMetHere, readKnowledge } from './knowledgeNotes.ts'
import { showRecalled } from './recordAndRecall.ts'

/** The notes beside the result of a call that is recorded already; `failed` is its event as a failure. */
export function noteHiddenFailure(event: Event, failed: Event, payload: HookPayload, context: HookContext): HookOutput {
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
