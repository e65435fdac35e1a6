// Paired timing: a hook's process and a bare `node -e 0` in sequence, and the ratio of each pair.
//
// Heat and other load change both of a pair alike, so the median of the ratios is stable where single times are not.
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

/** Variables that are not passed on: the user's own memory and session, and files that slow down the start of Node. */
const REMOVED_VARIABLES = /^(?:MEMCTL_|CLAUDE|NODE_EXTRA_CA_CERTS$|NODE_OPTIONS$|NODE_COMPILE_CACHE$|NODE_V8_COVERAGE$)/

/** The environment of both processes of a pair. */
export const cleanEnvironment = (env: Environment, more: Environment): Environment => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !REMOVED_VARIABLES.test(name))),
  ...more,
})

/** Runs one process of Node to its end. */
export function runTimed(args: readonly string[], input: string, env: Environment, cwd: string): ProcessRun {
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    input,
    env,
    cwd,
    encoding: 'utf8',
    windowsHide: true,
  })
  return { ms: performance.now() - began, status, stdout, stderr }
}

/** Runs a process of Node without blocking, and ignores its output. */
export function runProcess(args: readonly string[], input: string, env: Environment, cwd: string): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [...args], {
      env: { ...env },
      cwd,
      stdio: ['pipe', 'ignore', 'ignore'],
      windowsHide: true,
    })
    child.stdin.on('error', () => {}) // It may exit before it has read everything.
    child.stdin.end(input)
    child.once('error', failed)
    child.once('close', () => done())
  })
}

/** Measures `runs` pairs in ms: `run` times the hook of pair `i`, `bare` the empty process. The order alternates. */
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

/** Peak memory of a process in MB, which it reports at its exit. */
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

// On Linux VmHWM is the peak of the process itself; resourceUsage there starts with the value of its parent.
const REPORT_AT_EXIT = `process.on('exit',()=>{const fs=require('fs'),u=process.resourceUsage(),own='/proc/self/status'
const kb=fs.existsSync(own)?+/VmHWM:\\s+(\\d+)/.exec(fs.readFileSync(own,'latin1'))[1]:u.maxRSS
fs.writeSync(3,JSON.stringify({maxRssKb:kb,cpuS:(u.userCPUTime+u.systemCPUTime)/1e6}))})`

/** Runs a script that reports its resource usage on descriptor 3; undefined if it was killed. */
export function measureUsage(
  args: readonly string[],
  input: string,
  env: Environment,
  cwd: string,
): ResourceUsage | undefined {
  const script = `${REPORT_AT_EXIT};process.argv[1]&&require(process.argv[1])`
  const { output } = spawnSync(process.execPath, ['-e', script, ...args], {
    windowsHide: true,
    input,
    env,
    cwd,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  try {
    return JSON.parse(output[3] ?? '') as ResourceUsage
  } catch {
    return undefined // It was killed before its exit handler ran.
  }
}

/** The elapsed time of some work, in milliseconds. */
export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The quantile `share`, 0 to 1, interpolated between two values. NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN]
  return low + (high - low) * (at - Math.floor(at))
}
