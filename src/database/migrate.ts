// Brings the schema of a database up to date: numbered steps, each one transaction, forward only. Two clients may do it
// at the same time: the second waits for a step of the first, then sees that it is done.
//
//   memctl_migrations:  version | name         | checksum (of earlier versions) | applied_at
//                             1 | agent-memory |                                | 2026-01-05 …
import { MemoryError } from '../model/memoryError.ts'
import type { Queryable } from './connectionPool.ts'
import type { Database } from './database.ts'
import { plainServerText } from './databaseError.ts'
import { renewRights } from './hubAccess.ts'
import type { Migration, MigrationSetup } from './migrations/agentMemory.ts'
import { AGENT_ACCESS, AGENT_MEMORY, AGENT_TERMS } from './migrations/agentMemory.ts'
import { HUB_GUARDS, HUB_ROWS, HUB_TEAMWORK } from './migrations/hubRows.ts'

export interface MigrateOptions {
  /** Numbers of a vector, 1 to 2,000. Tables that exist keep theirs. */
  readonly dimension: number
  /** Extensions that count as offered by the server; default: those that it lists. */
  readonly extensions?: readonly string[] | undefined
  readonly migrations?: readonly Migration[] | undefined
}

/** A step, for lists. */
export interface MigrationStep {
  /** The number of the step, from 1. */
  readonly version: number
  /** What it creates. */
  readonly name: string
}

export interface SchemaStatus {
  /** The latest step that was applied; 0 for none. */
  readonly version: number
  /** The latest step of this memctl. */
  readonly latest: number
  readonly applied: readonly (MigrationStep & { readonly appliedAt: string })[]
  /** Steps that `migrate` would apply now. */
  readonly pending: readonly MigrationStep[]
  /** Steps for an extension that the server does not offer. */
  readonly notForThisServer: readonly (MigrationStep & { readonly needs: string })[]
}

const VECTOR_DIMENSION_MAX = 2_000

/** Any number that no other program locks: "memctl" in ASCII. */
const LOCK_KEY = '120265546364012'

/** Waiting for a step of another client: an index over many rows takes minutes. */
const LOCK_WAIT = '10min'

/**
 * Applies what is pending and returns it. Throws DATABASE_VERSION if a newer memctl has migrated this database, and
 * DATABASE_ACCESS without the right to create tables.
 */
export async function migrate(database: Database, options: MigrateOptions): Promise<readonly MigrationStep[]> {
  const { dimension, migrations = MIGRATIONS } = options
  if (!Number.isInteger(dimension) || dimension < 1 || dimension > VECTOR_DIMENSION_MAX) {
    throw new MemoryError('INPUT_INVALID', `the dimension is ${dimension}`, {
      hint: `Use a whole number from 1 to ${VECTOR_DIMENSION_MAX}: more cannot have an index.`,
    })
  }
  // Nothing is written, and no right is needed, if there is nothing to do.
  const { pending } = await readSchemaStatus(database, options)
  const done: MigrationStep[] = []
  for (const step of pending) {
    const migration = migrations.find(({ version }) => version === step.version)
    if (migration && (await applyMigration(database, migration, { dimension }))) done.push(step)
  }
  return done
}

/** What was applied and what is pending. Only reads. Throws as `migrate`. */
export async function readSchemaStatus(
  database: Database,
  { migrations = MIGRATIONS, extensions }: Pick<MigrateOptions, 'migrations' | 'extensions'> = {},
): Promise<SchemaStatus> {
  const offered = extensions ?? (await database.query<{ name: string }>(EXTENSIONS)).rows.map(({ name }) => name)
  const applied = await readApplied(database, await findTableSchema(database))
  checkApplied(applied, migrations)
  const open = migrations.filter(({ version }) => !applied.some((row) => row.version === version))
  const isOffered = ({ needs }: Migration): boolean => needs === undefined || offered.includes(needs)
  return {
    version: applied.at(-1)?.version ?? 0,
    latest: migrations.at(-1)?.version ?? 0,
    applied,
    pending: open.filter(isOffered).map(({ version, name }) => ({ version, name })),
    notForThisServer: open
      .filter((migration) => !isOffered(migration))
      .map(({ version, name, needs = '' }) => ({ version, name, needs })),
  }
}

