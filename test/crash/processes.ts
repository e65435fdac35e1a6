// Real processes to kill: the built hooks and worker, optionally with a fixed clock.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { yamlForEsbuild } from '../../yaml-import.mjs'

const REPOSITORY = path.resolve(import.meta.dirname, '../..')

/** Builds entry points of the repository, or a source text, as CommonJS: `hooks/stop.ts` becomes `stop.cjs`. */
export async function built(folder: string, entries: readonly string[], source?: string): Promise<void> {
  await build({
    absWorkingDir: REPOSITORY,
    ...(source === undefined
      ? { entryPoints: [...entries] }
      : {
          stdin: { contents: source, resolveDir: path.join(REPOSITORY, 'src'), loader: 'ts', sourcefile: entries[0]! },
        }),
    ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20', plugins: [yamlForEsbuild] },
    ...{ external: ['hnswlib-node', '@xenova/transformers'], logLevel: 'error' },
    ...(source === undefined ? { outdir: folder, entryNames: '[name]' } : { outfile: path.join(folder, entries[0]!) }),
    outExtension: { '.js': '.cjs' },
  })
}

/** A file for `node -r` that fixes the clock at `now`, in milliseconds since 1970. */
export function stoppedClock(folder: string, now: number): string {
  const file = path.join(folder, `clock-${now}.cjs`)
  fs.writeFileSync(file, `Date.now = () => ${now}\n`)
  return file
}

/** The calls of node:fs that fail: error, paths, count and delay. `SHORT` writes a half, `KILL` is SIGKILL. */
export interface Refusal {
  readonly calls: readonly string[]
  readonly code: string
  readonly path: string
  readonly times?: number
  readonly after?: number
}

const REFUSING = `
const fs = require('node:fs')
const { calls, code, path, times, after } = JSON.parse(process.env.REFUSE)
const fits = new RegExp(path)
const files = new Map()
let left = times ?? Infinity
let spared = after ?? 0
for (const call of new Set([...calls, 'openSync'])) {
  const real = fs[call]
  fs[call] = (...args) => {
    const file = typeof args[0] === 'number' ? files.get(args[0]) : String(args[0])
    const writes = call !== 'openSync' || code === 'EIO' || (typeof args[1] === 'string' && /[aw+]/.test(args[1]))
    if (calls.includes(call) && file !== undefined && fits.test(file) && writes && spared-- <= 0 && left-- > 0) {
      if (code === 'KILL') process.kill(process.pid, 'SIGKILL')
      if (code === 'SHORT') return real(args[0], args[1].subarray(0, args[1].length >> 1))
      throw Object.assign(new Error(code + ': refused, ' + call + ' ' + file), { code, errno: -5, syscall: call })
    }
    const result = real(...args)
    if (call === 'openSync') files.set(result, String(args[0]))
    return result
  }
}
`

/** A file for `node -r` that makes the disk refuse what the environment's REFUSE, a Refusal as JSON, says. */
export function refusingDisk(folder: string): string {
  const file = path.join(folder, 'refusing.cjs')
  fs.writeFileSync(file, REFUSING)
  return file
}

export interface Ended {
  readonly status: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

/** Starts Node with these arguments and this `stdin`. */
export function started(words: readonly string[], env: Readonly<Record<string, string>>, stdin = ''): Running {
  const child = spawn(process.execPath, words, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const result = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      result[name] += text
    })
  }
  child.stdin.on('error', () => {}) // Killed before it has read all.
  child.stdin.end(stdin)
  const ended = new Promise<Ended>((done, failed) => {
    child.once('error', failed)
    child.once('close', (status, signal) => done({ status, signal, ...result }))
  })
  return { child, ended }
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
