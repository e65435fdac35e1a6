// One command from its words to its exit status: 0 done, 2 for what a person can mend, 1 for a bug of ours.
import { Command, CommanderError } from 'commander'
import { registerBench } from './bench.ts'
import { registerCompletion } from './completion.ts'
import { registerContribution } from './contribution.ts'
import { registerDemo } from './demo.ts'
import { registerDoctor } from './doctor.ts'
import { registerEmbed } from './embed.ts'
import { registerEntry } from './entry.ts'
import { registerEval } from './eval.ts'
import { registerEvents } from './events.ts'
import { BadNews } from './exit.ts'
import { failed, isHookDoor, usageError } from './failure.ts'
import { registerForget } from './forget.ts'
import { registerHook } from './hook.ts'
import { registerImpact } from './impact.ts'
import { registerImprove } from './improve.ts'
import type { Io } from './io.ts'
import { registerList } from './list.ts'
import { registerLog } from './log.ts'
import { registerMcp } from './mcp.ts'
import { registerOrganize } from './organize.ts'
import { ownPackage } from './packageRoot.ts'
import { registerPolicy } from './policy.ts'
import { registerProject } from './project.ts'
import { registerRebuild } from './rebuild.ts'
import { registerRecall } from './recall.ts'
import { registerRecord } from './record.ts'
import { registerReplay } from './replay.ts'
import { registerSearch } from './search.ts'
import { registerSessions } from './sessions.ts'
import { registerShow } from './show.ts'
import { registerSleep } from './sleep.ts'
import { registerStatus } from './status.ts'
import { registerTiers } from './tiers.ts'
import { registerTools } from './tools.ts'
import { registerWiring } from './wire.ts'

/** In the order in which help shows them: getting it, looking, keeping, doors. */
const REGISTER = [
  ...[registerWiring, registerProject, registerDemo],
  ...[registerStatus, registerRecall, registerSearch, registerShow, registerList, registerEvents, registerSessions],
  ...[registerTools, registerEntry],
  ...[
    registerOrganize,
    registerTiers,
    registerRebuild,
    registerForget,
    registerPolicy,
    registerContribution,
    registerImpact,
    registerImprove,
    registerSleep,
    registerEmbed,
    registerLog,
    registerDoctor,
    registerBench,
  ],
  ...[registerEval],
  ...[registerReplay, registerRecord, registerHook, registerMcp, registerCompletion],
]

/** Runs `memctl` with these words and gives its exit status. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const program = new Command('memctl')
    .description('A memory for Claude Code that runs itself: record, organize, recall, improve.')
    .version(ownPackage().version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => void io.out.write(text), writeErr: () => {} })
  for (const register of REGISTER) register(program, io)
  if (argv.length === 0) {
    program.outputHelp()
    return 0
  }
  try {
    await program.parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    if (error instanceof BadNews) return error.status
    const fault = error instanceof CommanderError ? usageError(error, argv) : error
    return failed(fault, io, { json: argv.includes('--json'), hookDoor: isHookDoor(argv) })
  }
}
