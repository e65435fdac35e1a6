// What a server says about itself, the connection and the user. Only reads, and needs no tables of memctl.

import type { Database } from './database.ts'
import { plainServerText } from './databaseError.ts'

export interface ServerStatus {
  /** Of the database. */
  readonly name: string
  /** `15.6` */
  readonly version: string
  readonly user: string
  readonly isSuperuser: boolean
  /** Whether the user may create tables in the schema. */
  readonly canMigrate: boolean
  /** The schema for new tables; undefined if the search path names none that exists. */
  readonly schema?: string
  readonly isReadOnly: boolean
  /** `TLSv1.3`; undefined for a connection without encryption. */
  readonly encryption?: string
  readonly pgvector: { readonly installed?: string; readonly offered?: string }
  /** Numbers of a vector in the table of the memories; undefined before the first migration. */
  readonly dimension?: number
}

const STATUS = `
  select json_strip_nulls(json_build_object(
    'name', current_database(), 'version', split_part(current_setting('server_version'), ' ', 1), 'user', current_user,
    'isSuperuser', current_setting('is_superuser') = 'on', 'schema', current_schema(),
    'canMigrate', coalesce(has_schema_privilege(current_schema(), 'create'), false),
    'isReadOnly', pg_is_in_recovery() or current_setting('transaction_read_only') = 'on',
    'encryption', (select version from pg_stat_ssl where pid = pg_backend_pid()),
    'pgvector', json_build_object(
      'installed', (select extversion from pg_extension where extname = 'vector'),
      'offered', (select default_version from pg_available_extensions where name = 'vector')),
    'dimension', (select atttypmod from pg_attribute
      where attrelid = to_regclass('agent_memory') and attname = 'embedding' and atttypmod > 0)))::text as status`

export async function readServerStatus(database: Database): Promise<ServerStatus> {
  const [row] = (await database.query<{ status: string }>(STATUS)).rows
  const clean = (_: string, value: unknown): unknown => (typeof value === 'string' ? plainServerText(value) : value)
  return JSON.parse(row?.status ?? '{}', clean) as ServerStatus
}
