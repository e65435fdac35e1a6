// What a server says about itself, the connection and the user. Only reads, and needs no tables of memctl.

import type { Database } from './database.ts'
import { plainServerText } from './databaseError.ts'

export interface ServerStatus {
  /** Of the database. */
  readonly name: string
  /** `15.6`, as the server writes it. */
  readonly version: string
  readonly user: string
  readonly isSuperuser: boolean
  /** Whether the user may create tables in the schema. */
  readonly canMigrate: boolean
  /** The schema for new tables; undefined if the search path names none that exists. */
  readonly schema: string | undefined
  readonly isReadOnly: boolean
  /** `TLSv1.3`; undefined for a connection without encryption, or if the server does not say. */
  readonly encryption: string | undefined
  readonly pgvector: { readonly installed: string | undefined; readonly offered: string | undefined }
  /** Numbers of a vector in the table of the memories; undefined before the first migration. */
  readonly dimension: number | undefined
}

type Row = { readonly [K in keyof Omit<ServerStatus, 'pgvector' | 'encryption'>]: ServerStatus[K] | null } & {
  readonly installed: string | null
  readonly offered: string | null
}

const STATUS = `
  select current_database() as name, current_setting('server_version') as version, current_user as user,
    current_setting('is_superuser') = 'on' as "isSuperuser", current_schema() as schema,
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as "canMigrate",
    (pg_is_in_recovery() or current_setting('transaction_read_only') = 'on') as "isReadOnly",
    (select extversion from pg_extension where extname = 'vector') as installed,
    (select default_version from pg_available_extensions where name = 'vector') as offered,
    (select atttypmod from pg_attribute
      where attrelid = to_regclass('agent_memory') and attname = 'embedding' and atttypmod > 0) as dimension`

export async function readServerStatus(database: Database): Promise<ServerStatus> {
  return database.withConnection(async (connection) => {
    const { rows } = await connection.query<Row>(STATUS)
    // Clusters that speak PostgreSQL's protocol do not all have this view.
    const encryption = await connection
      .query<{ version: string | null }>('select version from pg_stat_ssl where pid = pg_backend_pid()')
      .then((answer) => optionalText(answer.rows[0]?.version))
      .catch(() => undefined)
    const row = rows[0]
    return {
      name: plainServerText(row?.name),
      version: plainServerText(row?.version).split(' ')[0] ?? '',
      user: plainServerText(row?.user),
      isSuperuser: row?.isSuperuser === true,
      canMigrate: row?.canMigrate === true,
      schema: optionalText(row?.schema),
      isReadOnly: row?.isReadOnly === true,
      encryption,
      pgvector: { installed: optionalText(row?.installed), offered: optionalText(row?.offered) },
      dimension: row?.dimension ?? undefined,
    }
  })
}

const optionalText = (value: string | null | undefined): string | undefined =>
  value === null || value === undefined ? undefined : plainServerText(value)
