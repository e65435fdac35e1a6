// What the tools of the memory-tools spec share. The spec gives the names and limits of the fields.
import { findVisible } from '../../broker/live/visibility.ts'
import { CONTENT_TYPES, type Memory, RETENTIONS } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { anyObject, invalidInput, list, text } from '../definition/field.ts'
import type { ToolContext } from '../definition/toolContext.ts'

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
export const memoryIdField = text('Memory ID (UUID)')

/** The memory of this id, if the caller may see it. Throws NOT_FOUND. */
export function requireMemory(context: ToolContext, id: string): Memory {
  const memory = findVisible(context.liveStore, id, viewingSession(context))
  if (memory) return memory
  throw new MemoryError('NOT_FOUND', `Memory not found: ${id}`, {
    hint: 'Look for its id with memory_search or memory_list.',
  })
}

/** Throws INPUT_INVALID for the memory of an entry: only its file can change it. */
export function assertNotEntry({ id, entrySource }: Memory): void {
  if (!entrySource) return
  const suffix = entrySource.layer === 'global' ? 'global_memory' : 'memory'
  throw invalidInput(
    `${id} is the entry ${entrySource.key}, which only its file can change`,
    `Use save_to_${suffix} or delete_${suffix}_entry, or edit ${entrySource.file}.`,
  )
}

/** The caller's session and the time, which decide what the caller may see. */
export const viewingSession = (context: ToolContext): { session: string | undefined; now: number } => ({
  session: context.session,
  now: context.now(),
})

/** What memctl knows about a memory besides what was stored. Fields without information are left out. */
export function serializeDetails(memory: Memory): Readonly<Record<string, unknown>> {
  const { sessionCount, archiveExempt, privacySince, editedFiles, leftOpen, counts } = memory
  const { lesson, monthlyRollup, consolidatedFrom, recorded, entrySource } = memory
  return {
    ...(sessionCount > 1 && { session_count: sessionCount }),
    ...(archiveExempt && { archive_exempt: archiveExempt }),
    ...(privacySince !== undefined && { privacy_since: privacySince }),
    ...(lesson && { lesson: serializeLesson(lesson) }),
    ...(editedFiles && { edited_files: editedFiles }),
    ...(leftOpen && { left_open: leftOpen }),
    ...(counts && { counts }),
    ...(monthlyRollup && { monthly_rollup: monthlyRollup }),
    ...(consolidatedFrom && { consolidated_from: consolidatedFrom }),
    ...(recorded && { recorded }),
    ...(entrySource && { entry_source: entrySource }),
  }
}

function serializeLesson({ failedAttempts, costMs, falseAlarms, ...lesson }: NonNullable<Memory['lesson']>) {
  return { ...lesson, failed_attempts: failedAttempts, cost_ms: costMs, false_alarms: falseAlarms }
}
