// The store of a command: the options that select it, its config, and the snapshot after a change.
import fs from 'node:fs'
import path from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { hasUserConfig } from '../../broker/open/hookConfig.ts'
import type { Store } from '../../broker/open/openStore.ts'
import { hasPolicyConfig } from '../../broker/policy/activePolicy.ts'
import type { LoadedProjection } from '../../broker/projection/projection.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { ToolContext } from '../../tools/definition/toolContext.ts'
import type { CliContext } from './cliContext.ts'
import { isForAgent, isInSession } from './forPerson.ts'
import { readPackageInfo } from './packageInfo.ts'

export type StoreOptions = Readonly<{ project?: string; store?: string; json?: boolean }>

export const withJsonOption = (command: Command): Command => command.option('--json', 'print one line of JSON')

export const withProjectOption = (command: Command): Command =>
  command.option('--project <dir>', 'a folder of the project (default: the current folder)')

export const withStoreFolderOptions = (command: Command): Command =>
  withProjectOption(command).option('--store <dir>', 'a store folder, another one than that of the project')

export const withStoreOptions = (command: Command): Command => withJsonOption(withStoreFolderOptions(command))

export const withImportOptions = (command: Command): Command =>
  withStoreOptions(command).option('--dry-run', 'show what would be stored, and store nothing')

/**
 * The selected store. A project without events has an empty one.
 *
 * Throws NOT_FOUND for a `--store` that is not a store, and for a missing project folder that has no store.
 */
export async function openSelectedStore(options: StoreOptions, io: CliContext): Promise<Store> {
  const { openStoreAt, openStore } = await import('../../broker/open/openStore.ts')
  const project = path.resolve(io.cwd, options.project ?? '.')
  if (options.store !== undefined) {
    const folder = path.resolve(io.cwd, options.store)
    const store = forCaller(openStoreAt(folder, project), io)
    if (isStore(store)) return withOwnName(store)
    throw new MemoryError('NOT_FOUND', `${folder} is not a memctl store`, {
      hint: 'Name the folder that contains `events`.',
    })
  }
  const store = forCaller(openStore(project, io.env), io)
  if (fs.existsSync(project) || isStore(store)) return store
  throw new MemoryError('NOT_FOUND', `Folder ${project} does not exist`, {
    hint: 'Name a folder of the project: `--project DIR`.',
  })
}

/** A store has the same name from any folder. */
async function withOwnName(store: Store): Promise<Store> {
  const { readRecord } = await import('../../store/project/folderEvidence.ts')
  const { title, places } = readRecord(store.files, store.layout.folder)
  const known = title ?? path.basename(places.at(-1)?.folder ?? store.project.root)
  return { ...store, project: { ...store.project, name: known || path.basename(store.layout.folder) } }
}

/** The selected store, after entry files that changed on disk have been read. */
export async function openSyncedStore(options: StoreOptions, io: CliContext): Promise<Store> {
  const store = await openSelectedStore(options, io)
  const { isMtimeCacheStale } = await import('../../entries/entryDirs.ts')
  if (isMtimeCacheStale(store)) {
    const { syncEntriesNow } = await import('../../broker/entries/entryMaintenance.ts')
    syncEntriesNow(store, Date.now())
  }
  return store
}

const forCaller = (store: Store, io: CliContext): Store => (isInSession(io) ? { ...store, isForSession: true } : store)

const isStore = ({ files, layout }: Store): boolean =>
  files.size(layout.manifest) !== undefined || files.list(layout.events).length > 0

/** Parses a whole number from `min` up. */
export const integerOption =
  (min: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!Number.isInteger(value) || value < min) throw new InvalidArgumentError(`Use a whole number from ${min} up.`)
    return value
  }

/** Parses a date, such as 2026-03-01 (UTC), to milliseconds since 1970. */
export function dateOption(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new InvalidArgumentError('Use a date such as 2026-03-01.')
  return time
}

/** Collects the values of a repeatable option. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** Collects the values of a repeatable option; each is one of `names`. */
export const collectChoices =
  <Name extends string>(names: readonly Name[]) =>
  (value: string, before: readonly Name[] = []): readonly Name[] => {
    const name = names.find((candidate) => candidate === value)
    if (name === undefined) throw new InvalidArgumentError(`Use one of ${names.join(', ')}.`)
    return [...before, name]
  }

/** Compiles config.yaml for the hooks. Throws CONFIG_INVALID with file, line, value and what is allowed. */
export async function applyConfig(store: Store): Promise<void> {
  if (!hasUserConfig(store)) return
  const { compileConfig } = await import('../../broker/open/configFile.ts')
  compileConfig(store)
}

/** Writes a changed configured policy to the log: whether it has changed. Throws CONFIG_INVALID and POLICY_INVALID. */
export async function applyPolicyChoice(store: Store, now: number): Promise<boolean> {
  if (!hasPolicyConfig(store)) return false
  const { commitPolicyChoice } = await import('../../broker/commands/policyCommands.ts')
  return commitPolicyChoice(store, now)
}

/** Applies config.yaml and the configured policy: whether the policy has changed. Throws as these two do. */
export async function applySettings(store: Store): Promise<boolean> {
  await applyConfig(store)
  return applyPolicyChoice(store, Date.now())
}

/** The selected store, as the caller of this command sees and changes it: by default the person in this session. */
export async function openToolContext(
  options: StoreOptions,
  io: CliContext,
  caller: Partial<Pick<ToolContext, 'role' | 'session'>> = {},
): Promise<ToolContext> {
  const { role = 'owner', session = io.env['CLAUDE_CODE_SESSION_ID'] || undefined } = caller
  const { createToolContext } = await import('../../tools/definition/toolContext.ts')
  const store = await openSelectedStore(options, io)
  return createToolContext({ store, role, session, isForAgent: isForAgent(io), env: io.env, now: Date.now })
}

/** Makes one change, and makes it available to the other commands and to hooks. */
export async function changeMemories<T>(
  options: StoreOptions,
  io: CliContext,
  make: (context: ToolContext) => T | Promise<T>,
): Promise<T> {
  const context = await openToolContext(options, io)
  const result = await make(context)
  const live = context.openedStores.find(({ store }) => store === context.store)
  await publishChanges(context.store, Date.now(), live?.loaded)
  return result
}

/**
 * Makes what the log has, and the settings, available to hooks; the snapshot is written only when the log has grown by
 * much since. If another process holds the lock, a worker does it when that process is done: nothing is lost, because
 * the change is in the log. `loaded` saves loading the memories.
 */
export async function publishChanges(store: Store, now: number, loaded?: LoadedProjection): Promise<void> {
  const { refreshRecent } = await import('../../broker/maintenance/refreshRecent.ts')
  const { recordPlaces } = await import('../../broker/maintenance/projectFolders.ts')
  // An invalid setting stops no change: hooks keep the settings from before, and `memctl status` names it.
  const hasNewPolicy = await applySettings(store).catch((error: unknown) => {
    if (error instanceof MemoryError) return false
    throw error
  })
  // Hooks read the policy of the snapshot.
  if (hasNewPolicy) (await import('../../broker/maintenance/maintenance.ts')).runMaintenance(store, { now })
  recordPlaces(store, store.project.root, now)
  if (refreshRecent(store, now, loaded) !== 'busy') return
  // A worker finds the store of a project, not one in any folder.
  if (store.home === undefined) return
  const { spawnDetached } = await import('../../hook/spawnDetached.ts')
  spawnDetached([path.join(readPackageInfo().root, 'dist', 'watchdog.cjs'), store.project.root, 'recent'])
}
