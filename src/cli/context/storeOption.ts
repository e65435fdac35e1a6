// The options that many commands share, and the store that they select.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { Store } from '../../broker/open/openStore.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { CliContext } from './cliContext.ts'

export interface StoreOptions {
  readonly project?: string
  readonly store?: string
  readonly json?: boolean
}

export const withJsonOption = (command: Command): Command => command.option('--json', 'print one line of JSON')

export const withProjectOption = (command: Command): Command =>
  command.option('--project <dir>', 'a folder of the project (default: the current folder)')

/** Adds `--project` and `--store`, without `--json`. */
export const withStoreFolderOptions = (command: Command): Command =>
  withProjectOption(command).option('--store <dir>', 'a store folder, for example one that `memctl replay` wrote')

/** Adds the options that every command about a store has. */
export const withStoreOptions = (command: Command): Command => withJsonOption(withStoreFolderOptions(command))

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
    if (isStore(store)) return store
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

/** The selected store, after entry files that changed on disk have been read. */
export async function openSyncedStore(options: StoreOptions, io: CliContext): Promise<Store> {
  const [store, { isMtimeCacheStale }] = await Promise.all([
    openSelectedStore(options, io),
    import('../../entries/mtimeCache.ts'),
  ])
  if (isMtimeCacheStale(store)) {
    const { syncEntriesNow } = await import('../../broker/entries/entryMaintenance.ts')
    syncEntriesNow(store, Date.now())
  }
  return store
}

/** Throws NOT_ALLOWED inside a session: what the option does is for the person, not for an agent. */
export function assertPersonAsks(option: string, io: CliContext): void {
  if (!isInSession(io)) return
  throw new MemoryError('NOT_ALLOWED', `${option} is for a person, and this command runs inside a session`, {
    hint: 'Run it in a terminal of your own.',
  })
}

/** Whether an agent runs this command, and not the person in a terminal of their own. */
const isInSession = ({ env }: CliContext): boolean =>
  Boolean(env['CLAUDECODE']) || Boolean(env['CLAUDE_CODE_SESSION_ID'])

const forCaller = (store: Store, io: CliContext): Store => (isInSession(io) ? { ...store, isForSession: true } : store)

const isStore = ({ files, layout }: Store): boolean =>
  files.size(layout.manifest) !== undefined || files.list(layout.events).length > 0

/** A new empty folder in the system's folder for temporary files; its real path. */
export const createTempHome = (name: string): string =>
  fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `memctl-${name}-`)))

/** Parses a whole number from `min` up. */
export const integerOption =
  (min: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!Number.isInteger(value) || value < min) throw new InvalidArgumentError(`Use a whole number from ${min} up.`)
    return value
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
