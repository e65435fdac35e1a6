// The program `memctl`: all its commands.
import type { Command } from 'commander'
import { registerBench } from './commands/bench.ts'
import { registerCompletion } from './commands/completion.ts'
import { registerContribution, registerImpact } from './commands/contribution.ts'
import { registerDemo } from './commands/demo.ts'
import { registerDistill } from './commands/distill.ts'
import { registerDoctor } from './commands/doctor.ts'
import { registerEmbed } from './commands/embed.ts'
import { registerEntry } from './commands/entry.ts'
import { registerEvents, registerSessions } from './commands/events.ts'
import { registerFacts } from './commands/facts.ts'
import { registerForget } from './commands/forget.ts'
import { registerHook, registerRecord } from './commands/hook.ts'
import { registerImport } from './commands/import.ts'
import { registerImprove } from './commands/improve.ts'
import { registerInit } from './commands/init.ts'
import { registerLog } from './commands/log.ts'
import { registerMcp } from './commands/mcp.ts'
import { registerList, registerSearch, registerShow } from './commands/memories.ts'
import { registerOrganize, registerRebuild, registerSleep } from './commands/organize.ts'
import { registerPolicy } from './commands/policy.ts'
import { registerProject } from './commands/project.ts'
import { registerRecall } from './commands/recall.ts'
import { registerReplay } from './commands/replay.ts'
import { registerEdit, registerPin, registerRemember, registerSupersede } from './commands/statements.ts'
import { registerStatus } from './commands/status.ts'
import { registerStatusline } from './commands/statusline.ts'
import { registerTiers } from './commands/tiers.ts'
import { registerTools } from './commands/tools.ts'
import { registerWhy } from './commands/why.ts'
import type { CliContext } from './context/cliContext.ts'
import { readPackageInfo } from './context/packageInfo.ts'
import { newProgram, runProgram } from './program.ts'

/** In the order of the help: setup, reading, tools, maintenance, entry points. */
const COMMANDS: readonly ((program: Command, io: CliContext) => void)[] = [
  registerInit,
  registerProject,
  registerDemo,
  registerStatus,
  registerStatusline,
  registerRecall,
  registerSearch,
  registerShow,
  registerList,
  registerWhy,
  registerFacts,
  registerEvents,
  registerSessions,
  registerRemember,
  registerEdit,
  registerPin,
  registerSupersede,
  registerTools,
  registerEntry,
  registerOrganize,
  registerTiers,
  registerRebuild,
  registerForget,
  registerImport,
  registerPolicy,
  registerContribution,
  registerImpact,
  registerImprove,
  registerSleep,
  registerEmbed,
  registerDistill,
  registerLog,
  registerDoctor,
  registerBench,
  registerReplay,
  registerRecord,
  registerHook,
  registerMcp,
  registerCompletion,
]

/** Runs `memctl` with these arguments and returns its exit status. */
export const runCli = (argv: readonly string[], io: CliContext): Promise<number> =>
  runProgram(createProgram(io), argv, io)

/** The command `memctl` with every command below it. */
export function createProgram(io: CliContext): Command {
  const about = 'A memory for Claude Code that runs itself: record, organize, recall, improve.'
  const program = newProgram('memctl', about, io).version(readPackageInfo().version)
  for (const register of COMMANDS) register(program, io)
  return program
}
