// memctl hub join and leave: whether this project shares its memories. Joining shows first what would leave the
// machine, and then asks: it is a person's decision, for each project.
import path from 'node:path'
import type { Command } from 'commander'
import { sanitize } from '../../broker/commands/newMemory.ts'
import type { Store } from '../../broker/open/openStore.ts'
import type { SharingPreview } from '../../broker/team/membership.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { TeamNumbers } from '../../model/policy.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { formatTable, textColumn } from '../../report/formatTable.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { type ConfirmOptions, confirmDeletion } from '../context/forPerson.ts'
import { linkPackages } from '../context/packageInfo.ts'
import { openSyncedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatKindNames, formatKinds } from '../format/memoryText.ts'

type JoinOptions = StoreOptions & ConfirmOptions & { readonly projectKey?: string }

/** What joining would do, for the question. */
interface JoinPlan extends SharingPreview {
  readonly title: string
  /** The project's name on the hub. */
  readonly project: string
  readonly hub: string
  readonly name: string
  readonly team: TeamNumbers
  /** Its name on another hub, which it has not left. */
  readonly staysAt?: string
}

/** Memories that are listed before the question. */
const LISTED_MAX = 8

export function registerHubJoin(hub: Command, io: CliContext): void {
  withStoreOptions(hub.command('join').description('share the memories of this project with the team; asks first'))
    .option('--project-key <name>', "the project's name on the hub, the same for everyone (default: its origin)")
    .option('-y, --yes', 'do it without asking')
    .option('--dry-run', 'show what would be shared, and share nothing')
    .action(async (options: JoinOptions) => joinProject(await openSyncedStore(options, io), options, io))
}

export function registerHubLeave(hub: Command, io: CliContext): void {
  withStoreOptions(
    hub.command('leave').description('share this project no more, and take back what it has shared'),
  ).action(async (options: StoreOptions) => {
    const { leaveHub } = await import('../../broker/team/membership.ts')
    const store = await openSyncedStore(options, io)
    const result = { project: store.project.name, hasLeft: await leaveHub(store, Date.now()) }
    printResult(io, options.json, result, formatLeft)
  })
}

async function joinProject(store: Store, options: JoinOptions, io: CliContext): Promise<void> {
  const { requireHubConfig, withoutPassword } = await import('../../broker/hub/hubConfig.ts')
  const { newMachineId, openHub } = await import('../../broker/team/syncProjects.ts')
  const { assertHubVersion, joinTeam, previewSharing, readSharedKinds } = await import(
    '../../broker/team/membership.ts'
  )
  const { readActivePolicy } = await import('../../broker/policy/activePolicy.ts')
  const project =
    options.projectKey === undefined ? await findProjectKey(store) : checkProjectKey(sanitize(options.projectKey))
  const { url, name } = requireHubConfig(store, io.env, project)
  const { readTeam } = await import('../../broker/team/hubStatus.ts')
  const { hub, versions } = await openHub({ url }, io.env)
  try {
    const description = await hub.describe()
    assertHubVersion(description, versions)
    const before = readTeam(store)
    const isOnOtherHub = before !== undefined && !before.hasLeft && before.hub !== description.hub
    const own = readActivePolicy(store).policy.team
    const kinds = (await readSharedKinds(hub, { project, replica: newMachineId(), name })) ?? own.kinds
    // The parameters behind the name say nothing about whose database it is.
    const joined = { project, hub: withoutPassword(url).replace(/\?.*$/, ''), name }
    const preview = (): JoinPlan => ({
      ...joined,
      title: store.project.name,
      team: { ...own, kinds },
      ...previewSharing(store, kinds),
      ...(isOnOtherHub && { staysAt: before.project }),
    })
    const hint = 'Add --yes to share, or --dry-run for a preview.'
    const sharing = { preview, format: formatPlan, question: 'Share this project?', done: 'shared', hint }
    if (!(await confirmDeletion(io, options, sharing))) return
    linkPackages(store.home, ['pg'])
    await joinTeam(store, { hub, project, name, kinds, now: Date.now(), newId: newMachineId })
    printResult(io, options.json, joined, formatJoined)
  } finally {
    await hub.close()
  }
}

