// The store a command is about: a project's in memctl's home, or one at a folder of its own. And how options are read.
import fs from 'node:fs'
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

/** Adds the options that every command about a store has. */
export const withStoreOptions = (command: Command): Command =>
  command
    .option('--project <dir>', 'a folder of the project (default: where you are)')
    .option('--store <dir>', 'a store at a folder of its own, such as a replay leaves behind')
    .option('--json', 'answer as one line of JSON')

/**
 * The store that is meant. A project nothing is kept of yet has an empty one; a folder that is not there and of which
 * nothing is kept is a slip of the keyboard: NOT_FOUND.
 */
export async function openSelectedStore(options: StoreOptions, io: CliContext): Promise<Store> {
  const { openStoreAt, openStore } = await import('../../broker/open/openStore.ts')
  const folder = path.resolve(io.cwd, options.project ?? '.')
  if (options.store !== undefined) {
    const given = path.resolve(io.cwd, options.store)
    const store = openStoreAt(given, folder)
    if (!isStore(store)) throw notThere(`${given} holds no store of memctl`, 'Give the folder that has `events` in it.')
    return store
  }
  const store = openStore(folder, io.env)
  if (!fs.existsSync(folder) && !isStore(store)) {
    throw notThere(`There is no folder ${folder}`, 'Give a folder of the project: `--project DIR`.')
  }
  return store
}

/** The same, for who reads memories: an entry's file that somebody has written since is among them. */
export async function openSyncedStore(options: StoreOptions, io: CliContext): Promise<Store> {
  const [store, { isMtimeCacheStale }] = await Promise.all([
    openSelectedStore(options, io),
    import('../../entries/mtimeCache.ts'),
  ])
  if (isMtimeCacheStale(store))
    (await import('../../broker/entries/entryMaintenance.ts')).syncEntriesNow(store, Date.now())
  return store
}

const isStore = ({ files, layout }: Store): boolean =>
  files.size(layout.manifest) !== undefined || files.list(layout.events).length > 0

const notThere = (what: string, hint: string): MemoryError => new MemoryError('NOT_FOUND', what, { hint })

/** Reads a whole number from `min` up. */
export const integerOption =
  (min: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!Number.isInteger(value) || value < min)
      throw new InvalidArgumentError(`It must be a whole number from ${min} up.`)
    return value
  }

/** Gathers an option that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** The same, each being one of these names. */
export const collectChoices =
  <Name extends string>(names: readonly Name[]) =>
  (value: string, before: readonly Name[] = []): readonly Name[] => {
    const name = names.find((one) => one === value)
    if (name === undefined) throw new InvalidArgumentError(`There is ${names.join(', ')}.`)
    return [...before, name]
  }
