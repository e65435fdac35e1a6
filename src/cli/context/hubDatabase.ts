// The database of the hub for a command: its URL from --url, the environment or config.yaml, and the open database.
import type { Command } from 'commander'
import type { Database, DatabaseOptions } from '../../database/database.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { CliContext } from './cliContext.ts'

export interface HubOptions {
  readonly url?: string
  readonly json?: boolean
}

export interface HubUrl {
  readonly url: string
  readonly from: '--url' | 'MEMCTL_DATABASE_URL' | 'config.yaml'
}

/** Adds `--url` and `--json`. */
export const withHubOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'the database: postgresql://USER@HOST/DATABASE (default: MEMCTL_DATABASE_URL, config.yaml)')
    .option('--json', 'print one line of JSON')

/** The URL of the hub. Throws NOT_FOUND if none is configured, and CONFIG_INVALID. */
async function findHubUrl({ url }: HubOptions, io: CliContext): Promise<HubUrl> {
  if (url !== undefined) return { url, from: '--url' }
  const [{ readHubConfig }, { resolveMemctlHome }] = await Promise.all([
    import('../../broker/hub/hubConfig.ts'),
    import('../../store/project/project.ts'),
  ])
  const config = readHubConfig(resolveMemctlHome(io.env), io.env)
  if (config) return { url: config.url, from: config.from }
  const isApplication = Boolean(io.env['DATABASE_URL'])
  throw new MemoryError('NOT_FOUND', 'No hub is configured', {
    hint: isApplication
      ? 'DATABASE_URL is not used, because it is often the database of an application: pass --url "$DATABASE_URL".'
      : 'Run `memctl hub connect postgresql://USER@HOST/DATABASE`, or set MEMCTL_DATABASE_URL.',
  })
}

/** Runs `use` with the database of the hub, and closes it. */
export async function withHubDatabase<T>(
  options: HubOptions & { readonly limits?: Omit<DatabaseOptions, 'url' | 'env'> },
  io: CliContext,
  use: (database: Database, hub: HubUrl) => Promise<T>,
): Promise<T> {
  const hub = await findHubUrl(options, io)
  const { openDatabase } = await import('../../database/database.ts')
  const database = await openDatabase({ maxConnections: 2, ...options.limits, url: hub.url, env: io.env })
  try {
    return await use(database, hub)
  } finally {
    await database.close()
  }
}
