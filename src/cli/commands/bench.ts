// memctl bench: what a hook costs, measured on this machine beside a bare Node, in stores made up for it.
import type { Command } from 'commander'
import {
  type BenchOptions,
  describeMachine,
  openFixture,
  toFixtureSize,
  toHookBenchOptions,
  withBenchOptions,
  withFixtureFolder,
} from '../bench/benchOptions.ts'
import { formatConcurrentHooks, formatHookResults, formatSessionEnd } from '../bench/formatHookBench.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'

/** Events of the session that ends in a bench: a long one. */
const SESSION_EVENTS = 500

interface HookOptions extends BenchOptions {
  readonly atOnce?: boolean
  readonly after?: boolean
}

export function registerBench(program: Command, io: CliContext): void {
  const bench = program.command('bench').description('measure what memctl costs on this machine')
  const command = bench.command('hooks').description('each hook beside a bare `node -e 0`, in pairs')
  withBenchOptions(command, { runs: 21, events: 5_000 })
    .option('--cold', 'without code caches, as in the very first session')
    .option('--sync', 'with log.sync always, beside the same hook with log.sync session')
    .option('--at-once', 'ten of PostToolUse at the same moment, beside the same ones one after the other')
    .option('--after', 'a session ends: until when a process of ours is alive')
    .action((options: HookOptions) => (options.atOnce ? atOnce : options.after ? afterEnd : hooks)(options, io))
}

async function hooks(options: HookOptions, io: CliContext): Promise<void> {
  const results = await withFixtureFolder(options, io, async (folder) => {
    const { benchHooks } = await import('../bench/benchHooks.ts')
    return benchHooks(await openFixture(folder, toFixtureSize(options), io), toHookBenchOptions(options, io))
  })
  printResult(
    io,
    options.json,
    { ...describeMachine(), ...toFixtureSize(options), hooks: results },
    ({ hooks: all }, page) => formatHookResults(all, page, options.sync ? 'session' : 'node -e 0'),
  )
}

async function atOnce(options: HookOptions, io: CliContext): Promise<void> {
  const { benchConcurrentHooks } = await import('../bench/benchConcurrentHooks.ts')
  const result = await withFixtureFolder(options, io, async (folder) =>
    benchConcurrentHooks(await openFixture(folder, toFixtureSize(options), io), toHookBenchOptions(options, io)),
  )
  printResult(io, options.json, { ...describeMachine(), ...toFixtureSize(options), atOnce: result }, (told, page) =>
    formatConcurrentHooks(told.atOnce, page),
  )
}

async function afterEnd(options: HookOptions, io: CliContext): Promise<void> {
  const { benchSessionEnd } = await import('../bench/benchSessionEnd.ts')
  const result = await withFixtureFolder(options, io, async (folder) =>
    benchSessionEnd(await openFixture(folder, toFixtureSize(options), io), {
      ...toHookBenchOptions(options, io),
      sessionEvents: SESSION_EVENTS,
    }),
  )
  printResult(
    io,
    options.json,
    { ...describeMachine(), ...toFixtureSize(options), afterEnd: result ?? null },
    (told, page) =>
      told.afterEnd
        ? formatSessionEnd(told.afterEnd, page)
        : ['This system does not tell which processes run (no /proc).'],
  )
}
