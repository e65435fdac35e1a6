// bench hooks: what a hook costs on this machine compared with a bare Node, in a generated store.
import path from 'node:path'
import type { Command } from 'commander'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import {
  type BenchOptions,
  describeMachine,
  openFixture,
  toFixtureSize,
  toHookBenchOptions,
  withBenchOptions,
  withFixtureFolder,
} from './benchOptions.ts'
import { formatConcurrentHooks, formatHookResults, formatSessionEnd } from './formatHookBench.ts'

/** Events of the long session of which the end is measured. */
const SESSION_EVENTS = 500

interface HookOptions extends BenchOptions {
  readonly against?: string
  readonly atOnce?: boolean
  readonly after?: boolean
}

export function registerHooks(program: Command, io: CliContext): void {
  const command = program.command('hooks').description('each hook against a bare `node -e 0`, in pairs')
  withBenchOptions(command, { runs: 21, events: 5_000 })
    .option('--cold', 'run without code caches, as in the very first session')
    .option('--sync', 'compare each hook with log.sync always and with log.sync session')
    .option('--against <dir>', 'compare each hook with that of another build, a checkout with the same formats on disk')
    .option('--at-once', 'compare ten concurrent PostToolUse hooks with ten in sequence')
    .option('--after', "measure how long processes of memctl run after a session's end")
    .action((options: HookOptions) => {
      const run = options.atOnce ? runConcurrent : options.after ? runSessionEnd : runHooks
      return withFixtureFolder(options, io, (folder) => run(folder, options, io))
    })
}

async function runHooks(folder: string, options: HookOptions, io: CliContext): Promise<void> {
  const [{ benchHooks }, { findBuiltHooks }] = await Promise.all([
    import('./benchHooks.ts'),
    import('../replay/hookProcess.ts'),
  ])
  const fixture = await openFixture(folder, toFixtureSize(options), io)
  const against = options.against && {
    hooksFolder: findBuiltHooks(path.resolve(io.cwd, options.against)),
    fixture: await openFixture(path.join(folder, 'against'), toFixtureSize(options), io),
  }
  const hooks = benchHooks(fixture, { ...toHookBenchOptions(options, io), ...(against && { against }) })
  const result = { ...describeMachine(), ...toFixtureSize(options), hooks }
  printResult(io, options.json, result, (_, terminal) =>
    formatHookResults(hooks, terminal, against ? 'other build' : options.sync ? 'session' : 'node -e 0'),
  )
}

async function runConcurrent(folder: string, options: HookOptions, io: CliContext): Promise<void> {
  const { benchConcurrentHooks } = await import('./benchConcurrentHooks.ts')
  const fixture = await openFixture(folder, toFixtureSize(options), io)
  const atOnce = await benchConcurrentHooks(fixture, toHookBenchOptions(options, io))
  const result = { ...describeMachine(), ...toFixtureSize(options), atOnce }
  printResult(io, options.json, result, (_, terminal) => formatConcurrentHooks(atOnce, terminal))
}

async function runSessionEnd(folder: string, options: HookOptions, io: CliContext): Promise<void> {
  const { benchSessionEnd } = await import('./benchSessionEnd.ts')
  const fixture = await openFixture(folder, toFixtureSize(options), io)
  const bench = { ...toHookBenchOptions(options, io), sessionEvents: SESSION_EVENTS }
  const afterEnd = (await benchSessionEnd(fixture, bench)) ?? null
  const result = { ...describeMachine(), ...toFixtureSize(options), afterEnd }
  printResult(io, options.json, result, (_, terminal) =>
    afterEnd ? formatSessionEnd(afterEnd, terminal) : ['This system does not list its processes (no /proc).'],
  )
}
