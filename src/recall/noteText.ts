// What a note says of a memory: its content, and what was learned. Of an agent's report only what was learned.
import { isAgentLesson, type Memory } from '../model/memory.ts'

/** The text of a note, one line per part. */
export function noteText(memory: Memory): string {
  const { kind, content, lessons, knowledge } = memory
  if (isAgentLesson(memory)) return lessons.join('\n')
  if (knowledge !== undefined) return knowledge.line
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
