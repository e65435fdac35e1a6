// One step from a schema to the next one. It is written once; after it was released, its statements never change.

export interface Migration {
  /** From 1, rising. */
  readonly version: number
  /** Letters, digits and `-`: `agent-memory`. */
  readonly name: string
  /** Runs only where the server offers this extension; where it appears later, the next `migrate` runs it. */
  readonly needs?: string
  /** Each is one SQL statement, or several. All of a migration are one transaction. */
  readonly statements: readonly string[] | ((setup: MigrationSetup) => readonly string[])
}

export interface MigrationSetup {
  /** Numbers of a vector, 1 to 2,000: more cannot have an HNSW index. */
  readonly dimension: number
}
