// Seed 001's tools, in the document's order.
import type { Tool } from '../tool.ts'
import { memoryGet } from './get.ts'
import { memoryStore } from './store.ts'

export const MEMORY_TOOLS: readonly Tool[] = [memoryStore, memoryGet]
