// The store a command is about: a project's in memctl's home, or one at a folder of its own. And how options are read.
import fs from 'node:fs'
import path from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { Store } from '../broker/store.ts'
import { MemoryError } from '../model/errors.ts'
import type { Io } from './io.ts'

export interface StoreOptions {
  readonly project?: string
  readonly store?: string
  readonly json?: boolean
}

/** Adds the options that every command about a store has. */
export const aboutStore = (command: Command): Command =>
  command
    .option('--project <dir>', 'a folder of the project (default: where you are)')
    .option('--store <dir>', 'a store at a folder of its own, such as a replay leaves behind')
    .option('--json', 'answer as one line of JSON')

/**
 * The store that is meant. A project nothing is kept of yet has an empty one; a folder that is not there and of which
 * nothing is kept is a slip of the keyboard: NOT_FOUND.
 */
export async function storeGiven(options: StoreOptions, io: Io): Promise<Store> {
  const { storeAt, storeOf } = await import('../broker/store.ts')
  const folder = path.resolve(io.cwd, options.project ?? '.')
  if (options.store !== undefined) {
    const given = path.resolve(io.cwd, options.store)
    const store = storeAt(given, folder)
    if (!isStore(store)) throw notThere(`${given} holds no store of memctl`, 'Give the folder that has `events` in it.')
    return store
  }
  const store = storeOf(folder, io.env)
  if (!fs.existsSync(folder) && !isStore(store)) {
    throw notThere(`There is no folder ${folder}`, 'Give a folder of the project: `--project DIR`.')
  }
  return store
}

/** The same, for who reads memories: an entry's file that somebody has written since is among them. */
export async function storeRead(options: StoreOptions, io: Io): Promise<Store> {
  const [store, { haveChanged }] = await Promise.all([storeGiven(options, io), import('../entries/stamps.ts')])
  if (haveChanged(store)) (await import('../broker/entries/settle.ts')).takeUpNow(store, Date.now())
  return store
}

const isStore = ({ files, layout }: Store): boolean =>
  files.size(layout.manifest) !== undefined || files.list(layout.events).length > 0

const notThere = (what: string, mend: string): MemoryError => new MemoryError('NOT_FOUND', what, { mend })

/** Reads a whole number from `min` up. */
export const wholeNumber =
  (min: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!Number.isInteger(value) || value < min)
      throw new InvalidArgumentError(`It must be a whole number from ${min} up.`)
    return value
  }

/** Gathers an option that may be given several times. */
export const several = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** The same, each being one of these names. */
export const severalOf =
  <Name extends string>(names: readonly Name[]) =>
  (value: string, before: readonly Name[] = []): readonly Name[] => {
    const name = names.find((one) => one === value)
    if (name === undefined) throw new InvalidArgumentError(`There is ${names.join(', ')}.`)
    return [...before, name]
  }
