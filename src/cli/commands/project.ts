// memctl project: which memories there are and which one a folder uses, whether the person trusts what its repository
// brings, and the confirmation of the id that its project.yaml names.
import path from 'node:path'
import type { Command } from 'commander'
import { isEmptyText } from '../../broker/commands/newMemory.ts'
import type { ProjectTrust } from '../../broker/open/projectTrust.ts'
import type { ForgottenProject, MergeResult } from '../../broker/projects/changeProjects.ts'
import type { ProjectQuery, ProjectSummary } from '../../broker/projects/projectList.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { removeControls, sanitizeForTerminal } from '../../report/fitText.ts'
import { formatBytes, formatCount, formatTimeAgo } from '../../report/formatNumber.ts'
import { formatItems } from '../../report/formatTable.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { type ConfirmOptions, confirmDeletion, withConfirmOptions } from '../context/forPerson.ts'
import { type StoreOptions, withJsonOption, withProjectOption } from '../context/storeOption.ts'

export function registerProject(program: Command, io: CliContext): void {
  const project = program.command('project').description('show, list, link, merge and forget projects')
  const print = async (options: StoreOptions): Promise<void> => {
    const { readProjectTrust } = await import('../../broker/open/projectTrust.ts')
    printResult(io, options.json, readProjectTrust(folderOf(options, io), io.env), formatTrust)
  }
  addCommand(project, 'show', 'show the project, what identifies it, and which folders share it').action(print)
  const change = (trust: 'trusted' | 'untrusted') => async (options: StoreOptions) => {
    const { changeTrust } = await import('../../broker/entries/entryMaintenance.ts')
    changeTrust(await open(options, io), trust, Date.now())
    await print(options)
  }
  addCommand(project, 'trust', 'use the entries, session files and policy that this repository brings').action(
    change('trusted'),
  )
  addCommand(project, 'untrust', 'stop using them; the files stay').action(change('untrusted'))
  const changeId = (name: 'confirmProjectId' | 'revokeProjectId') => async (options: StoreOptions) => {
    const trust = await import('../../broker/open/projectTrust.ts')
    trust[name](folderOf(options, io), io.env)
    await print(options)
  }
  addCommand(project, 'confirm', "confirm the project id in this folder's .memctl/project.yaml; includes trust").action(
    changeId('confirmProjectId'),
  )
  addCommand(project, 'revoke', 'revoke the confirmation: the folder is a separate project again').action(
    changeId('revokeProjectId'),
  )
  registerProjectMemory(project, io)
}

const addCommand = (project: Command, name: string, about: string): Command =>
  withJsonOption(withProjectOption(project.command(name))).description(about)

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

const PROJECT_ARGUMENT = 'a name, the beginning of an id, or a folder'

function registerProjectMemory(project: Command, io: CliContext): void {
  addCommand(project, 'list', 'list all projects with a memory: folders, sizes, last use').action(
    async (options: StoreOptions) => {
      const store = await open(options, io)
      const { listProjects } = await import('../../broker/projects/projectList.ts')
      const projects = listProjects(store)
      printResult(io, options.json, { projects, total: projects.length }, formatProjects)
    },
  )
  addCommand(project, 'link', "use another project's memory in this folder's project; `unlink` undoes it")
    .argument('<project>', PROJECT_ARGUMENT)
    .action(async (word: string, options: StoreOptions) => {
      const { linkProject } = await import('../../broker/projects/changeProjects.ts')
      const { summarizeProject } = await import('../../broker/projects/projectList.ts')
      const store = await open(options, io)
      const name = await select(word, options, io)
      linkProject(store, name, { folder: folderOf(options, io), env: io.env, now: Date.now() })
      const after = await open(options, io)
      const linked = summarizeProject(after, `${after.project.name}-${after.project.id}`)
      printResult(io, options.json, { linked }, () => [
        `This folder now uses the memory of ${describe(linked)}.`,
        '`memctl project unlink` gives it its own memory again.',
      ])
    })
  addCommand(
    project,
    'unlink',
    "give this folder's project its own memory again, and no longer suggest another one",
  ).action(async (options: StoreOptions) => {
    const { unlinkProject } = await import('../../broker/projects/changeProjects.ts')
    const unlinked = unlinkProject(await open(options, io), folderOf(options, io))
    printResult(io, options.json, { unlinked }, () => [
      `This folder uses its own memory, not that of ${unlinked.join(', ')}.`,
      `\`memctl project link ${unlinked[0]}\` links them again.`,
    ])
  })
  registerMerge(project, io)
  addCommand(project, 'rename', 'give a project another name in lists and messages; its folders and its id stay')
    .argument('<project>', PROJECT_ARGUMENT)
    .argument('<name>', 'the new name')
    .action(async (word: string, name: string, options: StoreOptions) => {
      const { renameProject } = await import('../../broker/projects/changeProjects.ts')
      const { summarizeProject } = await import('../../broker/projects/projectList.ts')
      const store = await open(options, io)
      const selected = await select(word, options, io)
      renameProject(store, selected, checkTitle(name))
      const renamed = summarizeProject(store, selected)
      printResult(io, options.json, { renamed }, () => [`${renamed.store} is now called ${renamed.name}.`])
    })
  registerForgetProject(project, io)
}

