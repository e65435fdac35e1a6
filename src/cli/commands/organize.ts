// memctl organize: does now what a session's end does in the background.
import type { Command } from 'commander'
import type { Store } from '../../broker/open/openStore.ts'
import type { SessionId } from '../../model/id.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { storeBusyError } from '../../store/disk/lock.ts'
import { applyConfig, applyPolicyChoice } from '../context/applyConfig.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { collect, openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { ID_CHARS_SHOWN } from '../format/memoryText.ts'

interface Words extends StoreOptions {
  readonly all?: boolean
  readonly session?: readonly string[]
}

interface Organized {
  readonly organized: readonly SessionId[]
  readonly memories: number
  readonly policyVersion: number
  /** Sessions that go on, and so were left alone. */
  readonly unorganised: number
}

export function registerOrganize(program: Command, io: CliContext): void {
  withStoreOptions(program.command('organize').description('organise what sessions have left, now'))
    .option('--all', 'sessions that have not ended too')
    .option('--session <id>', 'this session although it has not ended; may be given again', collect)
    .action(async (options: Words) => {
      const [{ runMaintenance }, { listUnorganizedSessions }, { findSessionByPrefix }] = await Promise.all([
        import('../../broker/maintenance/maintenance.ts'),
        import('../../broker/queries/storeStatus.ts'),
        import('../../broker/queries/browse.ts'),
      ])
      const store = await openSelectedStore(options, io)
      await takeEntries(store, io.env)
      await applyConfig(store)
      await applyPolicyChoice(store, Date.now())
      const sessions = options.all ? 'all' : options.session?.map((id) => findSessionByPrefix(store, id))
      const report = runMaintenance(store, { now: Date.now(), ...(sessions && { sessions }) })
      if (report.busy) throw storeBusyError()
      const { organized, memories, policyVersion } = report
      const result: Organized = { organized, memories, policyVersion, unorganised: listUnorganizedSessions(store).size }
      printResult(io, options.json, result, rendered)
    })
}

/** What a session's end does for entries. */
async function takeEntries(store: Store, env: CliContext['env']): Promise<void> {
  const { hasEntries } = await import('../../entries/mtimeCache.ts')
  if (hasEntries(store))
    (await import('../../broker/entries/entryMaintenance.ts')).maintainEntries(store, env, Date.now())
}

function rendered({ organized, memories, unorganised }: Organized): string[] {
  const what =
    organized.length === 0
      ? 'There was nothing to organise.'
      : `Organised ${formatCount(organized.length, 'session')}: ${organized.map((id) => id.slice(0, ID_CHARS_SHOWN)).join(', ')}.`
  const open = unorganised > 0 ? [`${formatCount(unorganised, 'session')} still going on; --all takes them too.`] : []
  return [what, `There are ${formatCount(memories, 'memory', 'memories')} now.`, ...open]
}
