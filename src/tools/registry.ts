// Every tool there is, in the order in which doors show them.
import { ENTRY_TOOLS } from './entries/tools.ts'
import { MEMORY_TOOLS } from './memory/tools.ts'
import type { Tool } from './tool.ts'

export const TOOLS: readonly Tool[] = [...MEMORY_TOOLS, ...ENTRY_TOOLS]

/** The tool of this name; undefined where there is none. */
export const toolNamed = (name: string): Tool | undefined => TOOLS.find((tool) => tool.name === name)

/** What `memctl mcp --tools` may say. */
export const SETS = ['core', 'memory', 'entries', 'all'] as const
export type ToolSet = (typeof SETS)[number]

/** The tools of a set. */
export const toolsOf = (set: ToolSet): readonly Tool[] =>
  TOOLS.filter((tool) => set === 'all' || (set === 'core' ? tool.core === true : tool.layer === set))
