// What the tools of the memory-tools spec share. The spec gives the names and limits of the fields.

import { findVisible, listVisible } from '../../broker/live/liveStore.ts'
import { ambiguousIdError, isMemoryId, listByPrefix } from '../../model/id.ts'
import { CONTENT_TYPES, type Memory, type Provenance, RETENTIONS } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { assertMayChange, memoryProvenance } from '../../model/provenance.ts'
import { parseCalendarTime } from '../../text/isoTime.ts'
import { anyObject, invalidInput, list, text } from '../definition/field.ts'
import { type ToolContext, viewingSession } from '../definition/toolContext.ts'

/** Characters of one memory. What a tool stores may be longer than what a hook stores: it is shown only on request. */
const CONTENT_CHARS_MAX = 64_000

/** Tags of one memory: they are indexed, and shown with it in every list. */
const TAGS_MAX = 64

export const contentField = text('What to remember', { charsMax: CONTENT_CHARS_MAX })
export const contentTypeField = text('Content type', { choices: CONTENT_TYPES })
export const tierField = text('short_term expires, long_term stays, working ends with the session', {
  choices: RETENTIONS,
})
export const tagsField = list('Tags', text('Tag', { charsMax: 200 }), { max: TAGS_MAX })
export const metadataField = anyObject('Any further data')
export const memoryIdField = text('Memory ID')

/** A shorter beginning of an id is taken for a mistake. */
const ID_CHARS_MIN = 4

/** The memory of this id or of the only one that begins with it, if the caller may see it. Throws NOT_FOUND. */
export function requireMemory(context: ToolContext, id: string): Memory {
  const memory = findMemory(context, id)
  if (memory) return memory
  throw new MemoryError('NOT_FOUND', `Memory not found: ${id}`, { hint: 'Search for its id; a deleted one is gone.' })
}

/** The memory of this id or beginning of an id; undefined if there is none. Throws NOT_FOUND if there are several. */
export function findMemory(context: ToolContext, id: string): Memory | undefined {
  const memory = findVisible(context.liveStore, id, viewingSession(context))
  if (memory || isMemoryId(id)) return memory
  return findByBeginning(listVisible(context.liveStore, viewingSession(context)), id)
}

/** The only memory with an id that begins so; undefined if there is none. Throws NOT_FOUND if there are several. */
export function findByBeginning(memories: readonly Memory[], id: string): Memory | undefined {
  const found = id.length < ID_CHARS_MIN ? [] : listByPrefix(memories, id)
  if (found.length > 1) throw ambiguousIdError(id, found)
  return found[0]
}

/** Throws NOT_ALLOWED as `assertMayChange`, and INPUT_INVALID for an entry, which only its file changes. */
export function assertChangeable(memories: readonly Memory[], { isForAgent }: ToolContext): void {
  assertMayChange(memories, isForAgent)
  const { id, entrySource } = memories.find((memory) => memory.entrySource) ?? {}
  if (!entrySource) return
  throw invalidInput(
    `${id} is the entry ${entrySource.key}, which only its file can change`,
    `Edit or delete ${entrySource.file}, or save the entry again.`,
  )
}

/** The author of the words; of what an agent stored the assistant. */
export function serializeProvenance(memory: Memory): { readonly provenance?: Provenance } {
  const provenance = memoryProvenance(memory)
  return provenance === 'assistant' ? {} : { provenance }
}

/** In a list: what the caller has stored in full; of what was derived who sees it, and the lessons of agents. */
export const serializeBrief = (memory: Memory) => {
  const { task_id: _, outcome: _outcome, lessons, ...rest } = serializeAgentFields(memory)
  if (memory.source === 'manual') return { ...serializeAgentFields(memory), ...serializeProvenance(memory) }
  return { ...rest, ...serializeProvenance(memory), ...(lessons && memory.kind !== 'lesson' && { lessons }) }
}

/** The fields of the shared schema of agents, if they say something: the others have their default. */
export const serializeAgentFields = ({ privacy, role, taskId, outcome, lessons }: Memory) => ({
  ...(privacy !== 'public' && { privacy }),
  ...(role !== 'main' && { role }),
  ...(taskId !== undefined && { task_id: taskId }),
  ...(outcome !== 'unknown' && { outcome }),
  ...(lessons.length > 0 && { lessons }),
})

export const DAY_MS = 86_400_000

/** The end of a day that is named in `until`, else the time itself. In milliseconds since 1970. */
export const parseEnd = (given: string, now: number): number =>
  parseTime('until', given, now) + (DAY.test(given) ? DAY_MS : 0)

/** What names a whole day. */
export const DAY = /^\s*(?:today|yesterday|\d{4}-\d\d-\d\d)\s*$/i

/** Milliseconds since 1970. Days begin where the person is. Throws INPUT_INVALID for what is no time. */
export function parseTime(field: string, given: string, now: number): number {
  const word = given.trim().toLowerCase()
  const days = word === 'today' ? 0 : word === 'yesterday' ? 1 : undefined
  if (days !== undefined) return new Date(now).setHours(0, 0, 0, 0) - days * DAY_MS
  const ago = /^(\d{1,4})\s?d(?:ays?)?$/.exec(word)?.[1]
  const time = ago === undefined ? parseCalendarTime(given) : now - Number(ago) * DAY_MS
  if (time !== undefined) return time
  throw invalidInput(`Invalid ${field}: ${JSON.stringify(given)}`, 'Write today, yesterday, 7d or 2026-03-01.')
}
