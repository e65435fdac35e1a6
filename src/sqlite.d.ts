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
