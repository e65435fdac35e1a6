// The program `memctl`: all its commands.
import type { Command } from 'commander'
import { registerBench } from './bench.ts'
import { registerCompletion } from './completion.ts'
import { registerContribution } from './contribution.ts'
import { registerDemo } from './demo.ts'
import { registerDoctor } from './doctor.ts'
import { registerEmbed } from './embed.ts'
import { registerEntry } from './entry.ts'
import { registerEvents } from './events.ts'
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
import { newProgram, runProgram } from './program.ts'
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
  ...[registerReplay, registerRecord, registerHook, registerMcp, registerCompletion],
]

/** Runs `memctl` with these words and gives its exit status. */
export const run = (argv: readonly string[], io: Io): Promise<number> => runProgram(createProgram(io), argv, io)

/** The command `memctl` with every command below it. */
export function createProgram(io: Io): Command {
  const program = newProgram(
    'memctl',
    'A memory for Claude Code that runs itself: record, organize, recall, improve.',
    io,
  ).version(ownPackage().version)
  for (const register of REGISTER) register(program, io)
  return program
}
