// Every tool, in the order in which entry points list them: the memory-tools spec's, then the entries spec's.
import type { ModelTool, Tool } from './definition/tool.ts'
import {
  deleteEntryTools,
  getMemoryEntry,
  listArchiveTools,
  listEntryTools,
  restoreArchiveTools,
  retrieveEntryTools,
  saveEntryTools,
  searchArchiveTools,
  summarizeArchiveTools,
  summarizeEntryTools,
} from './entries/entryTools.ts'
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
  [saveEntryTools.project, retrieveEntryTools.project, getMemoryEntry, listEntryTools.project],
  [deleteEntryTools.project, summarizeEntryTools.project, searchArchiveTools.project, listArchiveTools.project],
  [restoreArchiveTools.project, summarizeArchiveTools.project],
  [saveEntryTools.global, retrieveEntryTools.global, listEntryTools.global, summarizeEntryTools.global],
  [deleteEntryTools.global, searchArchiveTools.global, listArchiveTools.global],
  [restoreArchiveTools.global, summarizeArchiveTools.global],
].flat()

/** The tool of this name; undefined if there is none. */
export const findTool = (name: string): Tool | undefined => TOOLS.find((tool) => tool.name === name)

/** The values of `memctl mcp --tools`: `core` has the everyday tools, the others those of the source documents. */
export const TOOLSETS = ['core', 'memory', 'entries', 'all'] as const
export type Toolset = (typeof TOOLSETS)[number]

/** The tools of a set. */
export const listTools = (set: Toolset): readonly ModelTool[] =>
  set === 'core' ? EVERYDAY_TOOLS : TOOLS.filter((tool) => set === 'all' || tool.group === set)
