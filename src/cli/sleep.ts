// memctl sleep: one task's worth of decay, for who counts by tasks. Session ends decay by days on their own.
import type { Command } from 'commander'
import type { SleepPhaseResult } from '../library/strength/sleepPhase.ts'
import { countText } from '../report/amount.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, tell } from './io.ts'

interface Words extends StoreOptions {
  readonly agent?: string
}

export function registerSleep(program: Command, io: Io): void {
  aboutStore(
    program.command('sleep').description('take one task’s worth of strength from experiences, for who counts by tasks'),
  )
    .option(
      '--agent <id>',
      'from the memories of this agent instead, with its weak ones archived and its equal ones made one',
    )
    .action(async (words: Words) => {
      if (words.agent !== undefined) return tell(io, words.json, await agentSlept(words, words.agent, io), sleptLines)
      const { runSleepPhase } = await import('../broker/sleep.ts')
      tell(io, words.json, runSleepPhase(await storeGiven(words, io), Date.now()), ({ decayed, archived }) => [
        `${countText(decayed, 'memory', 'memories')} grew weaker, ${archived} went into the archive.`,
      ])
    })
}

/** What the library's sleep of an agent comes to. */
async function agentSlept(words: Words, agent: string, io: Io): Promise<SleepPhaseResult> {
  const [{ DatabaseConnection }, { SleepPhaseProcessor }, { upkeep }] = await Promise.all([
    import('../library/strength/connection.ts'),
    import('../library/strength/sleepPhase.ts'),
    import('../broker/upkeep.ts'),
  ])
  const store = await storeGiven(words, io)
  const connection = new DatabaseConnection({ store, env: io.env, now: Date.now })
  const slept = new SleepPhaseProcessor(connection).processAll(agent)
  connection.close()
  // The other commands read the view.
  upkeep(store, { now: Date.now(), sessions: [] })
  return slept
}

const sleptLines = ({
  agentId,
  decayedCount,
  archivedCount,
  consolidatedCount,
  errors,
}: SleepPhaseResult): string[] => [
  `${countText(decayedCount, 'memory', 'memories')} of ${agentId} grew weaker, ${archivedCount} went into the archive, ${consolidatedCount} were consolidated.`,
  ...errors,
]
