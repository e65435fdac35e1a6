// memctl hub status: whether the hub answers, which versions it has, and what this user may do there.
import type { Command } from 'commander'
import type { SchemaStatus } from '../../database/migrate.ts'
import type { ServerStatus } from '../../database/serverStatus.ts'
import { formatCount, formatDuration } from '../../report/formatNumber.ts'
import { formatFields } from '../../report/formatTable.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { type HubOptions, type HubUrl, withHubDatabase, withHubOptions } from '../context/hubDatabase.ts'

interface HubStatus {
  /** `db.example.com:5432` */
  readonly server: string
  readonly from: HubUrl['from']
  readonly database: ServerStatus
  readonly schema: SchemaStatus
  /** Of one statement, on an open connection. */
  readonly latencyMs: number
}

export function registerHubStatus(hub: Command, io: CliContext): void {
  withHubOptions(
    hub.command('status').description('show whether the hub answers, its versions, and what you may do there'),
  ).action(async (options: HubOptions) => {
    printResult(io, options.json, await readStatus(options, io), formatStatus)
  })
}

function readStatus(options: HubOptions, io: CliContext): Promise<HubStatus> {
  return withHubDatabase(options, io, async (database, { url, from }) => {
    const { readServerStatus } = await import('../../database/serverStatus.ts')
    const { readSchemaStatus } = await import('../../database/migrate.ts')
    const { describeServer, parseConnectionUrl } = await import('../../database/connectionUrl.ts')
    const server = await readServerStatus(database)
    const startMs = performance.now()
    await database.query('select 1')
    const latencyMs = Math.round((performance.now() - startMs) * 10) / 10
    const schema = await readSchemaStatus(database)
    return { server: describeServer(parseConnectionUrl(url, io.env)), from, database: server, schema, latencyMs }
  })
}

function formatStatus({ server, from, database, schema, latencyMs }: HubStatus, terminal: Terminal): string[] {
  const encryption = database.encryption ? `encrypted (${database.encryption})` : 'not encrypted'
  return formatFields(
    [
      ['Hub', `${database.name} on ${server} (from ${from})`],
      ['Server', `PostgreSQL ${database.version}, answers in ${formatDuration(latencyMs)}, ${encryption}`],
      ['pgvector', formatExtension(database)],
      ['Tables', formatSchema(schema)],
      ['You', formatUser(database)],
    ],
    terminal,
  )
}

function formatExtension({ pgvector, isSuperuser }: ServerStatus): string {
  if (pgvector.installed !== undefined) return pgvector.installed
  if (pgvector.offered === undefined) return 'not on this server; only the tables of the library need it'
  return `${pgvector.offered}, not switched on: ${
    isSuperuser ? '`memctl hub migrate` does it' : 'a superuser runs `create extension vector`'
  }`
}

function formatSchema({ version, latest, pending }: SchemaStatus): string {
  if (pending.length === 0) return version === 0 ? 'none yet' : `version ${version}, up to date`
  const what = version === 0 ? 'none yet' : `version ${version} of ${latest}`
  return `${what}: \`memctl hub migrate\` applies ${formatCount(pending.length, 'step')}`
}

function formatUser({ user, schema, canMigrate, isReadOnly }: ServerStatus): string {
  if (isReadOnly) return `${user}; this server is read-only`
  if (schema === undefined) return `${user}; no schema of the search path exists`
  return `${user}, who ${canMigrate ? 'may' : 'may not'} create tables in the schema ${schema}`
}
