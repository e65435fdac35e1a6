// What a note says of a memory: its content, and what was learned. Of an agent's report only what was learned.
import { isAgentLesson } from '../model/agentReport.ts'
import type { Memory } from '../model/memory.ts'

/** The text of a note, one line per part. A derived lesson says in its content what was learned. */
export function noteText(memory: Memory): string {
  const { kind, content, lessons } = memory
  if (isAgentLesson(memory)) return lessons.join('\n')
  return kind === 'lesson' || lessons.length === 0 ? content : [content, ...lessons].join('\n')
}

/** What a note about an agent's report is called; undefined for any other memory. */
export const agentLessonLabel = (memory: Memory): string | undefined =>
  isAgentLesson(memory) ? `Learned by an earlier ${memory.role}` : undefined
