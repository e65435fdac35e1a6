// Every tool there is, in the order in which doors show them.

import type { Tool } from './definition/tool.ts'
import { ENTRY_TOOLS } from './entries/entryTools.ts'
import { MEMORY_TOOLS } from './memory/memoryTools.ts'

export const TOOLS: readonly Tool[] = [...MEMORY_TOOLS, ...ENTRY_TOOLS]

/** The tool of this name; undefined where there is none. */
export const findTool = (name: string): Tool | undefined => TOOLS.find((tool) => tool.name === name)

/** What `memctl mcp --tools` may say. */
export const TOOLSETS = ['core', 'memory', 'entries', 'all'] as const
export type Toolset = (typeof TOOLSETS)[number]

/** The tools of a set. */
export const listTools = (set: Toolset): readonly Tool[] =>
  TOOLS.filter((tool) => set === 'all' || (set === 'core' ? tool.core === true : tool.group === set))