/** Applies one step; false if another client has done it meanwhile. */
function applyMigration(database: Database, migration: Migration, setup: MigrationSetup): Promise<boolean> {
  const { version, name, statements } = migration
  return database.transaction(async (connection) => {
    await connection.query(`set local statement_timeout = 0; set local lock_timeout = '${LOCK_WAIT}'`)
    await connection.query(`select pg_advisory_xact_lock(${LOCK_KEY})`)
    const schema = await findTableSchema(connection)
    if (schema === undefined) await connection.query(CREATE_TABLE)
    // The tables of a schema stay together, also for a user whose own schema comes first in the search path.
    else await connection.query(PREPEND_SCHEMA, [schema])
    const applied = await readApplied(connection, schema)
    if (applied.some((row) => row.version === version)) return false
    const all = typeof statements === 'function' ? statements(setup) : statements
    for (const sql of all) await connection.query(sql)
    // The rights name columns that earlier steps do not have yet.
    const hasGuards = [migration, ...applied].some((step) => step.version === HUB_GUARDS.version)
    if (hasGuards) await renewRights(connection)
    await connection.query(RECORD_STEP, [version, name])
    return true
  })
}

/** Everybody may read it: a machine that may not write the tables must still see that they are of its version. */
const CREATE_TABLE = `create table memctl_migrations (
  version integer primary key, name text not null, checksum text not null,
  applied_at timestamptz not null default now());
  grant select on memctl_migrations to public`

const RECORD_STEP = "insert into memctl_migrations (version, name, checksum) values ($1, $2, '')"

const PREPEND_SCHEMA =
  "select set_config('search_path', quote_ident($1) || ', ' || current_setting('search_path'), true)"

/**
 * The schema of the table of migrations; undefined without one. Reads the catalog itself: to_regclass may answer from
 * the cache of the session, which does not know yet what another client has created while this one waited for the lock.
 */
async function findTableSchema(connection: Queryable): Promise<string | undefined> {
  const { rows } = await connection.query<{ schema: string }>(
    `select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relname = 'memctl_migrations' and n.nspname = any (current_schemas(false))
     order by array_position(current_schemas(false), n.nspname) limit 1`,
  )
  return rows[0]?.schema
}

async function readApplied(connection: Queryable, schema: string | undefined): Promise<SchemaStatus['applied']> {
  if (schema === undefined) return []
  const { rows } = await connection.query<MigrationStep & { readonly appliedAt: string }>(
    `select version, name, to_char(applied_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "appliedAt"
     from memctl_migrations order by version`,
  )
  return rows.map((row) => ({ ...row, name: plainServerText(row.name) }))
}

function checkApplied(applied: readonly MigrationStep[], migrations: readonly Migration[]): void {
  const known = [...FORMER_VERSIONS, ...migrations.map(({ version }) => version)]
  const newer = applied.find(({ version }) => !known.includes(version))
  if (newer === undefined) return
  const what = `the database has step ${newer.version} (${newer.name}) of a newer memctl`
  throw new MemoryError('DATABASE_VERSION', what, { hint: 'Update memctl on this machine.' })
}

const EXTENSIONS = 'select name from pg_available_extensions'

export const MIGRATIONS: readonly Migration[] = [
  AGENT_MEMORY,
  HUB_ROWS,
  AGENT_ACCESS,
  HUB_TEAMWORK,
  AGENT_TERMS,
  HUB_GUARDS,
]

/** Steps of earlier versions of memctl, of whatever they have left. `HUB_ROWS` takes over what they have made. */
const FORMER_VERSIONS: readonly number[] = [2, 3, 4, 6]
