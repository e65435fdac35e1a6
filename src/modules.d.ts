// Types of modules that have none here: policies as values, Node's own SQLite, an optional package.

// A policy is imported as the value its YAML holds: the bundler and the test runner parse it when they build.
declare module '*.yaml' {
  const value: unknown
  export default value
}

// The part of Node's `node:sqlite` that memctl uses. The types of Node 20, the oldest that memctl runs on, lack it.
declare module 'node:sqlite' {
  export interface StatementSync {
    iterate(...parameters: readonly string[]): Iterable<Record<string, unknown>>
  }

  export class DatabaseSync {
    constructor(file: string, options?: { readonly readOnly?: boolean })
    exec(sql: string): void
    prepare(sql: string): StatementSync
    close(): void
  }
}

// The part of hnswlib-node that memctl uses: an optional package, which compiles only where there is a compiler.
declare module 'hnswlib-node' {
  export class HierarchicalNSW {
    constructor(space: 'ip', dimensions: number)
    initIndex(rowsMax: number, links: number, efConstruction: number, seed: number): void
    resizeIndex(rowsMax: number): void
    addPoint(vector: number[], row: number): void
    markDelete(row: number): void
    setEf(ef: number): void
    searchKnn(vector: number[], k: number): { readonly neighbors: readonly number[] }
    getCurrentCount(): number
    getMaxElements(): number
    writeIndexSync(file: string): void
    readIndexSync(file: string): void
  }
}
