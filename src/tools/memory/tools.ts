// Seed 001's tools, in the document's order.
import type { Tool } from '../tool.ts'
import { memoryBatchStore, memoryBatchUpdate } from './batch.ts'
import { memoryConsolidate } from './consolidate.ts'
import { memoryDelete } from './delete.ts'
import { memoryGet } from './get.ts'
import { memoryList } from './list.ts'
import { memoryGetScore, memorySetScore } from './score.ts'
import { memorySearch } from './search.ts'
import { memoryStore } from './store.ts'
import { memoryUpdate } from './update.ts'

export const MEMORY_TOOLS: readonly Tool[] = [
  ...[
    memoryStore,
    memorySearch,
    memoryGet,
    memoryUpdate,
    memoryDelete,
    memoryList,
    memoryBatchStore,
    memoryBatchUpdate,
  ],
  ...[memoryGetScore, memorySetScore, memoryConsolidate],
]
