// The options that many commands share, and the store that they select.
import fs from 'node:fs'
import path from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { Store } from '../../broker/open/openStore.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { CliContext } from './cliContext.ts'
import { isInSession } from './forPerson.ts'

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
  withProjectOption(command).option('--store <dir>', 'a store folder, another one than that of the project')

/** Adds the options that every command about a store has. */
export const withStoreOptions = (command: Command): Command => withJsonOption(withStoreFolderOptions(command))

/** Adds the options that every source of `memctl import` has. */
export const withImportOptions = (command: Command): Command =>
  withStoreOptions(command)
    .option('--dry-run', 'show what would be stored, and store nothing')
    .option('--quiet', 'show no progress bar')

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
