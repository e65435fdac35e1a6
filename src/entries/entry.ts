// An entry: a text that somebody wrote under a key, as in the entries spec. And a file that cannot be read as one.

/** Length of an entry's body, in characters: the same as of a memory. */
export const ENTRY_CHARS_MAX = 64_000

/** Length of a key, in characters: keys are shown in lists and passed in calls. */
export const ENTRY_KEY_CHARS_MAX = 200

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
