// memctl rebuild: throws away everything derived and makes it anew from the log.
import type { Command } from 'commander'
import { formatCount } from '../../report/formatNumber.ts'
import { formatDuration } from '../../report/formatTime.ts'
import { storeBusyError } from '../../store/disk/lock.ts'
import { applyConfig, applyPolicyChoice } from '../context/applyConfig.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

export function registerRebuild(program: Command, io: CliContext): void {
  withStoreOptions(program.command('rebuild').description('make everything derived anew from the log'))
    .option('--incomplete', 'also where files of the log are missing: what was learnt there is gone then')
    .action(async (words: StoreOptions & { readonly incomplete?: boolean }) => {
      const { rebuildStore } = await import('../../broker/maintenance/rebuild.ts')
      const began = Date.now()
      const store = await openSelectedStore(words, io)
      await applyConfig(store)
      await applyPolicyChoice(store, Date.now())
      const report = rebuildStore(store, began, { allowIncomplete: words.incomplete })
      if (report.busy) throw storeBusyError()
      const { memories, policyVersion } = report
      printResult(io, words.json, { memories, policyVersion, ms: Date.now() - began }, ({ ms }) => [
        `Made ${formatCount(memories, 'memory', 'memories')} anew from the log in ${formatDuration(ms)}.`,
      ])
    })
}
