// Entries and their memories: the memory of an entry has its key and body as content, and the entry as source.
import type { EntrySource, Memory } from '../model/memory.ts'
import type { Entry } from './entry.ts'

/** The source of the memory of an entry. Throws for any other memory. */
export function entrySourceOf({ id, entrySource }: Memory): EntrySource {
  if (entrySource === undefined) throw new Error(`${id} is not the memory of an entry`)
  return entrySource
}

/** The content of an entry's memory: the key first, so that a search for it finds the entry. */
export const entryMemoryContent = (key: string, body: string): string => `${key}: ${body}`

/** The entry of a memory, with the times of the file, else of the memory: a saved file has no `updated_at`. */
export function entryFromMemory(memory: Memory): Entry {
  const { key, created_at: createdAt = memory.created, ...source } = entrySourceOf(memory)
  const updatedAt = source.updated_at ?? memory.updated ?? createdAt
  return {
    key,
    tags: memory.tags,
    content: memory.content.slice(entryMemoryContent(key, '').length),
    createdAt,
    updatedAt,
  }
}

/** The memory as events store it: with its source in the metadata, under `entry`. */
export function entryForLog({ entrySource, ...memory }: Memory): Memory {
  return { ...memory, metadata: { ...memory.metadata, entry: entrySource } }
}
