// memctl bench: what a hook costs, measured on this machine beside a bare Node, in stores made up for it.
import type { Command } from 'commander'
import {
  type BenchOptions,
  benchMachine,
  fixtureSize,
  hookBench,
  openFixture,
  withBenchOptions,
  withFixtureFolder,
} from './bench/benchOptions.ts'
import { afterEndLines, atOnceLines, hookLines } from './bench/hookLines.ts'
import { type Io, tell } from './io.ts'

/** Events of the session that ends in a bench: a long one. */
const SESSION_EVENTS = 500

interface HookOptions extends BenchOptions {
  readonly atOnce?: boolean
  readonly after?: boolean
}

export function registerBench(program: Command, io: Io): void {
  const bench = program.command('bench').description('measure what memctl costs on this machine')
  const command = bench.command('hooks').description('each hook beside a bare `node -e 0`, in pairs')
  withBenchOptions(command, { runs: 21, events: 5_000 })
    .option('--cold', 'without code caches, as in the very first session')
    .option('--sync', 'with log.sync always, beside the same hook with log.sync session')
    .option('--at-once', 'ten of PostToolUse at the same moment, beside the same ones one after the other')
    .option('--after', 'a session ends: until when a process of ours is alive')
    .action((options: HookOptions) => (options.atOnce ? atOnce : options.after ? afterEnd : hooks)(options, io))
}

async function hooks(options: HookOptions, io: Io): Promise<void> {
  const results = await withFixtureFolder(options, io, async (folder) => {
    const { benchHooks } = await import('./bench/hooks.ts')
    return benchHooks(await openFixture(folder, fixtureSize(options), io), hookBench(options, io))
  })
  tell(io, options.json, { ...benchMachine(), ...fixtureSize(options), hooks: results }, ({ hooks: all }, page) =>
    hookLines(all, page, options.sync ? 'session' : 'node -e 0'),
  )
}

async function atOnce(options: HookOptions, io: Io): Promise<void> {
  const { benchAtOnce } = await import('./bench/atOnce.ts')
  const result = await withFixtureFolder(options, io, async (folder) =>
    benchAtOnce(await openFixture(folder, fixtureSize(options), io), hookBench(options, io)),
  )
  tell(io, options.json, { ...benchMachine(), ...fixtureSize(options), atOnce: result }, (told, page) =>
    atOnceLines(told.atOnce, page),
  )
}

async function afterEnd(options: HookOptions, io: Io): Promise<void> {
  const { benchAfterEnd } = await import('./bench/afterEnd.ts')
  const result = await withFixtureFolder(options, io, async (folder) =>
    benchAfterEnd(await openFixture(folder, fixtureSize(options), io), {
      ...hookBench(options, io),
      sessionEvents: SESSION_EVENTS,
    }),
  )
  tell(io, options.json, { ...benchMachine(), ...fixtureSize(options), afterEnd: result ?? null }, (told, page) =>
    told.afterEnd ? afterEndLines(told.afterEnd, page) : ['This system does not tell which processes run (no /proc).'],
  )
}
