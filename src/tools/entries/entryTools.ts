// Seed 002's tools, in the document's order.
import type { Tool } from '../definition/tool.ts'
import { deleteGlobalMemoryEntry, deleteMemoryEntry } from './deleteMemoryEntry.ts'
import { getMemoryEntry } from './getMemoryEntry.ts'
import { listGlobalMemoryEntries, listMemoryEntries } from './listMemoryEntries.ts'
import {
  listGlobalMemoryArchive,
  listMemoryArchive,
  restoreFromGlobalMemoryArchive,
  restoreFromMemoryArchive,
  searchGlobalMemoryArchive,
  searchMemoryArchive,
} from './memoryArchive.ts'
import {
  getGlobalMemoryArchiveSummary,
  getGlobalMemorySummary,
  getMemoryArchiveSummary,
  getMemorySummary,
} from './memorySummary.ts'
import { retrieveFromGlobalMemory, retrieveFromMemory } from './retrieveFromMemory.ts'
import { saveToGlobalMemory, saveToMemory } from './saveToMemory.ts'

export const ENTRY_TOOLS: readonly Tool[] = [
  ...[saveToMemory, retrieveFromMemory, getMemoryEntry, listMemoryEntries, deleteMemoryEntry, getMemorySummary],
  ...[searchMemoryArchive, listMemoryArchive, restoreFromMemoryArchive, getMemoryArchiveSummary],
  ...[saveToGlobalMemory, retrieveFromGlobalMemory, listGlobalMemoryEntries, getGlobalMemorySummary],
  deleteGlobalMemoryEntry,
  ...[searchGlobalMemoryArchive, listGlobalMemoryArchive, restoreFromGlobalMemoryArchive],
  getGlobalMemoryArchiveSummary,
]
