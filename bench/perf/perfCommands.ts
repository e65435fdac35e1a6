// npm run bench: the time of organizing, a rebuild, a recall and tool calls.
import path from 'node:path'
import type { Command } from 'commander'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { readPackageInfo } from '../../src/cli/context/packageInfo.ts'
import { integerOption } from '../../src/cli/context/storeOption.ts'
import {
  type BenchOptions,
  builtHooksFolder,
  describeMachine,
  openFixture,
  toFixtureSize,
  withBenchOptions,
  withFixtureFolder,
} from '../hooks/benchOptions.ts'
import { benchOrganize } from './benchOrganize.ts'
import { benchRebuild } from './benchRebuild.ts'
import { benchRecall } from './benchRecall.ts'
import { benchTools } from './benchTools.ts'
import { organizeLines, rebuildLines, recallLines, toolLines } from './perfLines.ts'

/** Events of the session that is organized: a long session. */
const SESSION_EVENTS = 500

export function registerPerformance(program: Command, io: CliContext): void {
  const command = (name: string, description: string, runs: number): Command =>
    withBenchOptions(program.command(name).description(description), { runs, events: 5_000 })

  command('organize', 'the worker organizes one session', 3)
    .option('--session <n>', 'events of the session', integerOption(4), SESSION_EVENTS)
    .action((options: OrganizeOptions) => organize(options, io))
  command('rebuild', 'read the log and rebuild everything from it', 1).action((options: BenchOptions) =>
    rebuild(options, io),
  )
  command('recall', 'one recall in a long-running process', 200).action((options: BenchOptions) => recall(options, io))
  command('tools', 'each memory tool over MCP, in one server process', 41).action((options: BenchOptions) =>
    tools(options, io),
  )
}

interface OrganizeOptions extends BenchOptions {
  readonly session: number
}

async function organize(options: OrganizeOptions, io: CliContext): Promise<void> {
  const result = await withFixtureFolder(options, io, async (folder) =>
    benchOrganize(await openFixture(folder, toFixtureSize(options), io), {
      runs: options.runs,
      memories: options.memories,
      sessionEvents: options.session,
      worker: path.join(path.dirname(builtHooksFolder()), 'worker.cjs'),
      env: io.env,
      now: Date.now(),
    }),
  )
  printResult(io, options.json, { ...describeMachine(), ...result }, organizeLines)
}

async function rebuild(options: BenchOptions, io: CliContext): Promise<void> {
  const result = await withFixtureFolder(options, io, async (folder) =>
    benchRebuild(await openFixture(folder, toFixtureSize(options), io), Date.now()),
  )
  printResult(io, options.json, { ...describeMachine(), ...result }, rebuildLines)
}

async function recall(options: BenchOptions, io: CliContext): Promise<void> {
  const { memories, runs } = options
  const result = await withFixtureFolder(options, io, async (folder) =>
    benchRecall(await openFixture(folder, toFixtureSize(options), io), memories, runs, Date.now()),
  )
  printResult(io, options.json, { ...describeMachine(), ...result }, recallLines)
}

async function tools(options: BenchOptions, io: CliContext): Promise<void> {
  const command = path.join(readPackageInfo().root, 'dist', 'cli.js')
  const results = await withFixtureFolder(options, io, async (folder) =>
    benchTools(await openFixture(folder, toFixtureSize(options), io), { runs: options.runs, command, env: io.env }),
  )
  printResult(io, options.json, { ...describeMachine(), ...toFixtureSize(options), tools: results }, (result, page) =>
    toolLines(result.tools, page),
  )
}
