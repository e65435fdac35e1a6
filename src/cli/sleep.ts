// memctl sleep: one task's worth of decay, for who counts by tasks. Session ends decay by days on their own.
import type { Command } from 'commander'
import { countText } from '../report/amount.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, tell } from './io.ts'

export function registerSleep(program: Command, io: Io): void {
  aboutStore(
    program.command('sleep').description('take one task’s worth of strength from experiences, for who counts by tasks'),
  ).action(async (words: StoreOptions) => {
    const { runSleepPhase } = await import('../broker/sleep.ts')
    tell(io, words.json, runSleepPhase(await storeGiven(words, io), Date.now()), ({ decayed, archived }) => [
      `${countText(decayed, 'memory', 'memories')} grew weaker, ${archived} went into the archive.`,
    ])
  })
}
