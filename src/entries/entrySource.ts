// Entries and their memories: an entry is a memory like any other, whose words its file says.
import type { EntrySource } from '../model/entrySource.ts'
import type { Memory } from '../model/memory.ts'
import type { Entry } from './entry.ts'

/** The source of an entry's memory. Throws for any other memory. */
export function entrySourceOf({ id, entrySource }: Memory): EntrySource {
  if (entrySource === undefined) throw new Error(`${id} is not the memory of an entry`)
  return entrySource
}

/** An entry as its memory says it: found by its key as well as by its words. */
export const entryMemoryContent = (key: string, body: string): string => `${key}: ${body}`

/** The entry of an entry's memory; its times those of the file, else of the memory. */
export function entryFromMemory(memory: Memory): Entry {
  const { key, created_at: createdAt = memory.created, updated_at: updatedAt = createdAt } = entrySourceOf(memory)
  return {
    key,
    tags: memory.tags,
    content: memory.content.slice(entryMemoryContent(key, '').length),
    createdAt,
    updatedAt,
  }
}

/** The memory as events have it: there its source lies in the metadata, under `entry`. */
export function entryForLog({ entrySource, ...memory }: Memory): Memory {
  return { ...memory, metadata: { ...memory.metadata, entry: entrySource } }
}
