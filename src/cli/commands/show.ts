// memctl show: one memory whole, with what it was made of.
import type { Command } from 'commander'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { openSyncedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatMemory } from '../format/memoryText.ts'

export function registerShow(program: Command, io: CliContext): void {
  withStoreOptions(program.command('show').description('one memory whole, with the events it was made of'))
    .argument('<id>', 'its id, or how it begins')
    .action(async (id: string, options: StoreOptions) => {
      const { findMemoryByPrefix, listReleaseEvents, listSourceEvents } = await import('../../broker/queries/browse.ts')
      const store = await openSyncedStore(options, io)
      const memory = findMemoryByPrefix(store, id)
      const result = { memory, events: listSourceEvents(store, memory), releases: listReleaseEvents(store, memory) }
      printResult(io, options.json, result, ({ events, releases }, page) =>
        formatMemory(memory, events, page, releases),
      )
    })
}
