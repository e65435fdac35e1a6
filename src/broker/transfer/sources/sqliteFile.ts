// Reads a SQLite database of another program without locking or changing it: its bytes are copied into memory, with
// what its write-ahead log has committed, and queried there by SQLite compiled to WebAssembly (sql.js).
import type { Database } from 'sql.js'
import { IMPORT_DATABASE_BYTES_MAX } from '../../../model/limits.ts'
import { MemoryError } from '../../../model/memoryError.ts'
import { inspectUntrusted, isFileFault, readUntrusted } from '../../../store/disk/untrustedFiles.ts'
import { faultError } from './sourceFiles.ts'
import { applyWriteAheadLog } from './walFile.ts'

export type SqliteRow = Readonly<Record<string, unknown>>

export interface SqliteFile {
  /** Names of the columns of a table; empty if there is no such table. */
  columnsOf(table: string): readonly string[]
  /** The rows of a query. */
  query(sql: string, ...parameters: readonly string[]): readonly SqliteRow[]
  close(): void
}

const MAGIC = 'SQLite format 3\0'

/** A program that writes all the time is tried this often. */
const ATTEMPTS = 5

/** Opens a copy in memory. Throws NOT_FOUND, and INPUT_INVALID for what is no database, too large or being written. */
export async function openSqliteFile(file: string): Promise<SqliteFile> {
  const bytes = readDatabase(file)
  const { default: initSqlJs } = await import('sql.js/dist/sql-wasm-inline.js')
  const { Database: SqlDatabase } = await initSqlJs()
  const database = new SqlDatabase(bytes)
  const query = (sql: string, ...parameters: readonly string[]): readonly SqliteRow[] =>
    runQuery(database, sql, parameters)
  try {
    query('select count(*) from sqlite_master')
  } catch (error) {
    database.close()
    throw damagedError(file, error)
  }
  return {
    columnsOf: (table) => query(`select name from pragma_table_info(?)`, table).map(({ name }) => String(name)),
    query(sql, ...parameters) {
      try {
        return query(sql, ...parameters)
      } catch (error) {
        throw damagedError(file, error)
      }
    },
    close: () => database.close(),
  }
}

function runQuery(database: Database, sql: string, parameters: readonly string[]): SqliteRow[] {
  const statement = database.prepare(sql)
  try {
    statement.bind([...parameters])
    const rows: SqliteRow[] = []
    while (statement.step()) rows.push(statement.getAsObject())
    return rows
  } finally {
    statement.free()
  }
}

/** The database with the log beside it, both as they are at one moment. */
function readDatabase(file: string): Buffer {
  for (let attempt = 1; ; attempt++) {
    const before = stampOf(file)
    const database = readPart(file)
    if (database === undefined)
      throw new MemoryError('NOT_FOUND', `There is no file ${file}`, { hint: 'Check the path.' })
    const log = readPart(`${file}-wal`)
    const isStill = before === stampOf(file)
    if (isStill && !hasJournal(file)) return prepare(file, database, log)
    if (attempt === ATTEMPTS) {
      throw new MemoryError('INPUT_INVALID', `${file} is being written`, {
        hint: 'Stop the program that writes it, and run the import again.',
      })
    }
  }
}

function prepare(file: string, database: Buffer, log: Buffer | undefined): Buffer {
  if (database.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new MemoryError('INPUT_INVALID', `${file} is not a SQLite database`, { hint: 'Name the database file.' })
  }
  const bytes = log === undefined ? database : applyWriteAheadLog(database, log)
  // Its log is applied: SQLite must not look for it.
  bytes.fill(1, 18, 20)
  return bytes
}

function readPart(file: string): Buffer | undefined {
  const bytes = readUntrusted(undefined, file, IMPORT_DATABASE_BYTES_MAX)
  if (isFileFault(bytes)) throw faultError(bytes)
  return bytes
}

/** A transaction without a write-ahead log is under way, or was interrupted. */
function hasJournal(file: string): boolean {
  const stats = inspectUntrusted(undefined, `${file}-journal`)
  return stats !== undefined && !isFileFault(stats) && stats.size > 0
}

/** Changes when a checkpoint writes into the database. What is appended to its log meanwhile does not matter. */
function stampOf(file: string): string {
  const stats = inspectUntrusted(undefined, file)
  return stats === undefined || isFileFault(stats) ? '' : `${stats.size} ${stats.mtimeMs}`
}

const damagedError = (file: string, error: unknown): MemoryError =>
  new MemoryError(
    'INPUT_INVALID',
    `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    {
      hint: 'Check it with `sqlite3 FILE "pragma integrity_check"`.',
      cause: error,
    },
  )
