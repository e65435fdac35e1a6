// memctl project: which project a folder is, and letting it into the one that its project.yaml names.
import path from 'node:path'
import type { Command } from 'commander'
import type { ProjectTrust } from '../../broker/open/projectTrust.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'

interface Words {
  readonly project?: string
  readonly json?: boolean
}

export function registerProject(program: Command, io: CliContext): void {
  const options = (command: Command): Command =>
    command
      .option('--project <dir>', 'a folder of the project (default: where you are)')
      .option('--json', 'answer as one line of JSON')
  const project = program.command('project').description('which project a folder is, and by what')
  options(project.command('show', { isDefault: true }).description('the project, who names it, who was let in')).action(
    (words: Words) => told(words, io),
  )
  options(
    project.command('confirm').description('let this folder into the project its .memctl/project.yaml names'),
  ).action(async (words: Words) => {
    const { confirmProjectId } = await import('../../broker/open/projectTrust.ts')
    confirmProjectId(folderIn(words, io), io.env)
    await told(words, io)
  })
  options(project.command('withdraw').description('take that back: the folder is a project by itself again')).action(
    async (words: Words) => {
      const { revokeProjectId } = await import('../../broker/open/projectTrust.ts')
      revokeProjectId(folderIn(words, io), io.env)
      await told(words, io)
    },
  )
}

const folderIn = (options: Words, io: CliContext): string => path.resolve(io.cwd, options.project ?? '.')

async function told(options: Words, io: CliContext): Promise<void> {
  const { readProjectTrust } = await import('../../broker/open/projectTrust.ts')
  printResult(io, options.json, readProjectTrust(folderIn(options, io), io.env), membershipLines)
}

function membershipLines({ project, namedProject, confirmed, members }: ProjectTrust, { palette }: Terminal): string[] {
  const call = ({ name, id }: { readonly name: string; readonly id: string }): string => `${name}-${id}`
  const by = { 'project.yaml': 'project.yaml, confirmed', origin: "origin's URL", git: 'git folder', folder: 'folder' }
  const waiting =
    namedProject === null || confirmed
      ? []
      : [
          `Its project.yaml names ${palette.bold(call(namedProject))}, which nobody has confirmed, so it does not count.`,
          'Let it in with `memctl project confirm`: it reads that project\u2019s memories then, and adds to them.',
        ]
  return [
    `${palette.bold(call(project))} ${palette.dim(project.root)}, by its ${by[project.identity]}`,
    ...members.map((member) => `  let in: ${call(member)} ${palette.dim(member.root)}`),
    ...waiting,
  ]
}
