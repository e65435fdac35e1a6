// memctl sleep: one task's worth of decay, for who counts by tasks. Session ends decay by days on their own.
import type { Command } from 'commander'
import type { SleepPhaseResult } from '../../library/agentMemory/sleepPhaseProcessor.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

interface Words extends StoreOptions {
  readonly agent?: string
}

export function registerSleep(program: Command, io: CliContext): void {
  withStoreOptions(
    program.command('sleep').description('take one task’s worth of strength from experiences, for who counts by tasks'),
  )
    .option(
      '--agent <id>',
      'from the memories of this agent instead, with its weak ones archived and its equal ones made one',
    )
    .action(async (options: Words) => {
      if (options.agent !== undefined)
        return printResult(io, options.json, await agentSlept(options, options.agent, io), sleptLines)
      const { runDecayPass } = await import('../../broker/commands/decayPass.ts')
      printResult(
        io,
        options.json,
        runDecayPass(await openSelectedStore(options, io), Date.now()),
        ({ decayed, archived }) => [
          `${formatCount(decayed, 'memory', 'memories')} grew weaker, ${archived} went into the archive.`,
        ],
      )
    })
}

/** What the library's sleep of an agent comes to. */
async function agentSlept(options: Words, agent: string, io: CliContext): Promise<SleepPhaseResult> {
  const [{ DatabaseConnection }, { SleepPhaseProcessor }, { runMaintenance }] = await Promise.all([
    import('../../library/agentMemory/databaseConnection.ts'),
    import('../../library/agentMemory/sleepPhaseProcessor.ts'),
    import('../../broker/maintenance/maintenance.ts'),
  ])
  const store = await openSelectedStore(options, io)
  const connection = new DatabaseConnection({ store, env: io.env, now: Date.now })
  const slept = new SleepPhaseProcessor(connection).processAll(agent)
  connection.close()
  // The other commands read the view.
  runMaintenance(store, { now: Date.now(), sessions: [] })
  return slept
}

const sleptLines = ({
  agentId,
  decayedCount,
  archivedCount,
  consolidatedCount,
  errors,
}: SleepPhaseResult): string[] => [
  `${formatCount(decayedCount, 'memory', 'memories')} of ${agentId} grew weaker, ${archivedCount} went into the archive, ${consolidatedCount} were consolidated.`,
  ...errors,
]
