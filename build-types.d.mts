export interface Declarations {
  readonly text: string
  readonly unexported: readonly string[]
  readonly undocumented: readonly string[]
  readonly withoutUnit: readonly string[]
}

export function readDeclarations(): Declarations

/** Writes index.d.cts and index.d.ts into the folder. Throws if there are unexported types. */
export function writeDeclarations(folder: string): Declarations
