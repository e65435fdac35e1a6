// The program `memctl`: all its commands.
import type { Command } from 'commander'
import { registerDoctor } from './commands/doctor.ts'
import { registerForget } from './commands/forget.ts'
import { registerHub } from './commands/hub.ts'
import { registerExport, registerImport } from './commands/importExport.ts'
import { registerInit } from './commands/init.ts'
import { registerOrganize, registerRebuild } from './commands/organize.ts'
import { registerPolicy } from './commands/policy.ts'
import { registerProject } from './commands/project.ts'
import { registerReport } from './commands/report.ts'
import { registerImpact, registerPin } from './commands/statements.ts'
import { findOrAddGroup, registerMcp, registerTools } from './commands/tools.ts'
import type { CliContext } from './context/cliContext.ts'
import { createProgramOf, DAILY_COMMANDS, type RegisterCommand, runWith } from './dailyCommands.ts'
import { registerHelp } from './help/formatHelp.ts'

/** Their order in the help, and their groups: help/formatHelp.ts. */
const COMMANDS: readonly RegisterCommand[] = [
  ...DAILY_COMMANDS,
  registerInit,
  registerProject,
  registerReport,
  registerTools,
  registerMemory,
  registerOrganize,
  registerRebuild,
  registerForget,
  registerImport,
  registerExport,
  registerPolicy,
  registerHub,
  registerDoctor,
  registerMcp,
  registerHelp,
]

/** What a person does with memories, beside the tools of the group. */
function registerMemory(program: Command, io: CliContext): void {
  const memory = findOrAddGroup(program, 'memory')
  registerPin(memory, io)
  registerImpact(memory, io)
}

/** Runs `memctl` with these arguments and returns its exit status. */
export const runCli = (argv: readonly string[], streams: CliContext): Promise<number> =>
  runWith(COMMANDS, argv[0] === 'version' && argv.length === 1 ? ['--version'] : argv, streams)

export const createProgram = (io: CliContext): Command => createProgramOf(COMMANDS, io)
