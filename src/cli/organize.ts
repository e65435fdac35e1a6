// memctl organize: does now what a session's end does in the background.
import type { Command } from 'commander'
import type { Store } from '../broker/store.ts'
import type { SessionId } from '../model/id.ts'
import { countText } from '../report/amount.ts'
import { storeBusy } from '../store/busy.ts'
import { takeChoice, takeConfig } from './config.ts'
import { aboutStore, type StoreOptions, several, storeGiven } from './given.ts'
import { type Io, tell } from './io.ts'
import { ID_SHOWN } from './memoryLines.ts'

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

export function registerOrganize(program: Command, io: Io): void {
  aboutStore(program.command('organize').description('organise what sessions have left, now'))
    .option('--all', 'sessions that have not ended too')
    .option('--session <id>', 'this session although it has not ended; may be given again', several)
    .action(async (words: Words) => {
      const [{ upkeep }, { openSessions }, { sessionNamed }] = await Promise.all([
        import('../broker/upkeep.ts'),
        import('../broker/overview.ts'),
        import('../broker/browse.ts'),
      ])
      const store = await storeGiven(words, io)
      await takeEntries(store, io.env)
      await takeConfig(store)
      await takeChoice(store, Date.now())
      const sessions = words.all ? 'all' : words.session?.map((id) => sessionNamed(store, id))
      const report = upkeep(store, { now: Date.now(), ...(sessions && { sessions }) })
      if (report.busy) throw storeBusy()
      const { organized, memories, policyVersion } = report
      const result: Organized = { organized, memories, policyVersion, unorganised: openSessions(store).size }
      tell(io, words.json, result, rendered)
    })
}

/** What a session's end does for entries. */
async function takeEntries(store: Store, env: Io['env']): Promise<void> {
  const { hasEntries } = await import('../entries/stamps.ts')
  if (hasEntries(store)) (await import('../broker/entries/settle.ts')).settleEntries(store, env, Date.now())
}

function rendered({ organized, memories, unorganised }: Organized): string[] {
  const what =
    organized.length === 0
      ? 'There was nothing to organise.'
      : `Organised ${countText(organized.length, 'session')}: ${organized.map((id) => id.slice(0, ID_SHOWN)).join(', ')}.`
  const open = unorganised > 0 ? [`${countText(unorganised, 'session')} still going on; --all takes them too.`] : []
  return [what, `There are ${countText(memories, 'memory', 'memories')} now.`, ...open]
}
