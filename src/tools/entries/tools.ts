// Seed 002's tools, in the document's order.
import type { Tool } from '../tool.ts'
import {
  listGlobalMemoryArchive,
  listMemoryArchive,
  restoreFromGlobalMemoryArchive,
  restoreFromMemoryArchive,
  searchGlobalMemoryArchive,
  searchMemoryArchive,
} from './archive.ts'
import { deleteGlobalMemoryEntry, deleteMemoryEntry } from './delete.ts'
import { getMemoryEntry } from './get.ts'
import { listGlobalMemoryEntries, listMemoryEntries } from './list.ts'
import { retrieveFromGlobalMemory, retrieveFromMemory } from './retrieve.ts'
import { saveToGlobalMemory, saveToMemory } from './save.ts'
import {
  getGlobalMemoryArchiveSummary,
  getGlobalMemorySummary,
  getMemoryArchiveSummary,
  getMemorySummary,
} from './summary.ts'

export const ENTRY_TOOLS: readonly Tool[] = [
  ...[saveToMemory, retrieveFromMemory, getMemoryEntry, listMemoryEntries, deleteMemoryEntry, getMemorySummary],
  ...[searchMemoryArchive, listMemoryArchive, restoreFromMemoryArchive, getMemoryArchiveSummary],
  ...[saveToGlobalMemory, retrieveFromGlobalMemory, listGlobalMemoryEntries, getGlobalMemorySummary],
  deleteGlobalMemoryEntry,
  ...[searchGlobalMemoryArchive, listGlobalMemoryArchive, restoreFromGlobalMemoryArchive],
  getGlobalMemoryArchiveSummary,
]