/** The origin of the repository, as every clone has it. Throws USAGE where each machine would have another name. */
async function findProjectKey({ project }: Store): Promise<string> {
  const { readEvidence } = await import('../../store/project/folderEvidence.ts')
  const origin = readEvidence(project.root, project)[0]?.origin
  if (origin !== undefined && !path.isAbsolute(origin)) return checkProjectKey(origin)
  throw new MemoryError('USAGE', 'This project has no origin that all its clones share', {
    hint: 'Choose a name, the same on every machine: `memctl hub join --project-key NAME`.',
  })
}

const KEY_CHARS_MAX = 200

function checkProjectKey(key: string): string {
  if (key.length <= KEY_CHARS_MAX && /^[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u.test(key)) return key
  throw new MemoryError('USAGE', `The project key is ${JSON.stringify(key)}`, {
    hint: `Use 1 to ${KEY_CHARS_MAX} characters on one line, for example github.com/me/shop.`,
  })
}

type Joined = Pick<JoinPlan, 'project' | 'hub' | 'name'>

function formatPlan(plan: JoinPlan, { palette, columns }: Terminal): string[] {
  const { title, project, hub, name, team, shared, byKind, kept, staysAt } = plan
  const now =
    shared.length === 0
      ? 'This project has nothing to share yet.'
      : `${formatCount(shared.length, 'memory', 'memories')} would be sent now: ${formatKinds(byKind)}`
  const rows = shared.slice(0, LISTED_MAX).map(({ kind, text }) => [kind, sanitizeForTerminal(text)])
  const listed = formatTable(['', textColumn('')], rows, columns - 2).map((line) => `  ${line}`)
  const more = shared.length - listed.length
  const stay = [
    ...(kept.private > 0 ? [`${kept.private} private`] : []),
    ...(kept.others > 0 ? [`${kept.others} of other kinds, or archived`] : []),
  ]
  return [
    `${palette.bold(title)} would be shared as ${palette.bold(project)}, by ${name}, through ${hub}.`,
    '',
    ...(staysAt === undefined
      ? []
      : [
          `On another hub it stays shared as ${staysAt}, and nothing is forgotten there any more.`,
          'To take it back, connect to that hub first, and run `memctl hub leave` and `memctl hub sync`.',
          '',
        ]),
    ...describeSharing(team, name),
    '',
    now,
    ...listed,
    ...(more > 0 ? [`  and ${more} more; \`memctl hub join --dry-run --json\` lists all`] : []),
    ...(stay.length > 0 ? [`These stay here: ${stay.join(', ')}`] : []),
    '',
    'Later ones follow when a session has ended. What somebody of the team edits, replaces or forgets changes for all.',
    '',
  ]
}

const formatJoined = ({ project, hub, name }: Joined): string[] => [
  `This project is shared as ${project} by ${name}, through ${hub}.`,
  'Sessions exchange changes when they start and have ended; `memctl hub sync` does it now, `hub leave` takes it back.',
]

const formatLeft = ({ project, hasLeft }: { readonly project: string; readonly hasLeft: boolean }): string[] =>
  hasLeft
    ? [
        `${project} shares nothing any more. What only others had learned is gone here; its own memories stay.`,
        'What it had shared is taken back from the team by the next `memctl hub sync`.',
      ]
    : [`${project} shares nothing: it has not joined a hub.`]

// What sharing means, in the words that every command about the hub uses.

/** What leaves this machine in a project that has joined, and what never does. */
export function describeSharing({ kinds, shareAgentOnly, sharePersonal }: TeamNumbers, name: string): string[] {
  const roles = shareAgentOnly === 1 ? ', those of single agent roles too' : ''
  return [
    'Shared, in the projects that you join:',
    `  ${formatKindNames(kinds)}${roles}: text, quoted sentence, reason, files, commands, branches and errors`,
    `  your name (${name}), and how often each was met and used`,
    'Never shared:',
    '  private memories, and the recorded sessions: other words of prompts, answers, outputs',
    ...(sharePersonal === 1 ? [] : ['  what you say about yourself or other people, with a word such as I, my or his']),
    '  what was imported, and what the model that read a session took for no rule',
    '  secrets that memctl recognizes: they are removed from every text before it is sent',
  ]
}
