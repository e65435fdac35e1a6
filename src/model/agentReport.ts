// The report of a subagent, as a memory: an experience with this tag.
import type { Memory } from './memory.ts'

export const AGENT_REPORT_TAG = 'subagent'

export const isAgentReport = ({ tags }: Pick<Memory, 'tags'>): boolean => tags.includes(AGENT_REPORT_TAG)

/** Whether a memory is the report of a subagent that states lessons: a note about it shows these alone. */
export const isAgentLesson = ({ kind, tags, lessons }: Pick<Memory, 'kind' | 'tags' | 'lessons'>): boolean =>
  kind === 'experience' && lessons.length > 0 && isAgentReport({ tags })
