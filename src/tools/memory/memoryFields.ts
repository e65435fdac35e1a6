// The fields that several of seed 001's tools share, their names and limits to the letter of the document.

import { findVisible } from '../../broker/live/visibility.ts'
import type { Lesson } from '../../model/lesson.ts'
import { CONTENT_TYPES, type Memory, RETENTIONS } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { anyObject, dateTime, invalidInput, list, text } from '../definition/field.ts'
import type { ToolContext } from '../definition/toolContext.ts'

/** One memory's content, in characters: what a tool keeps may be longer than what a hook does, and is only shown when asked for. */
const GIVEN_CHARS_MAX = 64_000

/** Tags of one memory: they are words of its index, and shown with it in every list. */
const TAGS_MAX = 64

export const contentField = text('What to remember', { charsMax: GIVEN_CHARS_MAX })
export const contentTypeField = text('Content type', { choices: CONTENT_TYPES })
export const tierField = text('short_term expires, long_term stays, working ends with the session', {
  choices: RETENTIONS,
})
export const tagsField = list('Tags', text('Tag', { charsMax: 200 }), { max: TAGS_MAX })
export const metadataField = anyObject('Any further data')
export const memoryIdField = text('Memory ID (UUID)')
export const createdAfterField = dateTime('Created at or after this time, ISO 8601')
export const createdBeforeField = dateTime('Created before this time, ISO 8601')

/** The memory of this id as the caller may see it. Throws NOT_FOUND. */
export function requireMemory(context: ToolContext, wanted: string): Memory {
  const memory = findVisible(context.liveStore, wanted, viewingSession(context))
  if (memory) return memory
  throw new MemoryError('NOT_FOUND', `Memory not found: ${wanted}`, {
    hint: 'Look for its id with memory_search or memory_list.',
  })
}

/** Throws INPUT_INVALID for the memory of an entry: its file says what it is. */
export function assertNotEntry(memory: Memory): void {
  const mark = memory.entrySource
  if (!mark) return
  const which = mark.layer === 'global' ? 'global_memory' : 'memory'
  throw invalidInput(
    `${memory.id} is the entry ${mark.key}, whose file says what it is`,
    `Use save_to_${which} or delete_${which}_entry, or change ${mark.file}.`,
  )
}

export const viewingSession = (context: ToolContext): { session: string | undefined; now: number } => ({
  session: context.session,
  now: context.now(),
})

/** What memctl knows of a memory beside what was stored. A field that would say nothing is left out. */
export function knownFields(memory: Memory): Readonly<Record<string, unknown>> {
  const { sessionCount, archiveExempt, privacySince, editedFiles, leftOpen, counts } = memory
  const { lesson, monthlyRollup, consolidatedFrom, recorded, entrySource } = memory
  return {
    ...(sessionCount > 1 && { session_count: sessionCount }),
    ...(archiveExempt && { archive_exempt: archiveExempt }),
    ...(privacySince !== undefined && { privacy_since: privacySince }),
    ...(lesson && { lesson: lessonAnswer(lesson) }),
    ...(editedFiles && { edited_files: editedFiles }),
    ...(leftOpen && { left_open: leftOpen }),
    ...(counts && { counts }),
    ...(monthlyRollup && { monthly_rollup: monthlyRollup }),
    ...(consolidatedFrom && { consolidated_from: consolidatedFrom }),
    ...(recorded && { recorded }),
    ...(entrySource && { entry_source: entrySource }),
  }
}

function lessonAnswer({ failedAttempts, costMs, falseAlarms, ...lesson }: Lesson): Readonly<Record<string, unknown>> {
  return { ...lesson, failed_attempts: failedAttempts, cost_ms: costMs, false_alarms: falseAlarms }
}
