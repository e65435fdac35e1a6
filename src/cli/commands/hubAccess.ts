// memctl hub grant, revoke and access: which database roles may read or write which project on the hub.
import type { Command } from 'commander'
import type { HubAccess } from '../../database/hub/hubAccess.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatTable } from '../../report/formatTable.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { type HubOptions, withHubDatabase, withHubOptions } from '../context/hubDatabase.ts'

interface AccessOptions extends HubOptions {
  readonly project?: string
  readonly write?: boolean
}

const loadAccess = () => import('../../database/hub/hubAccess.ts')

export function registerHubGrant(hub: Command, io: CliContext): void {
  const command = hub.command('grant <role>').description('let a database role read a project on the hub, or write it')
  withProjectOption(withHubOptions(command))
    .option('--write', 'let it write too')
    .action(async (role: string, options: AccessOptions) => {
      const given = { project: requireProject(options), role, canWrite: options.write === true }
      await withHubDatabase(options, io, async (database) => (await loadAccess()).grantAccess(database, given))
      printResult(io, options.json, given, ({ project, canWrite }) => [
        `${role} may ${canWrite ? 'read and write' : 'read'} the project ${project}.`,
      ])
    })
}

export function registerHubRevoke(hub: Command, io: CliContext): void {
  withProjectOption(
    withHubOptions(hub.command('revoke <role>').description('take a project from a database role')),
  ).action(async (role: string, options: AccessOptions) => {
    const project = requireProject(options)
    const hadAccess = await withHubDatabase(options, io, async (database) =>
      (await loadAccess()).revokeAccess(database, { project, role }),
    )
    printResult(io, options.json, { project, role, hadAccess }, () => [
      hadAccess ? `${role} has no access to the project ${project} any more.` : `${role} had no access to ${project}.`,
    ])
  })
}

export function registerHubAccess(hub: Command, io: CliContext): void {
  withHubOptions(hub.command('access').description('show which database roles have access to which projects'))
    .option('--project <key>', 'only this project')
    .action(async (options: HubOptions & { readonly project?: string }) => {
      const list = await withHubDatabase(options, io, async (database) =>
        (await loadAccess()).listAccess(database, options.project),
      )
      printResult(io, options.json, { access: list }, formatAccess)
    })
}

const withProjectOption = (command: Command): Command =>
  command.option('--project <key>', "the project's key on the hub (see `memctl hub access`)")

function requireProject({ project }: AccessOptions): string {
  if (project) return project
  throw new MemoryError('USAGE', '--project is missing', {
    hint: 'Name the project by its key on the hub: `memctl hub access` lists those with access.',
  })
}

function formatAccess(
  { access: list }: { readonly access: readonly HubAccess[] },
  { columns, palette }: Terminal,
): string[] {
  if (list.length === 0) return ['No role has access by a grant. The owner of the tables has every project.']
  return formatTable(
    ['project', 'role', 'may', 'granted by', 'on'],
    list.map(({ project, role, canWrite, grantedBy, grantedAt }) => [
      ...[project, role, canWrite ? 'read, write' : 'read', grantedBy, grantedAt.slice(0, 10)],
    ]),
    columns,
    palette.dim,
  )
}
