// memctl bench: what memctl costs, measured on this machine beside a bare Node, in stores made up for it.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { bytesText } from '../report/amount.ts'
import { paletteFor } from '../report/colour.ts'
import { type Column, table } from '../report/table.ts'
import type { Grown, Size } from './bench/grow.ts'
import type { HookBench, HookResult } from './bench/hooks.ts'
import type { OrganizeResult } from './bench/organize.ts'
import type { RebuildResult } from './bench/rebuild.ts'
import type { ToolResult } from './bench/tools.ts'
import { wholeNumber } from './given.ts'
import { type Io, type Page, tell } from './io.ts'
import { ownPackage } from './packageRoot.ts'

interface Words extends Partial<Size> {
  readonly runs?: number
  readonly store?: string
  readonly cold?: boolean
  readonly sync?: boolean
  readonly json?: boolean
}

export function registerBench(program: Command, io: Io): void {
  const bench = program.command('bench').description('measure what memctl costs on this machine')
  const command = (name: string, says: string, runs: number): Command =>
    bench
      .command(name)
      .description(says)
      .option('--memories <n>', 'memories stored beforehand', wholeNumber(0), 10_000)
      .option('--events <n>', 'events of earlier sessions', wholeNumber(0), 5_000)
      .option('--runs <n>', 'how often each is measured', wholeNumber(1), runs)
      .option('--store <dir>', 'where to keep the stores made up for this, for the next time (default: nowhere)')
      .option('--json', 'answer as one line of JSON')

  command('hooks', 'each hook beside a bare `node -e 0`, in pairs', 21)
    .option('--cold', 'without code caches, as in the very first session')
    .option('--sync', 'with log.sync always, beside the same hook with log.sync session')
    .action((words: Words) => hooks(words, io))
  command('organize', 'one session organised by the worker', 3)
    .option('--session <n>', 'events of that session', wholeNumber(4), 500)
    .action((words: Words & { readonly session: number }) => organize(words, io))
  command('rebuild', 'the log read, and everything made anew from it', 1).action((words: Words) => rebuilt(words, io))
  command('tools', 'each memory tool over MCP, in one server', 41).action((words: Words) => tools(words, io))
  command('growth', 'hooks as the history grows tenfold and tenfold, up to --events', 11).action((words: Words) =>
    growth(words, io),
  )
}

async function hooks(words: Words, io: Io): Promise<void> {
  const results = await within(words, io, async (folder) => {
    const { benchHooks } = await import('./bench/hooks.ts')
    const size = sizeOf(words)
    return benchHooks(await storeOf(folder, size, io), hookBench(words, io))
  })
  tell(io, words.json, { ...machine(), ...sizeOf(words), hooks: results }, ({ hooks: all }, page) =>
    hookLines(all, page, words.sync ? 'session' : 'node -e 0'),
  )
}

async function organize(words: Words & { readonly session: number }, io: Io): Promise<void> {
  const { benchOrganize } = await import('./bench/organize.ts')
  const worker = path.join(path.dirname(builtHooks()), 'worker.cjs')
  const result = await within(words, io, async (folder) =>
    benchOrganize(await storeOf(folder, sizeOf(words), io), {
      ...{
        runs: words.runs!,
        memories: words.memories!,
        sessionEvents: words.session,
        worker,
        env: io.env,
        now: Date.now(),
      },
    }),
  )
  tell(io, words.json, { ...machine(), ...result }, organizeLines)
}

async function rebuilt(words: Words, io: Io): Promise<void> {
  const { benchRebuild } = await import('./bench/rebuild.ts')
  const result = await within(words, io, async (folder) =>
    benchRebuild(await storeOf(folder, sizeOf(words), io), Date.now()),
  )
  tell(io, words.json, { ...machine(), ...result }, rebuildLines)
}

async function tools(words: Words, io: Io): Promise<void> {
  const { benchTools } = await import('./bench/tools.ts')
  const command = path.join(ownPackage().root, 'dist', 'cli.js')
  const results = await within(words, io, async (folder) =>
    benchTools(await storeOf(folder, sizeOf(words), io), { runs: words.runs!, command, env: io.env }),
  )
  tell(io, words.json, { ...machine(), ...sizeOf(words), tools: results }, (result, page) =>
    toolLines(result.tools, page),
  )
}

