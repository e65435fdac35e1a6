// memctl hub: the database of a team. Its subcommands, and those about the database alone: whether it answers (status),
// its tables (migrate), and which database roles may read or write which project (grant, revoke, access).
import type { Command } from 'commander'
import type { ServerStatus } from '../../database/database.ts'
import type { HubAccess } from '../../database/hubAccess.ts'
import type { SchemaStatus } from '../../database/migrate.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount, formatDuration } from '../../report/formatNumber.ts'
import { formatFields, formatItems } from '../../report/formatTable.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { integerOption } from '../context/storeOption.ts'
import {
  type HubOptions,
  registerHubConnect,
  registerHubDisconnect,
  withHubDatabase,
  withHubOptions,
  withProject,
  withProjectOption,
} from './hubConnect.ts'
import { registerHubJoin, registerHubLeave } from './hubJoin.ts'
import { registerHubLog, registerHubPin, registerHubPolicy, registerHubRemove, registerHubReview } from './hubTeam.ts'
import { registerSync } from './sync.ts'

/** In the order of the help. */
const SUBCOMMANDS: readonly ((hub: Command, io: CliContext) => void)[] = [
  registerHubConnect,
  registerHubJoin,
  registerSync,
  registerHubLeave,
  registerHubDisconnect,
  registerHubStatus,
  registerHubMigrate,
  registerHubGrant,
  registerHubRevoke,
  registerHubAccess,
  registerHubPolicy,
  registerHubReview,
  registerHubPin,
  registerHubRemove,
  registerHubLog,
]

export function registerHub(program: Command, io: CliContext): void {
  const hub = program.command('hub').description('share memories with a team through a PostgreSQL database')
  for (const register of SUBCOMMANDS) register(hub, io)
}

function registerHubStatus(hub: Command, io: CliContext): void {
  withHubOptions(
    hub.command('status').description('show whether the hub answers, its versions, and who may create its tables'),
  ).action(async (options: HubOptions) => {
    printResult(io, options.json, await readStatus(options, io), formatStatus)
  })
}

type HubStatus = Awaited<ReturnType<typeof readStatus>>

function readStatus(options: HubOptions, io: CliContext) {
  return withHubDatabase(options, io, async (database, { url, from }) => {
    const { readServerStatus } = await import('../../database/database.ts')
    const { readSchemaStatus } = await import('../../database/migrate.ts')
    const { describeServer, parseConnectionUrl } = await import('../../database/connectionUrl.ts')
    const server = await readServerStatus(database)
    // Of one statement, on an open connection.
    const startMs = performance.now()
    await database.query('select 1')
    const latencyMs = Math.round((performance.now() - startMs) * 10) / 10
    const schema = await readSchemaStatus(database)
    return { server: describeServer(parseConnectionUrl(url, io.env)), from, database: server, schema, latencyMs }
  })
}

function formatStatus({ server, from, database, schema, latencyMs }: HubStatus, terminal: Terminal): string[] {
  const encryption = database.encryption ? `encrypted (${database.encryption})` : 'not encrypted'
  const { installed, offered } = database.pgvector
  return formatFields(
    [
      ['Hub', `${database.name} on ${server} (from ${from})`],
      ['Server', `PostgreSQL ${database.version}, answers in ${formatDuration(latencyMs)}, ${encryption}`],
      ['pgvector', installed ?? `not ${offered ? 'switched on' : 'on this server'}; only the library needs it`],
      ['Tables', formatSchema(schema)],
      ['You', formatUser(database)],
    ],
    terminal,
  )
}

function formatSchema({ version, latest, pending }: SchemaStatus): string {
  if (pending.length === 0) return version === 0 ? 'none yet' : `version ${version}, up to date`
  const what = version === 0 ? 'none yet' : `version ${version} of ${latest}`
  return `${what}: \`memctl hub migrate\` applies ${formatCount(pending.length, 'step')}`
}

const formatUser = ({ user, schema = '', canMigrate, isReadOnly }: ServerStatus): string =>
  isReadOnly
    ? `${user}; this server is read-only`
    : `${user}, who ${canMigrate ? 'may' : 'may not'} create tables in the schema ${schema}`

type MigrateCommandOptions = HubOptions & { readonly dimension?: number; readonly dryRun?: boolean }

/** Of the built-in embedder. */
const DEFAULT_DIMENSION = 256

function registerHubMigrate(hub: Command, io: CliContext): void {
  withHubOptions(hub.command('migrate').description('create the tables of the hub, or bring them up to date'))
    .option('--dimension <n>', `numbers of a vector, for new tables (default: ${DEFAULT_DIMENSION})`, integerOption(1))
    .option('--dry-run', 'show what would be applied; write nothing')
    .action(async (options: MigrateCommandOptions) => {
      printResult(io, options.json, await runMigrate(options, io), formatMigrate)
    })
}

type MigrateAnswer = Awaited<ReturnType<typeof runMigrate>>

