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
import { registerExport } from './commands/export.ts'
import { registerFacts } from './commands/facts.ts'
import { registerForget } from './commands/forget.ts'
import { registerHook, registerRecord } from './commands/hook.ts'
import { registerHub } from './commands/hub.ts'
import { registerImport } from './commands/import.ts'
import { registerImprove } from './commands/improve.ts'
import { registerInit } from './commands/init.ts'
import { registerLog } from './commands/log.ts'
import { registerMcp } from './commands/mcp.ts'
import { registerList, registerSearch, registerShow } from './commands/memories.ts'
import { registerOrganize, registerRebuild, registerSleep } from './commands/organize.ts'
import { registerOutdated } from './commands/outdated.ts'
import { registerPolicy } from './commands/policy.ts'
import { registerProject } from './commands/project.ts'
import { registerRecall } from './commands/recall.ts'
import { registerReplay } from './commands/replay.ts'
import { registerReport } from './commands/report.ts'
import { registerRate, registerShown } from './commands/shown.ts'
import { registerEdit, registerPin, registerRemember, registerSupersede } from './commands/statements.ts'
import { registerStatus } from './commands/status.ts'
import { registerStatusline } from './commands/statusline.ts'
import { registerSync } from './commands/sync.ts'
import { registerTiers } from './commands/tiers.ts'
import { registerTools } from './commands/tools.ts'
import { registerTop } from './commands/top.ts'
import { registerUpgrade } from './commands/upgrade.ts'
import { registerWhy } from './commands/why.ts'
import type { CliContext } from './context/cliContext.ts'
import { readPackageInfo } from './context/packageInfo.ts'
import { groupCommands } from './help/commandGroups.ts'
import { groupOptions, withHelpOption } from './help/commonOptions.ts'
import { HELP_FORMAT_WITH_EXAMPLES } from './help/formatHelp.ts'
import { registerHelp } from './help/helpCommand.ts'
import { newProgram, runProgram } from './program.ts'

/** Their order in the help, and their groups: help/commandGroups.ts. */
const COMMANDS: readonly ((program: Command, io: CliContext) => void)[] = [
  registerInit,
  registerUpgrade,
  registerProject,
  registerDemo,
  registerStatus,
  registerReport,
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
  registerOutdated,
  registerShown,
  registerTop,
  registerRate,
  registerTools,
  registerEntry,
  registerOrganize,
  registerTiers,
  registerRebuild,
  registerForget,
  registerImport,
  registerExport,
  registerPolicy,
  registerContribution,
  registerImpact,
  registerImprove,
  registerSleep,
  registerEmbed,
  registerDistill,
  registerHub,
  registerSync,
  registerLog,
  registerDoctor,
  registerBench,
  registerReplay,
  registerRecord,
  registerHook,
  registerMcp,
  registerCompletion,
  registerHelp,
]

/** Runs `memctl` with these arguments and returns its exit status. */
export const runCli = (argv: readonly string[], io: CliContext): Promise<number> =>
  runProgram(createProgram(io), argv[0] === 'version' && argv.length === 1 ? ['--version'] : argv, io)

/** The command `memctl` with every command below it. */
export function createProgram(io: CliContext): Command {
  const about = 'A memory for Claude Code that runs itself: record, organize, recall, improve.'
  const program = newProgram('memctl', about, io)
    .version(readPackageInfo().version, '-V, --version', 'print the version')
    .configureHelp(HELP_FORMAT_WITH_EXAMPLES)
  withHelpOption(program)
  for (const register of COMMANDS) register(program, io)
  groupCommands(program)
  groupOptions(program)
  return program
}
