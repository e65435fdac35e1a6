// An entry: a text that somebody wrote under a key, as in the entries spec. And a file that cannot be read as one.

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
  /** Folders of sessions. */
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
export interface InvalidEntry {
  /** The complete path. */
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly what: string
  readonly hint: string
}
