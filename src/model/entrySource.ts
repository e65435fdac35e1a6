// The source of an entry's memory: the file it was read from.

/** Times are copied from the file. */
export interface EntrySource {
  readonly layer: 'project' | 'global'
  readonly session?: string | undefined
  readonly key: string
  /** The file by its folder's label, the same on every machine: `.memctl/memory/api.md`. */
  readonly file: string
  readonly created_at?: string | undefined
  readonly updated_at?: string | undefined
  /** When it was first read, ISO: an entry counts as unused from here at the earliest. */
  readonly since: string
  /** The person's own tools have written it on this machine: it is used without trust, and clean-up may archive it. */
  readonly own?: true
}
