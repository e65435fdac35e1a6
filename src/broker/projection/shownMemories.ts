// The memories that a conversation was shown, from its events: the main thread and each subagent have a list of their
// own.
import type { Event } from '../../model/event.ts'
import { type Conversation, isSameConversation, type MemoryId } from '../../model/id.ts'
import { decodeUnverified, hasChecksum } from '../../store/log/eventLog.ts'

/**
 * The list after one more event of the conversation. Compaction and /clear empty it: they remove the memories from the
 * conversation.
 */
export function updateShown(shown: readonly MemoryId[], event: Event): readonly MemoryId[] {
  if (isForgetting(event)) return []
  if (event.kind !== 'recalled' || event.withheld || event.shown.length === 0) return shown
  return [...new Set([...shown, ...event.shown.map(({ memory }) => memory)])]
}

/** Whether the conversation begins anew with this event, without what it contained. */
export const isForgetting = (event: Event): boolean =>
  event.kind === 'session.started' && (event.source === 'compact' || event.source === 'clear')

/**
 * Updates the set by a log line that contains the session's id. The ids are found in the bytes: parsing the features
 * too, for all recalls of a long session, takes a cold hook milliseconds.
 */
export function addShownFromLine(shown: Set<MemoryId>, conversation: Conversation, line: Buffer): void {
  if (isPlainRecall(line)) {
    if (line.includes('"withheld":true') || !isLineOfAgent(line, conversation.agentId)) return
    for (const id of shownIdsInLine(line)) shown.add(id)
    return
  }
  const event = decodeUnverified(line)
  if (!event || !isSameConversation(event, conversation)) return
  const after = updateShown([...shown], event)
  shown.clear()
  for (const id of after) shown.add(id)
}

/** Whether a line is intact and its event a recall. Inside of texts every quote is escaped. */
const isPlainRecall = (line: Buffer): boolean =>
  hasChecksum(line) &&
  line.lastIndexOf('{"id":"') === 0 &&
  line.indexOf('"kind":"recalled"') === line.lastIndexOf('"kind":"') &&
  line.indexOf('"kind":"') === line.lastIndexOf('"kind":"')

/** The main thread has no agent id. */
const isLineOfAgent = (line: Buffer, agentId: string | undefined): boolean =>
  agentId === undefined ? !line.includes('"agentId":') : line.includes(`"agentId":${JSON.stringify(agentId)}`)

function* shownIdsInLine(line: Buffer): Generator<MemoryId> {
  const from = line.indexOf('"shown":[')
  if (from === -1) return
  // After the shown memories comes the best one that was not shown.
  const next = line.indexOf('"next":{', from)
  const shown = line.toString('latin1', from, next === -1 ? line.length : next)
  for (const [, id] of shown.matchAll(/"memory":"([^"]+)"/g)) yield id as MemoryId
}
