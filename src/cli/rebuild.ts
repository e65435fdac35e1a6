// memctl rebuild: throws away everything derived and makes it anew from the log.
import type { Command } from 'commander'
import { countText } from '../report/amount.ts'
import { spanText } from '../report/time.ts'
import { storeBusy } from '../store/busy.ts'
import { takeChoice, takeConfig } from './config.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, tell } from './io.ts'

export function registerRebuild(program: Command, io: Io): void {
  aboutStore(program.command('rebuild').description('make everything derived anew from the log'))
    .option('--incomplete', 'also where files of the log are missing: what was learnt there is gone then')
    .action(async (words: StoreOptions & { readonly incomplete?: boolean }) => {
      const { rebuild } = await import('../broker/upkeep.ts')
      const began = Date.now()
      const store = await storeGiven(words, io)
      await takeConfig(store)
      await takeChoice(store, Date.now())
      const report = rebuild(store, began, words.incomplete)
      if (report.busy) throw storeBusy()
      const { memories, policyVersion } = report
      tell(io, words.json, { memories, policyVersion, ms: Date.now() - began }, ({ ms }) => [
        `Made ${countText(memories, 'memory', 'memories')} anew from the log in ${spanText(ms)}.`,
      ])
    })
}
