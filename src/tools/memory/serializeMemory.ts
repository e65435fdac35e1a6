// How a memory stands in an answer: the document's fields, in its order. And what of it a list shows where every token counts.
import type { Memory } from '../../model/memory.ts'
import type { ToolOutput } from '../definition/tool.ts'

/** Characters of a memory that a brief list shows: some lines of a terminal, and enough to see whether it is the one. */
const BRIEF_CHARS = 240

export const toListItem = (memory: Memory): ToolOutput => ({
  id: memory.id,
  content: memory.content,
  content_type: memory.contentType,
  memory_tier: memory.retention,
  tags: memory.tags,
  created_at: memory.created,
})

/** The answer with the contents of its memories cut to how they begin; `memory_get` gives the whole. */
export const truncateContents =
  (list: string) =>
  (answer: ToolOutput): ToolOutput => ({ ...answer, [list]: (answer[list] as readonly ToolOutput[]).map(brief) })

function brief(shown: ToolOutput): ToolOutput {
  const content = String(shown['content'])
  if (content.length <= BRIEF_CHARS) return shown
  // Not through the middle of a character of two units.
  return { ...shown, content: `${content.slice(0, BRIEF_CHARS).replace(/[\ud800-\udbff]$/, '')}…`, whole: false }
}
