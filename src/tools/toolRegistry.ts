// Every tool, in the order in which entry points list them: the memory-tools spec's, then the entries spec's.
import type { ModelTool, Tool } from './definition/tool.ts'
import { ENTRY_TOOLS } from './entries/entryTools.ts'
import { EVERYDAY_TOOLS } from './everyday/everydayTools.ts'
import {
  memoryConsolidate,
  memoryDelete,
  memoryGet,
  memoryGetScore,
  memoryList,
  memorySearch,
  memorySetScore,
} from './memory/memoryTools.ts'
import { memoryBatchStore, memoryBatchUpdate, memoryStore, memoryUpdate } from './memory/storeTools.ts'

export const TOOLS: readonly Tool[] = [
  [memoryStore, memorySearch, memoryGet, memoryUpdate, memoryDelete, memoryList, memoryBatchStore, memoryBatchUpdate],
  [memoryGetScore, memorySetScore, memoryConsolidate],
  ENTRY_TOOLS,
].flat()

/** The tool of this name; undefined if there is none. */
export const findTool = (name: string): Tool | undefined => TOOLS.find((tool) => tool.name === name)

/** The values of `memctl mcp --tools`: `core` has the everyday tools, the others those of the source documents. */
export const TOOLSETS = ['core', 'memory', 'entries', 'all'] as const
export type Toolset = (typeof TOOLSETS)[number]

export const listTools = (set: Toolset): readonly ModelTool[] =>
  set === 'core' ? EVERYDAY_TOOLS : TOOLS.filter((tool) => set === 'all' || tool.group === set)
