// What a session has been shown already, as its events say.
import type { Event } from '../../model/event.ts'
import type { MemoryId, SessionId } from '../../model/id.ts'
import { decodeUnverified, hasChecksum } from '../../store/log/logLine.ts'

/** The list after one more event: compaction and /clear take it out of the conversation, so it may be told again. */
export function updateShown(told: readonly MemoryId[], event: Event): readonly MemoryId[] {
  if (event.kind === 'session.started' && (event.source === 'compact' || event.source === 'clear')) return []
  if (event.kind !== 'recalled' || event.withheld || event.shown.length === 0) return told
  return [...new Set([...told, ...event.shown.map((shown) => shown.memory)])]
}

/**
 * The same by a line that names the session, put into the set. What was shown is sought in the bytes: to parse the features too, of all
 * recalls of a long session, takes a cold hook milliseconds.
 */
export function addShownFromLine(shown: Set<MemoryId>, session: SessionId, line: Buffer): void {
  if (isPlainRecall(line)) {
    if (!line.includes('"withheld":true')) for (const id of shownIn(line)) shown.add(id)
    return
  }
  const event = decodeUnverified(line)
  if (event?.session !== session) return
  const after = updateShown([...shown], event)
  shown.clear()
  for (const id of after) shown.add(id)
}

/** Whether a line is whole, begins with its event, and that one is a recall: in its texts every quote is escaped. */
const isPlainRecall = (line: Buffer): boolean =>
  hasChecksum(line) &&
  line.lastIndexOf('{"id":"') === 0 &&
  line.indexOf('"kind":"recalled"') === line.lastIndexOf('"kind":"') &&
  line.indexOf('"kind":"') === line.lastIndexOf('"kind":"')

function* shownIn(line: Buffer): Generator<MemoryId> {
  const from = line.indexOf('"shown":[')
  if (from === -1) return
  // Behind what was shown stands what would have been next.
  const next = line.indexOf('"next":{', from)
  const shown = line.toString('latin1', from, next === -1 ? line.length : next)
  for (const [, id] of shown.matchAll(/"memory":"([^"]+)"/g)) yield id as MemoryId
}