function registerMerge(project: Command, io: CliContext): void {
  addCommand(project, 'merge', 'copy the memory of a project into another one, and use that one for both')
    .argument('<from>', PROJECT_ARGUMENT)
    .argument('[into]', 'the other project (default: that of this folder)', '.')
    .option('--dry-run', 'show what would be copied, and change nothing')
    .action(async (from: string, into: string, options: StoreOptions & { readonly dryRun?: boolean }) => {
      const { mergeProjects, followLinks } = await import('../../broker/projects/changeProjects.ts')
      const store = await open(options, io)
      const source = await select(from, options, io, { which: 'own' })
      const target = followLinks(store, await select(into, options, io, { mayBeEmpty: true }))
      const merge = { from: source, into: target, now: Date.now(), dryRun: options.dryRun === true }
      printResult(io, options.json, mergeProjects(store, merge), formatMerge)
    })
}

function registerForgetProject(project: Command, io: CliContext): void {
  withConfirmOptions(withJsonOption(withProjectOption(project.command('forget'))))
    .description('erase a project: its log, its memories, and what other projects have of them')
    .argument('<project>', PROJECT_ARGUMENT)
    .action(async (word: string, options: StoreOptions & ConfirmOptions) => {
      const { forgetProject, removeForgotten } = await import('../../broker/projects/changeProjects.ts')
      const store = await open(options, io)
      if (!options.dryRun) removeForgotten(store)
      const selected = await select(word, options, io, { which: 'own' })
      const forget = (dryRun: boolean): ForgottenProject => forgetProject(store, selected, Date.now(), dryRun)
      const question = `Erase the project ${selected} permanently?`
      const deletion = { preview: () => forget(true), format: formatForgotten, question }
      if (await confirmDeletion(io, options, deletion)) printResult(io, options.json, forget(false), formatForgotten)
    })
}

const folderOf = (options: StoreOptions, io: CliContext): string => path.resolve(io.cwd, options.project ?? '.')

async function open(options: StoreOptions, io: CliContext) {
  const { openStore } = await import('../../broker/open/openStore.ts')
  return openStore(folderOf(options, io), io.env)
}

/** The name of the store that a person means. */
async function select(
  word: string,
  options: StoreOptions,
  io: CliContext,
  folderMeaning: Pick<ProjectQuery, 'which' | 'mayBeEmpty'> = {},
) {
  const { selectProject } = await import('../../broker/projects/projectList.ts')
  return selectProject(await open(options, io), { word, cwd: folderOf(options, io), env: io.env, ...folderMeaning })
}

const TITLE_CHARS_MAX = 80

function checkTitle(name: string): string {
  const title = name.trim()
  if (!isEmptyText(title) && title.length <= TITLE_CHARS_MAX && !/[\u0000-\u001f\u007f-\u009f\\/]/.test(title))
    return title
  throw new MemoryError('INPUT_INVALID', 'This is no name for a project', {
    hint: `Use 1 to ${TITLE_CHARS_MAX} characters without slashes and line breaks.`,
  })
}

const describe = ({ name, store, memories }: ProjectSummary): string =>
  `${sanitizeForTerminal(name)} (${store}, ${formatCount(memories, 'memory', 'memories')})`

function formatProjects({ projects }: { readonly projects: readonly ProjectSummary[] }, terminal: Terminal): string[] {
  if (projects.length === 0) return ['No project has a memory yet: it begins with the first session.']
  const now = Date.now()
  const table = formatItems(projects, terminal, [
    { head: '', cell: ({ current }) => (current ? '*' : '') },
    { head: 'name', cell: ({ name }) => sanitizeForTerminal(name) },
    { head: 'id', cell: ({ id }) => id.slice(0, 6) },
    { head: 'memories', align: 'right', cell: ({ memories }) => String(memories) },
    { head: 'size', align: 'right', cell: ({ bytes }) => formatBytes(bytes) },
    { head: 'last used', cell: ({ lastUsed }) => (lastUsed === null ? 'never' : formatTimeAgo(lastUsed, now)) },
    { head: 'folder', canShrink: true, cell: formatFolders },
  ])
  const hasCurrent = projects.some(({ current }) => current)
  return hasCurrent ? [...table, terminal.palette.dim('* the project of this folder')] : table
}

function formatFolders({ folders, exists, linkedTo }: ProjectSummary): string {
  const [first = '?', ...others] = folders
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  const state = linkedTo !== null ? `, uses ${linkedTo}` : exists ? '' : ' (gone)'
  return removeControls(`${first}${more}${state}`)
}

function formatMerge({ from, into, events, dryRun }: MergeResult): string[] {
  const count = formatCount(events, 'event')
  if (dryRun) return [`${count} of ${describe(from)} would be copied into ${describe(into)}. Nothing was changed.`]
  return [
    `${count} of ${from.store} copied. ${describe(into)} is used for both.`,
    `${from.store} is kept as it was: \`memctl project forget ${from.store}\` erases it.`,
  ]
}

function formatForgotten({ project, events, statements, shared, links, dryRun }: ForgottenProject): string[] {
  const { memories, bytes, store } = project
  const counts = [formatCount(memories, 'memory', 'memories'), formatCount(events, 'event'), formatBytes(bytes)]
  return [
    `${dryRun ? 'Would erase' : 'Erased'} ${sanitizeForTerminal(project.name)} (${store}): ${counts.join(', ')}.`,
    ...project.folders.map((folder) => `  used in ${sanitizeForTerminal(folder)}`),
    ...(statements > 0 ? [`  ${formatCount(statements, 'statement')} that other projects are shown`] : []),
    ...(shared > 0 ? [`  ${formatCount(shared, 'memory', 'memories')} that other projects share`] : []),
    ...links.map((link) => `  the link from ${link}, which uses its own memory again`),
    ...(dryRun ? [] : ["Files of the project's own folder, and the client's session files, stay."]),
  ]
}
