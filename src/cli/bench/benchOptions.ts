// What every benchmark has: its options, the folder of its fixture store, and the machine it runs on.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { paletteFor } from '../../report/colour.ts'
import { wholeNumber } from '../given.ts'
import type { Io } from '../io.ts'
import { ownPackage } from '../packageRoot.ts'
import type { Grown, Size } from './fixtureStore.ts'
import type { HookBench } from './hooks.ts'

export interface BenchOptions extends Size {
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
    .option('--memories <n>', 'memories stored beforehand', wholeNumber(0), 10_000)
    .option('--events <n>', 'events of earlier sessions', wholeNumber(0), defaults.events)
    .option('--runs <n>', 'how often each is measured', wholeNumber(1), defaults.runs)
    .option('--store <dir>', 'where to keep the stores made up for this, for the next time (default: nowhere)')
    .option('--json', 'answer as one line of JSON')

export const fixtureSize = ({ memories, events }: BenchOptions): Size => ({ memories, events })

export const hookBench = ({ runs, memories, cold, sync }: BenchOptions, io: Io): HookBench => ({
  runs,
  memories,
  hooksFolder: builtHooks(),
  env: io.env,
  now: Date.now(),
  cold: cold === true,
  sync: sync === true,
})

/** The machine: times of two machines cannot be compared, ratios nearly can. */
export const benchMachine = () => ({
  version: ownPackage().version,
  node: process.versions.node,
  platform: process.platform,
})

/** The folder of the built hooks. */
export const builtHooks = (): string => path.join(ownPackage().root, 'dist', 'hooks')

/** Runs in the folder given with --store, or in a temporary one that is removed afterwards. Throws NOT_FOUND where nothing was built. */
export async function withFixtureFolder<T>(
  { store }: BenchOptions,
  io: Io,
  run: (folder: string) => Promise<T>,
): Promise<T> {
  const { hooksBuiltIn } = await import('../hookProcess.ts')
  hooksBuiltIn(ownPackage().root)
  if (store !== undefined) return run(path.resolve(io.cwd, store))
  const { scratchHome } = await import('../scratch.ts')
  const folder = scratchHome('bench')
  try {
    return await run(folder)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** The fixture store of this size in the folder, built unless it is there. */
export async function openFixture(folder: string, size: Size, io: Io): Promise<Grown> {
  const { grown } = await import('./fixtureStore.ts')
  const palette = paletteFor(io.err, io.env)
  const showStep = (step: string): void => {
    if (io.err.isTTY) io.err.write(`\r\u001b[2K${palette.dim(`making a store: ${step}`)}`)
  }
  const fixture = grown(folder, size, ownPackage().version, showStep)
  if (io.err.isTTY) io.err.write('\r\u001b[2K')
  return fixture
}
