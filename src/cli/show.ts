// memctl show: one memory whole, with what it was made of.
import type { Command } from 'commander'
import { aboutStore, type StoreOptions, storeRead } from './given.ts'
import { type Io, tell } from './io.ts'
import { memoryWhole } from './memoryLines.ts'

export function registerShow(program: Command, io: Io): void {
  aboutStore(program.command('show').description('one memory whole, with the events it was made of'))
    .argument('<id>', 'its id, or how it begins')
    .action(async (id: string, words: StoreOptions) => {
      const { memoryNamed, releasesOf, sourcesOf } = await import('../broker/browse.ts')
      const store = await storeRead(words, io)
      const memory = memoryNamed(store, id)
      const result = { memory, events: sourcesOf(store, memory), releases: releasesOf(store, memory) }
      tell(io, words.json, result, ({ events, releases }, page) => memoryWhole(memory, events, page, releases))
    })
}
