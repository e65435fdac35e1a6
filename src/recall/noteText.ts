// What a note says of a memory: its content, and what was learned. Of an agent's report only what was learned.
import { isAgentLesson } from '../model/agentReport.ts'
import type { Memory } from '../model/memory.ts'
import { withMarkedError, withoutQuotedError } from '../text/errorClass.ts'

/**
 * The text of a note, one line per part. A derived lesson says in its content what was learned. It quotes its error, as
 * output, only where this very failure asks for it: elsewhere the error's class is enough.
 */
export function noteText(memory: Memory, quotes = false): string {
  const { kind, content, lessons, lesson } = memory
  if (isAgentLesson(memory)) return lessons.join('\n')
  if (lesson !== undefined) return quotes ? withMarkedError(content) : withoutQuotedError(content, lesson.error)
  return kind === 'lesson' || lessons.length === 0 ? content : [content, ...lessons].join('\n')
}

/** What a note of another program's memory is called; undefined for any other memory, and for the person's words. */
export const importLabel = ({ importSource, provenance }: Memory): string | undefined =>
  importSource === undefined || provenance === 'person'
    ? undefined
    : `Imported (${importSource.origin.slice('import:'.length)})`

/** What a note about an agent's report is called; undefined for any other memory. */
export const agentLessonLabel = (memory: Memory): string | undefined =>
  isAgentLesson(memory) ? `Learned by an earlier ${memory.role}` : undefined
