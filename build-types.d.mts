export interface Declarations {
  readonly text: string
  readonly unexported: readonly string[]
  readonly undocumented: readonly string[]
  readonly withoutUnit: readonly string[]
}

export function readDeclarations(): Declarations
