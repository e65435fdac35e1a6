// Paired measuring: a hook's process and a bare `node -e 0`, one after the other, and the ratio of each pair.
//
// A machine's mood (heat, other work) moves both of a pair alike, so the median of the ratios stands where single times wander.
import { spawn, spawnSync } from 'node:child_process'
import { performance } from 'node:perf_hooks'

export interface ProcessRun {
  readonly ms: number
  readonly stdout: string
  readonly status: number | null
  readonly stderr: string
}

export interface PairedTiming {
  readonly ms: number
  readonly bareMs: number
  /** Median of the pairs' ratios, and their quartiles. */
  readonly ratio: number
  readonly quartiles: readonly [number, number]
}

export type Environment = Readonly<Record<string, string | undefined>>

/** What would reach into both of a pair from the outside: the person's own memory and session, files that make Node start slowly. */
const NOT_HANDED_ON = /^(?:MEMCTL_|CLAUDE|NODE_EXTRA_CA_CERTS$|NODE_OPTIONS$|NODE_COMPILE_CACHE$|NODE_V8_COVERAGE$)/

/** The environment of both of a pair. */
export const cleanEnvironment = (env: Environment, more: Environment): Environment => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_HANDED_ON.test(name))),
  ...more,
})

/** One process from its start to its end. */
export function runTimed(args: readonly string[], input: string, env: Environment, cwd: string): ProcessRun {
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { input, env, cwd, encoding: 'utf8' })
  return { ms: performance.now() - began, status, stdout, stderr }
}

/** The same beside others, and without its words. */
export function runProcess(args: readonly string[], input: string, env: Environment, cwd: string): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [...args], { env: { ...env }, cwd, stdio: ['pipe', 'ignore', 'ignore'] })
    child.stdin.on('error', () => {}) // It may be gone before it has read all.
    child.stdin.end(input)
    child.once('error', failed)
    child.once('close', () => done())
  })
}

/** Measures `runs` pairs; `run` starts the hook for pair `i`, `bare` the empty process. Who goes first alternates. */
export function comparePaired(runs: number, run: (i: number) => number, bare: (i: number) => number): PairedTiming {
  const pairs = Array.from({ length: runs }, (_, i) => {
    if (i % 2 === 0) {
      const ms = run(i)
      return { ms, bareMs: bare(i) }
    }
    const bareMs = bare(i)
    return { bareMs, ms: run(i) }
  })
  const ratios = pairs.map((pair) => pair.ms / pair.bareMs)
  return {
    ms: median(pairs.map((pair) => pair.ms)),
    bareMs: median(pairs.map((pair) => pair.bareMs)),
    ratio: median(ratios),
    quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
  }
}

/** The most memory a process of ours takes, in MB: told by itself at its end. */
export function measurePeakMemoryMb(
  args: readonly string[],
  input: string,
  env: Environment,
  cwd: string,
): number | undefined {
  const used = measureUsage(args, input, env, cwd)
  return used && used.maxRssKb / 1024
}

interface ResourceUsage {
  readonly maxRssKb: number
  /** Seconds of processor time, system included. */
  readonly cpuS: number
}

// Linux tells a process's own peak in VmHWM; resourceUsage there begins with what its parent had taken when it was started.
const LAST_WORDS = `process.on('exit',()=>{const fs=require('fs'),u=process.resourceUsage(),own='/proc/self/status'
const kb=fs.existsSync(own)?+/VmHWM:\\s+(\\d+)/.exec(fs.readFileSync(own,'latin1'))[1]:u.maxRSS
fs.writeSync(3,JSON.stringify({maxRssKb:kb,cpuS:(u.userCPUTime+u.systemCPUTime)/1e6}))})`

/** Runs a script with last words of its own: what it took of the machine, on descriptor 3. */
export function measureUsage(
  args: readonly string[],
  input: string,
  env: Environment,
  cwd: string,
): ResourceUsage | undefined {
  const script = `${LAST_WORDS};process.argv[1]&&require(process.argv[1])`
  const { output } = spawnSync(process.execPath, ['-e', script, ...args], {
    ...{ input, env, cwd, encoding: 'utf8' },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  try {
    return JSON.parse(output[3] ?? '') as ResourceUsage
  } catch {
    return undefined // It was killed before it could tell.
  }
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The value a share of the others lie below, between two of them in proportion. NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN]
  return low + (high - low) * (at - Math.floor(at))
}
