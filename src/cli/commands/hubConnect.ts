// memctl hub connect and disconnect: which database this machine shares memories through. Nothing is shared before a
// project joins. And that database for a command: its URL from --url, the environment or config.yaml.
import type { Command } from 'commander'
import { sanitize } from '../../broker/commands/newMemory.ts'
import { configFile } from '../../broker/open/hookConfig.ts'
import { readActivePolicy } from '../../broker/policy/activePolicy.ts'
import type { Database, DatabaseOptions } from '../../database/database.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { translate } from '../../report/translation.ts'
import { resolveMemctlHome } from '../../store/project/project.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { linkPackages } from '../context/packageInfo.ts'
import { openSelectedStore, withJsonOption } from '../context/storeOption.ts'
import { describeSharing } from './hubJoin.ts'

export function registerHubConnect(hub: Command, io: CliContext): void {
  withJsonOption(hub.command('connect').description('check a PostgreSQL database and use it as your hub'))
    .argument('[url]', 'postgresql://USER@HOST/DATABASE (default: MEMCTL_DATABASE_URL, which is then in no file)')
    .option('--name <name>', 'what the team calls you (default: your account)')
    .action(async (url: string | undefined, options: HubOptions & { readonly name?: string }) => {
      printResult(io, options.json, await connect(url, options, io), formatConnection)
    })
}

export function registerHubDisconnect(hub: Command, io: CliContext): void {
  withJsonOption(hub.command('disconnect').description('use no hub any more; what was shared stays there')).action(
    async (options: HubOptions) => {
      const { withoutPassword, readHubConfig, writeHubConfig } = await import('../../broker/hub/hubConfig.ts')
      const home = resolveMemctlHome(io.env)
      const config = readHubConfig({ home }, {})
      if (config) writeHubConfig(home, undefined)
      const isInEnvironment = readHubConfig({ home }, io.env) !== undefined
      const result = { url: config ? withoutPassword(config.url) : null, isInEnvironment }
      printResult(io, options.json, result, formatDisconnected)
    },
  )
}

type Connection = Awaited<ReturnType<typeof connect>>

async function connect(given: string | undefined, { name: named }: { readonly name?: string }, io: CliContext) {
  const config = await import('../../broker/hub/hubConfig.ts')
  const { readServerStatus } = await import('../../database/database.ts')
  const { readSchemaStatus } = await import('../../database/migrate.ts')
  const store = await openSelectedStore({}, io)
  const home = resolveMemctlHome(io.env)
  const before = config.readHubConfig(store, io.env)
  const name = named ?? before?.name ?? config.defaultHubName(io.env)
  config.checkHubName(sanitize(name), '--name')
  const url = given ?? config.requireHubConfig(store, io.env).url
  config.checkHubUrl(url, 'the URL')
  const hasPassword = config.withoutPassword(url) !== url
  // The config changes only after the database has answered: with a wrong address the old hub stays.
  return withHubDatabase({ url }, io, async (database) => {
    const server = await readServerStatus(database)
    const schema = await readSchemaStatus(database)
    const isFromEnv = given === undefined && before?.from === 'MEMCTL_DATABASE_URL'
    linkPackages(home, ['pg'])
    config.writeHubConfig(home, isFromEnv ? { name } : { url, name })
    return {
      url: config.withoutPassword(url),
      name,
      from: isFromEnv ? 'MEMCTL_DATABASE_URL' : 'config.yaml',
      config: configFile(home),
      server: server.version,
      tables: schema.version,
      pending: schema.pending.length,
      // It is in the config now.
      hasPassword: hasPassword && !isFromEnv,
      team: readActivePolicy(store).policy.team,
    }
  })
}

function formatConnection(connection: Connection, { palette }: Terminal): string[] {
  const { url, name, from, config, server, pending, hasPassword, team } = connection
  const where = from === 'config.yaml' ? `Written to ${config}.` : `The URL is in ${from}, your name in ${config}.`
  return [
    `Connected to ${palette.bold(url)} (PostgreSQL ${server}) as ${palette.bold(name)}.`,
    where,
    ...(hasPassword
      ? ['The file contains the password; only you can read it. A password file (~/.pgpass) keeps it out.']
      : []),
    '',
    ...describeSharing(team, name),
    '',
    ...(pending > 0 ? [palette.yellow('Its tables are missing, or of an older memctl: `memctl hub migrate`.')] : []),
    'Nothing is shared yet. In each project that you share: `memctl hub join`.',
  ]
}

const formatDisconnected = (result: { readonly url: string | null; readonly isInEnvironment: boolean }): string[] => [
  result.url === null
    ? 'No hub is configured in config.yaml.'
    : `Disconnected from ${result.url}. What was shared stays in the hub; \`memctl hub leave\` would take it back.`,
  ...(result.isInEnvironment ? ['MEMCTL_DATABASE_URL still names a hub: unset it.'] : []),
]

export type HubOptions = Readonly<{ url?: string; project?: string; json?: boolean }>

export interface HubUrl {
  readonly url: string
  readonly from: '--url' | 'MEMCTL_DATABASE_URL' | 'config.yaml'
}

/** Adds `--url` and `--json`. */
export const withHubOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'the database: postgresql://USER@HOST/DATABASE (default: MEMCTL_DATABASE_URL, config.yaml)')
    .option('--json', 'print one line of JSON')

export const withProjectOption = (command: Command): Command =>
  command.option('--project <key>', "the project's key on the hub (default: of this folder)")

/** Runs `use` with the database of the hub, and closes it. */
export async function withHubDatabase<T>(
  options: HubOptions & { readonly limits?: Omit<DatabaseOptions, 'url' | 'env'> },
  io: CliContext,
  use: (database: Database, hub: HubUrl) => Promise<T>,
): Promise<T> {
  const { requireHubConfig } = await import('../../broker/hub/hubConfig.ts')
  const { url, project } = options
  const configured = () => requireHubConfig({ home: resolveMemctlHome(io.env) }, io.env, project)
  const hub = url === undefined ? configured() : ({ url, from: '--url' } as const)
  const { openDatabase } = await import('../../database/database.ts')
  const database = await openDatabase({ maxConnections: 2, ...options.limits, url: hub.url, env: io.env })
  try {
    return await use(database, hub)
  } finally {
    await database.close()
  }
}

/**
 * The hub of a project: of `--project`, else of the folder. Prints a line if nobody shares it yet. Throws USAGE where
 * the folder has joined none, and DATABASE_ACCESS if the role has no access to it.
 */
export async function withProject<T>(
  options: HubOptions,
  io: CliContext,
  use: (database: Database, project: string, hub: HubUrl) => Promise<T>,
): Promise<T> {
  const { readTeam } = await import('../../broker/team/hubStatus.ts')
  const project = options.project ?? readTeam(await openSelectedStore({}, io))?.project
  if (project) {
    return withHubDatabase({ ...options, project }, io, async (database, hub) => {
      if (!(await (await import('../../database/hubAccess.ts')).isShared(database, project)))
        io.err.write(`${translate(`Nobody shares ${sanitizeForTerminal(project)} yet: is this the name?`)}\n`)
      return use(database, project, hub)
    })
  }
  throw new MemoryError('USAGE', '--project is missing', {
    hint: 'Run it in a project that has joined, or name it by its key on the hub: `memctl status` there shows it.',
  })
}