/** The hooks of a tool call and of a prompt, for 1,000 events of history, then ten times as many, up to what was asked. */
async function growth(words: Words, io: Io): Promise<void> {
  const { benchHooks } = await import('./bench/hooks.ts')
  const sizes: Size[] = []
  for (let events = 1_000; events <= words.events!; events *= 10) sizes.push({ events, memories: words.memories! })
  const only: HookBench['only'] = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure']
  const steps = await within(words, io, async (folder) => {
    const found = []
    for (const size of sizes) {
      found.push({ ...size, hooks: benchHooks(await storeOf(folder, size, io), { ...hookBench(words, io), only }) })
    }
    return found
  })
  tell(io, words.json, { ...machine(), steps }, (result, page) =>
    result.steps.flatMap((step) => [`${step.events} events`, ...hookLines(step.hooks, page), '']),
  )
}

const sizeOf = (words: Words): Size => ({ memories: words.memories!, events: words.events! })

const hookBench = (words: Words, io: Io): HookBench => ({
  ...{ runs: words.runs!, memories: words.memories!, hooksFolder: builtHooks(), env: io.env, now: Date.now() },
  cold: words.cold === true,
  sync: words.sync === true,
})

/** On what it was measured: numbers of two machines do not compare, ratios nearly do. */
const machine = () => ({ version: ownPackage().version, node: process.versions.node, platform: process.platform })

function builtHooks(): string {
  return path.join(ownPackage().root, 'dist', 'hooks')
}

/** Runs in the folder given, or in a scratch one that goes afterwards. */
async function within<T>(words: Words, io: Io, run: (folder: string) => Promise<T>): Promise<T> {
  const { hooksBuiltIn } = await import('./hookProcess.ts')
  hooksBuiltIn(ownPackage().root)
  if (words.store !== undefined) return run(path.resolve(io.cwd, words.store))
  const { scratchHome } = await import('./scratch.ts')
  const folder = scratchHome('bench')
  try {
    return await run(folder)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

async function storeOf(folder: string, size: Size, io: Io): Promise<Grown> {
  const { grown } = await import('./bench/grow.ts')
  const palette = paletteFor(io.err, io.env)
  const say = (what: string): void => {
    if (io.err.isTTY) io.err.write(`\r\u001b[2K${palette.dim(`making a store: ${what}`)}`)
  }
  const made = grown(folder, size, ownPackage().version, say)
  if (io.err.isTTY) io.err.write('\r\u001b[2K')
  return made
}

const columnsBeside = (beside: string): readonly Column[] => [
  { head: 'hook' },
  ...['ms', beside, 'ratio', 'quartiles', 'bar', 'memory', 'spoke'].map((head) => ({
    head,
    side: 'right' as const,
  })),
  { head: '' },
]

function hookLines(results: readonly HookResult[], { palette, columns }: Page, beside = 'node -e 0'): string[] {
  const mb = (value: number | undefined): string => (value === undefined ? '?' : bytesText(value * 1024 * 1024))
  const rows = results.map((one) => [
    one.event,
    one.ms.toFixed(1),
    one.bareMs.toFixed(1),
    one.ratio.toFixed(3),
    one.quartiles.map((value) => value.toFixed(2)).join(' – '),
    one.ratioMax?.toFixed(2) ?? '',
    `${mb(one.memoryMb)} / ${mb(one.bareMemoryMb)}`,
    `${one.answered}/${one.runs}`,
    one.within === undefined ? '' : one.within ? palette.green('within') : palette.red('over'),
  ])
  return table(columnsBeside(beside), rows, columns, palette.bold)
}

function toolLines(results: readonly ToolResult[], { palette, columns }: Page): string[] {
  const right = { side: 'right' } as const
  const layout = [
    { head: 'call' },
    ...['ms', '9 of 10', 'bar', 'runs'].map((head) => ({ head, ...right })),
    { head: '' },
  ]
  const rows = results.map((one) => [
    ...[one.name, one.ms.toFixed(2), one.slowMs.toFixed(2), one.msMax?.toFixed(0) ?? '', String(one.runs)],
    one.within === undefined ? '' : one.within ? palette.green('within') : palette.red('over'),
  ])
  return table(layout, rows, columns, palette.bold)
}

const organizeLines = (result: OrganizeResult): string[] => [
  `A session of ${result.sessionEvents} events into ${result.memories} memories, median of ${result.runs}:`,
  `${result.cpuS.toFixed(2)} s of processor, ${result.wallS.toFixed(2)} s by the clock, ${bytesText(result.memoryMb * 1024 * 1024)} at most`,
]

const rebuildLines = (result: RebuildResult): string[] => [
  `${result.events} events, ${result.memories} memories:`,
  `log read in ${result.readS.toFixed(2)} s (${Math.round(result.readEventsPerS)} events/s)`,
  `everything made anew in ${result.rebuildS.toFixed(2)} s (${Math.round(result.rebuildEventsPerS)} events/s)`,
]
