// The source of an entry's memory: the file that says what the memory says.

/** Times are as the file says them. */
export interface EntrySource {
  readonly layer: 'project' | 'global'
  readonly session?: string | undefined
  readonly key: string
  /** The file by its folder's label, the same on every machine: `.memctl/memory/api.md`. */
  readonly file: string
  readonly created_at?: string | undefined
  readonly updated_at?: string | undefined
  /** When it was first read: the time for which an entry was not used is counted from here at the earliest. */
  readonly since: string
}
