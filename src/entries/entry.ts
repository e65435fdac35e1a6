// An entry: a text that somebody wrote under a key, as in the entries spec; a file that cannot be read as one; and the
// memory of an entry, which has its key and body as content, and the entry as source.
import type { EntrySource, Memory } from '../model/memory.ts'
import type { FileFault } from '../store/disk/untrustedFiles.ts'

/** Length of an entry's body, in characters: the same as of a memory. */
export const ENTRY_CHARS_MAX = 64_000

/** Length of a key, in characters: keys are shown in lists and passed in calls. */
export const ENTRY_KEY_CHARS_MAX = 200

/** A file larger than this is not read as an entry, in bytes: front matter and a body of four-byte characters fit. */
export const ENTRY_FILE_BYTES_MAX = 5 * ENTRY_CHARS_MAX

/** How much is looked at. What lies beyond is ignored, and `memctl doctor` reports it. */
export interface EntryLimits {
  /** Entry files of all folders together. */
  readonly filesMax: number
  readonly sessionsMax: number
}

/** For the worker, tools and commands: to read 5,000 files takes a worker some seconds. */
export const ENTRY_LIMITS: EntryLimits = { filesMax: 5_000, sessionsMax: 2_000 }

/** For a session start, which the user waits for. What lies beyond is synced at the session's end. */
export const START_ENTRY_LIMITS: EntryLimits = { filesMax: 500, sessionsMax: 100 }

/** Bytes of all entry files together. */
export const ENTRY_BYTES_MAX = 64_000_000

/** Global entries apply to all projects of the user; project entries are in the project's folder. */
export type EntryLayer = 'project' | 'global'

/** Times are ISO 8601 in UTC with milliseconds; absent if the file has none. */
export interface Entry {
  readonly key: string
  readonly tags: readonly string[]
  readonly content: string
  readonly createdAt?: string | undefined
  readonly updatedAt?: string | undefined
}

/** A file that cannot be read as an entry. memctl does not change it. */
export interface InvalidEntry extends FileFault {
  /** From 1. */
  readonly line: number
}

/** Throws for a memory that is not of an entry. */
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
