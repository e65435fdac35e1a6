// Seed 001's tools, in the document's order.
import type { Tool } from '../definition/tool.ts'
import { memoryBatchStore, memoryBatchUpdate } from './memoryBatch.ts'
import { memoryConsolidate } from './memoryConsolidate.ts'
import { memoryDelete } from './memoryDelete.ts'
import { memoryGet } from './memoryGet.ts'
import { memoryList } from './memoryList.ts'
import { memoryGetScore, memorySetScore } from './memoryScore.ts'
import { memorySearch } from './memorySearch.ts'
import { memoryStore } from './memoryStore.ts'
import { memoryUpdate } from './memoryUpdate.ts'

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
