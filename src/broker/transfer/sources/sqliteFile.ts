// Reads a SQLite database of another program with Node's own SQLite, without changing it.
//
// SQLite runs inside this process, where nothing can stop it: a view can have rows without end, a damaged tree of pages
// too, and a text a gigabyte. So only tables are read, row by row without a condition or an order, and no long value.
import type { DatabaseSync } from 'node:sqlite'
import { IMPORT_DATABASE_BYTES_MAX } from '../../../model/limits.ts'
import { MemoryError } from '../../../model/memoryError.ts'
import { inspectUntrusted, isFileFault } from '../../../store/disk/untrustedFiles.ts'
import { faultError } from './sourceFiles.ts'

export type SqliteRow = Readonly<Record<string, unknown>>

export interface SqliteFile {
  /** Names of the stored columns of a table; empty if there is no such table. */
  columnsOf(table: string): readonly string[]
  /** The rows of a table with all its columns. Longer values are absent. Throws INPUT_INVALID for too much. */
  rowsOf(table: string): Iterable<SqliteRow>
  close(): void
}

/** Opens it for reading. Throws NOT_FOUND, also without `node:sqlite`, and INPUT_INVALID for what is no database. */
export function openSqliteFile(file: string, isLate: () => boolean): SqliteFile {
  const stats = inspectUntrusted(undefined, file)
  if (stats === undefined) throw new MemoryError('NOT_FOUND', `There is no file ${file}`, { hint: 'Check the path.' })
  if (isFileFault(stats)) throw faultError(stats)
  if (stats.size > IMPORT_DATABASE_BYTES_MAX) {
    throw new MemoryError('INPUT_INVALID', `${file} has more than ${IMPORT_DATABASE_BYTES_MAX} bytes`, {
      hint: 'Name a smaller database.',
    })
  }
  const database = openDatabase(file)
  const tooMuch = new MemoryError('INPUT_INVALID', `${file} has more than can be read: too much text, or no end`, {
    hint: 'Name a smaller database.',
  })
  let left = DATABASE_CHARS_MAX
  function* query(sql: string, ...parameters: readonly string[]): Generator<SqliteRow> {
    try {
      for (const row of database.prepare(sql).iterate(...parameters)) {
        for (const value of Object.values(row)) left -= typeof value === 'string' ? value.length : ROW_VALUE_CHARS
        if (left < 0 || isLate()) throw tooMuch
        yield row
      }
    } catch (error) {
      throw error === tooMuch ? error : damagedError(file, error)
    }
  }
  const columnsOf = (table: string): readonly string[] => {
    // No view and no virtual table; computed columns are not in this list.
    const tables = `select 1 from sqlite_master where name = ? and type = 'table' and sql like 'create table%'`
    const columns = query(`select name from pragma_table_info(?) where exists (${tables})`, table, table)
    return Array.from(columns, ({ name }) => String(name)).filter((name) => /^\w+$/.test(name))
  }
  const columnOf = (name: string): string =>
    `case when octet_length("${name}") <= ${VALUE_BYTES_MAX} then "${name}" end as "${name}"`
  return {
    columnsOf,
    rowsOf: (table) => query(`select ${columnsOf(table).map(columnOf).join(', ')} from "${table}"`),
    close: () => database.close(),
  }
}

/** A longer value is no note, and a memory has 2,000 characters. */
const VALUE_BYTES_MAX = 65_536

/** All texts that are read, and what another value counts: in memory they take twice as many bytes, and a copy. */
const DATABASE_CHARS_MAX = 12_582_912
const ROW_VALUE_CHARS = 8

function openDatabase(file: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    // All queries see the database as it is at the first one, whatever its program writes meanwhile.
    database.exec('begin')
    return database
  } catch (error) {
    throw damagedError(file, error)
  }
}

/** Without the line that Node prints on stderr, because this module is experimental there. */
function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    const sqlite = process.getBuiltinModule?.('node:sqlite')
    if (sqlite !== undefined) return sqlite as typeof import('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
  throw new MemoryError('NOT_FOUND', `Node ${process.versions.node} has no module node:sqlite, which reads databases`, {
    hint: 'Run this import with Node 22.13 or later. Everything else works with this version.',
  })
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
