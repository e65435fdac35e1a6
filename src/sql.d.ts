// The part of sql.js that memctl uses. The package has no types, and those of others declare global names.
declare module 'sql.js' {
  export interface Statement {
    bind(values: readonly string[]): boolean
    step(): boolean
    getAsObject(): Record<string, number | string | Uint8Array | null>
    free(): void
  }
  export interface Database {
    prepare(sql: string): Statement
    close(): void
  }
}

declare module 'sql.js/dist/sql-wasm-inline.js' {
  import type { Database } from 'sql.js'

  const initSqlJs: () => Promise<{ readonly Database: new (bytes?: Uint8Array) => Database }>
  export default initSqlJs
}
