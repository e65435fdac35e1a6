// memctl bench: what memctl costs, measured on this machine beside a bare Node, in stores made up for it.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { paletteFor } from '../report/colour.ts'
import type { Grown, Size } from './bench/grow.ts'
import type { GrowthStep } from './bench/growth.ts'
import type { HookBench } from './bench/hooks.ts'
import {
  afterEndLines,
  atOnceLines,
  growthLines,
  hookLines,
  organizeLines,
  rebuildLines,
  recallLines,
  toolLines,
} from './bench/lines.ts'
import { wholeNumber } from './given.ts'
import { type Io, tell } from './io.ts'
import { ownPackage } from './packageRoot.ts'

/** Events of the session that ends in a bench: a long one. */
const SESSION_EVENTS = 500

interface Words extends Partial<Size> {
  readonly runs?: number
  readonly store?: string
  readonly cold?: boolean
  readonly sync?: boolean
  readonly atOnce?: boolean
  readonly after?: boolean
  readonly json?: boolean
}

export function registerBench(program: Command, io: Io): void {
  const bench = program.command('bench').description('measure what memctl costs on this machine')
  const command = (name: string, says: string, runs: number, events = 5_000): Command =>
    bench
      .command(name)
      .description(says)
      .option('--memories <n>', 'memories stored beforehand', wholeNumber(0), 10_000)
      .option('--events <n>', 'events of earlier sessions', wholeNumber(0), events)
      .option('--runs <n>', 'how often each is measured', wholeNumber(1), runs)
      .option('--store <dir>', 'where to keep the stores made up for this, for the next time (default: nowhere)')
      .option('--json', 'answer as one line of JSON')

  command('hooks', 'each hook beside a bare `node -e 0`, in pairs', 21)
    .option('--cold', 'without code caches, as in the very first session')
    .option('--sync', 'with log.sync always, beside the same hook with log.sync session')
    .option('--at-once', 'ten of PostToolUse at the same moment, beside the same ones one after the other')
    .option('--after', 'a session ends: until when a process of ours is alive')
    .action((words: Words) => (words.atOnce ? atOnce : words.after ? afterEnd : hooks)(words, io))
  command('organize', 'one session organised by the worker', 3)
    .option('--session <n>', 'events of that session', wholeNumber(4), SESSION_EVENTS)
    .action((words: Words & { readonly session: number }) => organize(words, io))
  command('rebuild', 'the log read, and everything made anew from it', 1).action((words: Words) => rebuilt(words, io))
  command('recall', 'one recall in a process that stays', 200).action((words: Words) => recalled(words, io))
  command('tools', 'each memory tool over MCP, in one server', 41).action((words: Words) => tools(words, io))
  command('growth', 'hooks as the history grows tenfold and tenfold, up to --events', 11, 1_000_000).action(
    (words: Words) => growth(words, io),
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

async function recalled(words: Words, io: Io): Promise<void> {
  const { benchRecall } = await import('./bench/recall.ts')
  const result = await within(words, io, async (folder) =>
    benchRecall(await storeOf(folder, sizeOf(words), io), words.memories!, words.runs!, Date.now()),
  )
  tell(io, words.json, { ...machine(), ...result }, recallLines)
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

/** Every hook with a thousand events of history, then ten times as many, up to what was asked, each beside ten thousand. */
async function growth(words: Words, io: Io): Promise<void> {
  const { BASE_EVENTS, benchGrowth, sizesUpTo } = await import('./bench/growth.ts')
  const memories = words.memories!
  const steps = await within(words, io, async (folder) => {
    const base = await storeOf(folder, { events: BASE_EVENTS, memories }, io)
    const found: GrowthStep[] = []
    for (const size of sizesUpTo(words.events!, memories))
      found.push({ ...size, hooks: benchGrowth(await storeOf(folder, size, io), base, hookBench(words, io)) })
    return found
  })
  tell(io, words.json, { ...machine(), baseEvents: BASE_EVENTS, steps }, (result, page) =>
    growthLines(result.steps, result.baseEvents, page),
  )
}

async function atOnce(words: Words, io: Io): Promise<void> {
  const { benchAtOnce } = await import('./bench/atOnce.ts')
  const result = await within(words, io, async (folder) =>
    benchAtOnce(await storeOf(folder, sizeOf(words), io), hookBench(words, io)),
  )
  tell(io, words.json, { ...machine(), ...sizeOf(words), atOnce: result }, (told, page) =>
    atOnceLines(told.atOnce, page),
  )
}

async function afterEnd(words: Words, io: Io): Promise<void> {
  const { benchAfterEnd } = await import('./bench/afterEnd.ts')
  const result = await within(words, io, async (folder) =>
    benchAfterEnd(await storeOf(folder, sizeOf(words), io), { ...hookBench(words, io), sessionEvents: SESSION_EVENTS }),
  )
  tell(io, words.json, { ...machine(), ...sizeOf(words), afterEnd: result ?? null }, (told, page) =>
    told.afterEnd ? afterEndLines(told.afterEnd, page) : ['This system does not tell which processes run (no /proc).'],
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