function runMigrate(options: MigrateCommandOptions, io: CliContext) {
  // An index over many rows takes as long as it takes.
  const limits = { statementTimeoutMs: 0 }
  return withHubDatabase({ ...options, limits }, io, async (database) => {
    const { migrate, readSchemaStatus } = await import('../../database/migrate.ts')
    const { readServerStatus } = await import('../../database/database.ts')
    const { name, dimension } = await readServerStatus(database)
    if (options.dimension !== undefined && dimension !== undefined && dimension !== options.dimension) {
      const what = `the tables of the database ${name} have vectors of ${dimension} numbers`
      const hint = 'Omit --dimension; other vectors need a database of their own.'
      throw new MemoryError('DATABASE_VERSION', what, { hint })
    }
    const before = await readSchemaStatus(database)
    const dryRun = options.dryRun === true
    const steps = dryRun
      ? before.pending
      : await migrate(database, { dimension: options.dimension ?? dimension ?? DEFAULT_DIMENSION })
    const { notForThisServer, version } = dryRun ? before : await readSchemaStatus(database)
    return { notForThisServer, version, database: name, dryRun, steps }
  })
}

function formatMigrate({ database, dryRun, steps, notForThisServer, version }: MigrateAnswer): string[] {
  const missing = notForThisServer.map(
    (step) => `Not applied: ${step.version} ${step.name}, for the extension ${step.needs}, which this server has not.`,
  )
  if (steps.length === 0)
    return [`The tables of the database ${database} are up to date (version ${version}).`, ...missing]
  const head = `${dryRun ? 'Would apply' : 'Applied'} ${formatCount(steps.length, 'step')} to the database ${database}:`
  return [head, ...steps.map((step) => `  ${step.version}  ${step.name}`), ...missing]
}

type AccessOptions = HubOptions & { readonly write?: boolean; readonly review?: boolean }

const loadAccess = () => import('../../database/hubAccess.ts')

function registerHubGrant(hub: Command, io: CliContext): void {
  const command = hub.command('grant <role>').description('let a database role read a project on the hub, or write it')
  withProjectOption(withHubOptions(command))
    .option('--write', 'let it write too')
    .option('--review', 'let it write, accept the texts of others, and pin')
    .action(async (role: string, options: AccessOptions) => {
      const canReview = options.review === true
      const canWrite = canReview || options.write === true
      await withProject(options, io, async (database, project, { url }) => {
        const given = { project, role, canWrite, canReview }
        await (await loadAccess()).grantAccess(database, given)
        const invitation = await invite(url, given)
        printResult(io, options.json, { ...given, invitation }, () => [
          `${role} may ${describeRights(given)} the project ${project}.`,
          'In their clone of the project, they paste this line:',
          `  ${invitation}`,
        ])
      })
    })
}

/** One line for a terminal: the hub as this role knows it, then the project. */
async function invite(url: string, { project, role }: Pick<HubAccess, 'project' | 'role'>): Promise<string> {
  const { shellWord } = await import('../../text/command.ts')
  const [, scheme = '', rest = ''] = /^([a-z]+:\/\/)(?:[^/?#]*@)?(.*)$/is.exec(url) ?? []
  const { replaceParameters } = await import('../../broker/hub/hubConfig.ts')
  const others = replaceParameters(rest, /^(?:user|password)$/, '').replace(/(?<=[?&])[^=&#]*=(?:&|$)/g, '')
  const theirs = `${scheme}${encodeURIComponent(role)}@${others}`
  const join = `memctl hub join --project-key ${shellWord(project)}`
  return `memctl hub connect ${shellWord(theirs)} && ${join} && memctl hub sync`
}

const describeRights = ({ canWrite, canReview }: Pick<HubAccess, 'canWrite' | 'canReview'>): string =>
  canReview ? 'read, write and review' : canWrite ? 'read and write' : 'read'

function registerHubRevoke(hub: Command, io: CliContext): void {
  withProjectOption(
    withHubOptions(hub.command('revoke <role>').description('take a project from a database role')),
  ).action(async (role: string, options: AccessOptions) => {
    await withProject(options, io, async (database, project) => {
      const hadAccess = await (await loadAccess()).revokeAccess(database, { project, role })
      printResult(io, options.json, { project, role, hadAccess }, () => [
        hadAccess
          ? `${role} has no access to the project ${project} any more.`
          : `${role} had no access to ${project}.`,
      ])
    })
  })
}

function registerHubAccess(hub: Command, io: CliContext): void {
  withHubOptions(hub.command('access').description('show which database roles have access to which projects'))
    .option('--project <key>', 'only this project')
    .action(async (options: HubOptions) => {
      const list = await withHubDatabase(options, io, async (database) =>
        (await loadAccess()).listAccess(database, options.project),
      )
      printResult(io, options.json, { access: list }, formatAccess)
    })
}

const formatAccess = ({ access: list }: { readonly access: readonly HubAccess[] }, terminal: Terminal): string[] =>
  list.length === 0
    ? ['No role has access by a grant. The owner of the tables has every project.']
    : formatItems(list, terminal, [
        { head: 'project', cell: ({ project }) => project },
        { head: 'role', cell: ({ role }) => role },
        { head: 'may', cell: describeRights },
        { head: 'granted by', cell: ({ grantedBy }) => grantedBy },
        { head: 'on', cell: ({ grantedAt }) => grantedAt.slice(0, 10) },
      ])
