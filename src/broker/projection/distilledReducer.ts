// Applies what the optional model says about a session as a whole: its headline becomes the first line of the summary.
import type { EventOf } from '../../model/event.ts'
import { CONTENT_CHARS_MAX } from '../../model/limits.ts'
import type { Memory, MemoryMap } from '../../model/memory.ts'
import { deriveMemoryId } from '../../organize/derivedId.ts'
import { truncateMiddle } from '../../text/excerpt.ts'

/** Open tasks of a session, at most. */
const OPEN_MAX = 6

/** The changed summary of the session; empty if it has none, or nothing is said about it. */
export function applyDistilled(memories: MemoryMap, event: EventOf<'session.distilled'>): Memory[] {
  const { headline, leftOpen } = event
  const summary = memories.get(deriveMemoryId('summary', event.session))
  if (!summary || (!headline && !leftOpen)) return []
  const content = headline ? truncateMiddle(`${headline}\n${summary.content}`, CONTENT_CHARS_MAX) : summary.content
  // The model has read the end of the session, so what it names comes first.
  const open = leftOpen ? [...new Set([...leftOpen, ...(summary.leftOpen ?? [])])].slice(0, OPEN_MAX) : summary.leftOpen
  const questionOnly = headline ? undefined : summary.questionOnly
  return [{ ...summary, content, leftOpen: open, questionOnly }]
}
