// Where an imported memory comes from: the kind of source, the file or database, and the item in it.

export type ImportName = 'claude-mem' | 'claude-md' | 'auto-memory' | 'markdown' | 'memctl'

export interface ImportSource {
  /** `import:` and the name of the source, such as `import:claude-mem`. */
  readonly origin: `import:${ImportName}`
  /** The file, folder or database: inside the project relative to it, in the person's home with `~`. */
  readonly location: string
  /** The item, as its source names it: a row, an entity, a heading. */
  readonly item: string
  /** Of what the source says, 16 hex digits: another run sees whether it has changed, whatever was edited here. */
  readonly hash?: string | undefined
  /** The source does not have it any more, so the last import archived it. */
  readonly gone?: true | undefined
}

/** Of an event that stores memories of an import. */
export interface ImportMark {
  /** 8 hex digits; the events of one run have the same. */
  readonly id: string
  readonly origin: ImportSource['origin']
  readonly location: string
  /** These memories were known, and the source has changed them: an undo does not remove them. */
  readonly known?: true
}

export const importOrigin = (name: ImportName): ImportSource['origin'] => `import:${name}`
