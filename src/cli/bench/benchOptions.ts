// What every benchmark has: its options, the folder of its fixture store, and the machine it runs on.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { createPalette } from '../../report/palette.ts'
import type { CliContext } from '../context/cliContext.ts'
import { readPackageInfo } from '../context/packageInfo.ts'
import { integerOption } from '../context/storeOption.ts'
import type { HookBenchOptions } from './benchHooks.ts'
import type { FixtureSize, FixtureStore } from './fixtureStore.ts'

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
  command
    .option('--memories <n>', 'memories stored beforehand', integerOption(0), 10_000)
    .option('--events <n>', 'events of earlier sessions', integerOption(0), defaults.events)
    .option('--runs <n>', 'how often each is measured', integerOption(1), defaults.runs)
    .option('--store <dir>', 'where to keep the stores made up for this, for the next time (default: nowhere)')
    .option('--json', 'print one line of JSON')

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

/** The machine: times of two machines cannot be compared, ratios nearly can. */
export const describeMachine = () => ({
  version: readPackageInfo().version,
  node: process.versions.node,
  platform: process.platform,
})

/** The folder of the built hooks. */
export const builtHooksFolder = (): string => path.join(readPackageInfo().root, 'dist', 'hooks')

/** Runs in the folder given with --store, or in a temporary one that is removed afterwards. Throws NOT_FOUND where nothing was built. */
export async function withFixtureFolder<T>(
  { store }: BenchOptions,
  io: CliContext,
  run: (folder: string) => Promise<T>,
): Promise<T> {
  const { findBuiltHooks } = await import('../replay/hookProcess.ts')
  findBuiltHooks(readPackageInfo().root)
  if (store !== undefined) return run(path.resolve(io.cwd, store))
  const { createTempHome } = await import('../context/storeOption.ts')
  const folder = createTempHome('bench')
  try {
    return await run(folder)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** The fixture store of this size in the folder, built unless it is there. */
export async function openFixture(folder: string, size: FixtureSize, io: CliContext): Promise<FixtureStore> {
  const { buildFixture } = await import('./fixtureStore.ts')
  const palette = createPalette(io.err, io.env)
  const showStep = (step: string): void => {
    if (io.err.isTTY) io.err.write(`\r\u001b[2K${palette.dim(`making a store: ${step}`)}`)
  }
  const fixture = buildFixture(folder, size, readPackageInfo().version, showStep)
  if (io.err.isTTY) io.err.write('\r\u001b[2K')
  return fixture
}
