// memctl project: which project a folder belongs to, and the confirmation of the id that its project.yaml names.
import path from 'node:path'
import type { Command } from 'commander'
import type { ProjectTrust } from '../../broker/open/projectTrust.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { type StoreOptions, withJsonOption, withProjectOption } from '../context/storeOption.ts'

export function registerProject(program: Command, io: CliContext): void {
  const project = program.command('project').description('show which project a folder belongs to')
  const folderOf = (options: StoreOptions): string => path.resolve(io.cwd, options.project ?? '.')
  const print = async (options: StoreOptions): Promise<void> => {
    const { readProjectTrust } = await import('../../broker/open/projectTrust.ts')
    printResult(io, options.json, readProjectTrust(folderOf(options), io.env), formatTrust)
  }
  withJsonOption(withProjectOption(project.command('show', { isDefault: true })))
    .description('show the project, what identifies it, and which folders share it')
    .action(print)
  withJsonOption(withProjectOption(project.command('confirm')))
    .description("confirm the project id in this folder's .memctl/project.yaml")
    .action(async (options: StoreOptions) => {
      const { confirmProjectId } = await import('../../broker/open/projectTrust.ts')
      confirmProjectId(folderOf(options), io.env)
      await print(options)
    })
  withJsonOption(withProjectOption(project.command('revoke')))
    .description('revoke the confirmation: the folder is a separate project again')
    .action(async (options: StoreOptions) => {
      const { revokeProjectId } = await import('../../broker/open/projectTrust.ts')
      revokeProjectId(folderOf(options), io.env)
      await print(options)
    })
}

const IDENTITIES: { readonly [Identity in ProjectTrust['project']['identity']]: string } = {
  'project.yaml': 'project.yaml, confirmed',
  origin: "origin's URL",
  git: 'git folder',
  folder: 'folder',
}

function formatTrust({ project, namedProject, confirmed, members }: ProjectTrust, { palette }: Terminal): string[] {
  const nameOf = ({ name, id }: { readonly name: string; readonly id: string }): string => `${name}-${id}`
  const unconfirmed =
    namedProject === null || confirmed
      ? []
      : [
          `Its project.yaml names ${palette.bold(nameOf(namedProject))}, which is not confirmed, so it is ignored.`,
          'Confirm it with `memctl project confirm`: this folder then reads and writes the memories of that project.',
        ]
  return [
    `${palette.bold(nameOf(project))} ${palette.dim(project.root)}, identified by its ${IDENTITIES[project.identity]}`,
    ...members.map((member) => `  shared with: ${nameOf(member)} ${palette.dim(member.root)}`),
    ...unconfirmed,
  ]
}
