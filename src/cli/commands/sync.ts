// memctl hub sync: exchanges changes with the hub now, instead of when the next session ends.
import type { Command } from 'commander'
import type { Store } from '../../broker/open/openStore.ts'
import type { LostText } from '../../broker/projection/teamProjection.ts'
import type { ProjectSync } from '../../broker/team/syncProjects.ts'
import type { SyncProgress, WaitingChange } from '../../broker/team/syncStore.ts'
import { shortId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { createProgressBar, type ProgressBar } from '../../report/textOutput.ts'
import { type CliContext, ExitStatus, printResult } from '../context/cliContext.ts'
import { openSyncedStore, type StoreOptions, withJsonOption, withProjectOption } from '../context/storeOption.ts'

interface SyncCommandOptions extends Omit<StoreOptions, 'store'> {
  readonly all?: boolean
  readonly dryRun?: boolean
}

type LostMemory = LostText & { readonly isSuperseded: boolean }

export function registerSync(hub: Command, io: CliContext): void {
  withJsonOption(withProjectOption(hub.command('sync')))
    .description('exchange memories with the hub of the team now')
    .option('--all', 'all projects that share their memories')
    .option('--dry-run', 'only show what would be sent')
    .action(async (options: SyncCommandOptions) => {
      const store = await openSyncedStore(options, io)
      const stores = options.all ? await listSharedStores(store) : [await assertShared(store)]
      if (options.dryRun) await preview(stores, options, io)
      else await syncNow(stores, options, io)
    })
}

async function listSharedStores(current: Store): Promise<Store[]> {
  const { listStoreNames } = await import('../../broker/projects/projectList.ts')
  const { openNamedStore } = await import('../../broker/open/openStore.ts')
  const { isInTeam, readTeam } = await import('../../broker/team/hubStatus.ts')
  const stores = listStoreNames(current).map((name) => openNamedStore(current, name))
  return stores.filter((store) => isInTeam(readTeam(store)))
}

async function assertShared(store: Store): Promise<Store> {
  const { isInTeam, readTeam } = await import('../../broker/team/hubStatus.ts')
  if (isInTeam(readTeam(store))) return store
  throw new MemoryError('NOT_FOUND', `${store.project.name} shares its memories with no hub`, {
    hint: 'Run `memctl hub join` in the project.',
  })
}

async function preview(stores: readonly Store[], { json }: SyncCommandOptions, io: CliContext): Promise<void> {
  const { previewSync } = await import('../../broker/team/syncStore.ts')
  const projects = stores.map((store) => ({ project: store.project.name, changes: previewSync(store) }))
  printResult(io, json, { dryRun: true, projects }, () => orNone(projects.flatMap(formatPlan)))
}

const orNone = (lines: string[]): string[] =>
  lines.length === 0 ? ['No project shares its memories. `memctl hub join` in a project does.'] : lines

/** Changes that are listed for each project. */
const LISTED_MAX = 20

function formatPlan({ project, changes }: { project: string; changes: readonly WaitingChange[] }): string[] {
  const listed = changes.filter(({ text }) => text !== '').slice(0, LISTED_MAX)
  const others = changes.length - listed.length
  return [
    `${project}  ${changes.length === 0 ? 'nothing' : formatCount(changes.length, 'change')} would be sent`,
    ...listed.map(({ memory, text }) => `  ${shortId(memory)}  ${sanitizeForTerminal(text)}`),
    ...(others > 0 && listed.length > 0 ? [`  and ${formatCount(others, 'other change')}`] : []),
  ]
}

async function syncNow(stores: readonly Store[], options: SyncCommandOptions, io: CliContext): Promise<void> {
  const { syncProjects, newMachineId, openHub } = await import('../../broker/team/syncProjects.ts')
  let bar: ProgressBar | undefined
  const onProgress = ({ sent, received, waiting }: SyncProgress): void => {
    if (waiting > 0) bar ??= createProgressBar(io, sent + waiting, options.json)
    bar?.setDone(sent, `${received} received`)
  }
  const begin = { now: Date.now, newId: newMachineId, onProgress, lockDeadline: Date.now() + LOCK_WAIT_MS }
  const results = await syncProjects(stores, { env: io.env, openHub: (hub) => openHub(hub, io.env), ...begin }).finally(
    () => bar?.clear(),
  )
  const { readTeam } = await import('../../broker/team/hubStatus.ts')
  // With the texts of this person that teammates have replaced.
  const { openLiveStore } = await import('../../broker/live/liveStore.ts')
  const listLost = (store: Store): LostMemory[] =>
    (readTeam(store)?.lost ?? []).map((lost) => {
      const { supersededBy } = openLiveStore(store).memories().get(lost.memory) ?? {}
      return { ...lost, isSuperseded: supersededBy !== undefined }
    })
  const projects = results.map((result) => ({ ...describeSync(result), lost: listLost(result.store) }))
  printResult(io, options.json, { dryRun: false, projects }, () =>
    orNone(projects.flatMap((project) => [formatSync(project), ...project.lost.flatMap(formatLost)])),
  )
  if (projects.some(({ error }) => error !== null)) throw new ExitStatus(2)
}

/** A background process holds the lock for a minute at most. */
const LOCK_WAIT_MS = 5_000

/** The text as a command that takes it over: in quotation marks of a shell. */
function formatLost({ memory, text, by, isSuperseded }: LostMemory): string[] {
  const quoted = sanitizeForTerminal(`'${text.replaceAll("'", String.raw`'\''`)}'`)
  const [who, id] = [sanitizeForTerminal(by), shortId(memory)]
  if (by === '') return ['  Somebody has deleted your text. To store it again:', `    memctl remember ${quoted}`]
  return isSuperseded
    ? [`  ${who} has replaced your text ${quoted}. To use it again:`, `    memctl supersede --outdated --undo ${id}`]
    : [`  ${who} has changed your text of ${id}. To take yours back:`, `    memctl supersede ${id} ${quoted} --reword`]
}

function describeSync({ store, report, fault }: ProjectSync) {
  const { sent = 0, received = 0, refused = 0, forgotten = 0, waiting = 0 } = report ?? {}
  return { project: store.project.name, sent, received, refused, forgotten, waiting, error: fault ?? null }
}

function formatSync({ project, error, ...counts }: ReturnType<typeof describeSync>): string {
  const { sent, received, refused, forgotten, waiting } = counts
  const parts = [
    sent > 0 && `sent ${formatCount(sent, 'change')}`,
    received > 0 && `received ${formatCount(received, 'change')}`,
    forgotten > 0 && `erased ${formatCount(forgotten, 'memory', 'memories')} that others have forgotten`,
    refused > 0 && `left out ${formatCount(refused, 'change')}: not readable, or more than one teammate may share`,
    waiting > 0 && `${formatCount(waiting, 'change')} not sent yet`,
    error && `${error.message}. ${error.hint} (${error.code})`,
  ].filter((part) => typeof part === 'string')
  return `${project}  ${parts.length === 0 ? 'nothing new' : parts.join('; ')}`
}
