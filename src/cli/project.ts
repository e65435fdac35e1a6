// memctl project: which project a folder is, and letting it into the one that its project.yaml names.
import path from 'node:path'
import type { Command } from 'commander'
import type { Membership } from '../broker/membership.ts'
import { type Io, type Page, tell } from './io.ts'

interface Words {
  readonly project?: string
  readonly json?: boolean
}

export function registerProject(program: Command, io: Io): void {
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
    const { confirmClaim } = await import('../broker/membership.ts')
    confirmClaim(folderIn(words, io), io.env)
    await told(words, io)
  })
  options(project.command('withdraw').description('take that back: the folder is a project by itself again')).action(
    async (words: Words) => {
      const { withdrawClaim } = await import('../broker/membership.ts')
      withdrawClaim(folderIn(words, io), io.env)
      await told(words, io)
    },
  )
}

const folderIn = (words: Words, io: Io): string => path.resolve(io.cwd, words.project ?? '.')

async function told(words: Words, io: Io): Promise<void> {
  const { membershipOf } = await import('../broker/membership.ts')
  tell(io, words.json, membershipOf(folderIn(words, io), io.env), membershipLines)
}

function membershipLines({ project, named, confirmed, members }: Membership, { palette }: Page): string[] {
  const call = ({ name, id }: { readonly name: string; readonly id: string }): string => `${name}-${id}`
  const by = { 'project.yaml': 'project.yaml, confirmed', origin: "origin's URL", git: 'git folder', folder: 'folder' }
  const waiting =
    named === null || confirmed
      ? []
      : [
          `Its project.yaml names ${palette.bold(call(named))}, which nobody has confirmed, so it does not count.`,
          'Let it in with `memctl project confirm`: it reads that project\u2019s memories then, and adds to them.',
        ]
  return [
    `${palette.bold(call(project))} ${palette.dim(project.root)}, by its ${by[project.identity]}`,
    ...members.map((member) => `  let in: ${call(member)} ${palette.dim(member.root)}`),
    ...waiting,
  ]
}
