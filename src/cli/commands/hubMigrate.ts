// memctl hub migrate: creates the tables of the hub, or brings them up to date.
import type { Command } from 'commander'
import type { MigrationStep, SchemaStatus } from '../../database/migrate.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { type HubOptions, withHubDatabase, withHubOptions } from '../context/hubDatabase.ts'
import { integerOption } from '../context/storeOption.ts'

interface MigrateCommandOptions extends HubOptions {
  readonly dimension?: number
  readonly dryRun?: boolean
}

interface MigrateAnswer {
  readonly database: string
  readonly dryRun: boolean
  /** Steps that were applied, or with --dry-run would be. */
  readonly steps: readonly MigrationStep[]
  /** Steps for an extension that the server does not offer. */
  readonly notForThisServer: SchemaStatus['notForThisServer']
  readonly version: number
}

/** Of the built-in embedder. */
const DEFAULT_DIMENSION = 256

export function registerHubMigrate(hub: Command, io: CliContext): void {
  withHubOptions(hub.command('migrate').description('create the tables of the hub, or bring them up to date'))
    .option('--dimension <n>', `numbers of a vector, for new tables (default: ${DEFAULT_DIMENSION})`, integerOption(1))
    .option('--dry-run', 'show what would be applied; write nothing')
    .action(async (options: MigrateCommandOptions) => {
      printResult(io, options.json, await runMigrate(options, io), formatMigrate)
    })
}

function runMigrate(options: MigrateCommandOptions, io: CliContext): Promise<MigrateAnswer> {
  // An index over many rows takes as long as it takes.
  const limits = { statementTimeoutMs: 0 }
  return withHubDatabase({ ...options, limits }, io, async (database) => {
    const { migrate, readSchemaStatus } = await import('../../database/migrate.ts')
    const { readServerStatus } = await import('../../database/serverStatus.ts')
    const { name, dimension } = await readServerStatus(database)
    if (options.dimension !== undefined && dimension !== undefined && dimension !== options.dimension) {
      throw new MemoryError(
        'DATABASE_VERSION',
        `the tables of the database ${name} have vectors of ${dimension} numbers`,
        {
          hint: `Omit --dimension; other vectors need a database of their own.`,
        },
      )
    }
    const before = await readSchemaStatus(database)
    if (options.dryRun) return { ...answerOf(before), database: name, dryRun: true, steps: before.pending }
    const steps = await migrate(database, { dimension: options.dimension ?? dimension ?? DEFAULT_DIMENSION })
    return { ...answerOf(await readSchemaStatus(database)), database: name, dryRun: false, steps }
  })
}

const answerOf = ({ notForThisServer, version }: SchemaStatus): Pick<SchemaStatus, 'notForThisServer' | 'version'> => ({
  notForThisServer,
  version,
})

function formatMigrate({ database, dryRun, steps, notForThisServer, version }: MigrateAnswer): string[] {
  const missing = notForThisServer.map(
    (step) => `Not applied: ${step.version} ${step.name}, for the extension ${step.needs}, which this server has not.`,
  )
  if (steps.length === 0)
    return [`The tables of the database ${database} are up to date (version ${version}).`, ...missing]
  const head = `${dryRun ? 'Would apply' : 'Applied'} ${formatCount(steps.length, 'step')} to the database ${database}:`
  return [head, ...steps.map((step) => `  ${step.version}  ${step.name}`), ...missing]
}
