// memctl project: which project a folder belongs to, whether the person trusts what its repository brings, and the
// confirmation of the id that its project.yaml names.
import path from 'node:path'
import type { Command } from 'commander'
import type { ProjectTrust } from '../../broker/open/projectTrust.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { type StoreOptions, withJsonOption, withProjectOption } from '../context/storeOption.ts'
import { registerProjectMemory } from './projectMemory.ts'

export function registerProject(program: Command, io: CliContext): void {
  const project = program.command('project').description('show, list, link, merge and forget projects')
  const folderOf = (options: StoreOptions): string => path.resolve(io.cwd, options.project ?? '.')
  const print = async (options: StoreOptions): Promise<void> => {
    const { readProjectTrust } = await import('../../broker/open/projectTrust.ts')
    printResult(io, options.json, readProjectTrust(folderOf(options), io.env), formatTrust)
  }
  withJsonOption(withProjectOption(project.command('show')))
    .description('show the project, what identifies it, and which folders share it')
    .action(print)
  const change = (trust: 'trusted' | 'untrusted') => async (options: StoreOptions) => {
    const [{ changeTrust }, { openStore }] = await Promise.all([
      import('../../broker/entries/trustEntries.ts'),
      import('../../broker/open/openStore.ts'),
    ])
    changeTrust(openStore(folderOf(options), io.env), trust, Date.now())
    await print(options)
  }
  withJsonOption(withProjectOption(project.command('trust')))
    .description('use the entries, session files and policy that this repository brings')
    .action(change('trusted'))
  withJsonOption(withProjectOption(project.command('untrust')))
    .description('stop using them; the files stay')
    .action(change('untrusted'))
  withJsonOption(withProjectOption(project.command('confirm')))
    .description("confirm the project id in this folder's .memctl/project.yaml; includes trust")
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
  registerProjectMemory(project, io)
}

const IDENTITIES: { readonly [Identity in ProjectTrust['project']['identity']]: string } = {
  'project.yaml': 'project.yaml, confirmed',
  origin: "origin's URL",
  git: 'git folder',
  folder: 'folder',
}

function formatContent({ content, hasContent }: Pick<ProjectTrust, 'content' | 'hasContent'>): string[] {
  if (content === 'trusted') return hasContent ? ['Its entries and its policy are trusted, and used.'] : []
  if (!hasContent) return content === 'untrusted' ? ['Not trusted: what it brings would not be used.'] : []
  return ['It brings entries or a policy, which are not used. Trust them with `memctl project trust`.']
}

function formatTrust(
  { project, namedProject, confirmed, members, ...content }: ProjectTrust,
  { palette }: Terminal,
): string[] {
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
    ...(project.linkedFrom === undefined
      ? []
      : [`  linked from ${project.linkedFrom}, its own memory; \`memctl project unlink\` separates them`]),
    ...members.map((member) => `  shared with: ${nameOf(member)} ${palette.dim(member.root)}`),
    ...formatContent(content),
    ...unconfirmed,
  ]
}
