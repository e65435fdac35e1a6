// Options of every benchmark, the folder of its generated store, and the machine it runs on.
import path from 'node:path'
import type { Command } from 'commander'
import type { CliContext } from '../../src/cli/context/cliContext.ts'
import { readPackageInfo } from '../../src/cli/context/packageInfo.ts'
import { integerOption, withJsonOption } from '../../src/cli/context/storeOption.ts'
import { createPalette } from '../../src/report/textOutput.ts'
import type { FixtureSize, FixtureStore } from '../fixture/fixtureStore.ts'
import { createTempHome } from '../fixture/tempHome.ts'
import type { HookBenchOptions } from './benchHooks.ts'

export interface BenchOptions extends FixtureSize {
  readonly runs: number
  readonly store?: string
  readonly cold?: boolean
  readonly sync?: boolean
  readonly json?: boolean
}

/** Adds the options that every benchmark has. */
export const withBenchOptions = (
  command: Command,
  defaults: { readonly runs: number; readonly events: number },
): Command =>
  withJsonOption(command)
    .option('--memories <n>', 'number of memories in the store', integerOption(0), 10_000)
    .option('--events <n>', 'number of events from earlier sessions in the store', integerOption(0), defaults.events)
    .option('--runs <n>', 'number of measurements', integerOption(1), defaults.runs)
    .option('--store <dir>', 'folder that keeps the generated stores (default: a temporary folder)')

export const toFixtureSize = ({ memories, events }: BenchOptions): FixtureSize => ({ memories, events })

export const toHookBenchOptions = ({ runs, memories, cold, sync }: BenchOptions, io: CliContext): HookBenchOptions => ({
  runs,
  memories,
  hooksFolder: builtHooksFolder(),
  env: io.env,
  now: Date.now(),
  cold: cold === true,
  sync: sync === true,
})

/** The machine. Times of two machines cannot be compared, ratios almost can. */
export const describeMachine = () => ({
  version: readPackageInfo().version,
  node: process.versions.node,
  platform: process.platform,
})

/** The folder of the built hooks. */
export const builtHooksFolder = (): string => path.join(readPackageInfo().root, 'dist', 'hooks')

/** Runs in the folder of `--store`, or in a temporary one, removed at the end. Throws NOT_FOUND without a build. */
export async function withFixtureFolder<T>(
  { store }: BenchOptions,
  io: CliContext,
  run: (folder: string) => Promise<T>,
): Promise<T> {
  const { findBuiltHooks } = await import('../replay/hookProcess.ts')
  findBuiltHooks(readPackageInfo().root)
  if (store !== undefined) return run(path.resolve(io.cwd, store))
  using folder = createTempHome('bench')
  return await run(folder.path)
}

/** The generated store of this size in the folder, generated unless it exists. */
export async function openFixture(folder: string, size: FixtureSize, io: CliContext): Promise<FixtureStore> {
  const { buildFixture } = await import('../fixture/fixtureStore.ts')
  const palette = createPalette(io.err, io.env)
  const showStep = (step: string): void => {
    if (io.err.isTTY) io.err.write(`\r\u001b[2K${palette.dim(`generating a store: ${step}`)}`)
  }
  const fixture = buildFixture(folder, size, readPackageInfo().version, showStep)
  if (io.err.isTTY) io.err.write('\r\u001b[2K')
  return fixture
}
