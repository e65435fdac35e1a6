// An entry: what somebody wants known under a key, as its file says it (seed 002). And what a file says that is none.

/** The most characters an entry's body may have: as one memory's. */
export const ENTRY_CHARS_MAX = 64_000

/** A key's characters at most: it stands in lists, and is said in calls. */
export const ENTRY_KEY_CHARS_MAX = 200

/** Global entries hold for every project of this person; project entries lie in the project's folder. */
export type EntryLayer = 'project' | 'global'

/** Times are ISO 8601 in UTC with milliseconds; absent where the file has none. */
export interface Entry {
  readonly key: string
  readonly tags: readonly string[]
  readonly content: string
  readonly createdAt?: string | undefined
  readonly updatedAt?: string | undefined
}

/** A file that cannot be read as an entry. It is left as it is. */
export interface InvalidEntry {
  /** The file's whole path. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly what: string
  readonly hint: string
}
