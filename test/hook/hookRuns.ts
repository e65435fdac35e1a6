// Many runs of the built hooks in one process: to start Node for each would take most of a test's time.
//
// hookRunner.cjs runs the scripts of dist/hooks as Node would, with bootstrap and code; only the process, stdin and
// stdout are not their own, and no worker is started. That a hook also works alone is for stories.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const RUNNER = path.join(import.meta.dirname, 'hookRunner.cjs')

export interface HookRun {
  /** `stop` for dist/hooks/stop.cjs. */
  readonly script: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Paths of CommonJS files that are loaded before this run, as by `node -r`. */
  readonly preloads?: readonly string[]
}

export interface HookRunResult {
  readonly status: number
  readonly stdout: string
  /** The most memory that the process had until then. */
  readonly rssKib: number
}

export interface HookRunResults {
  /** One for each run; fewer if a run hung or crashed. */
  readonly results: readonly HookRunResult[]
  readonly stderr: string
  /** SIGKILL if the runs took longer than allowed. */
  readonly signal: string | null
}

export const builtHook = (script: string): string =>
  path.resolve(import.meta.dirname, '../../dist/hooks', `${script}.cjs`)

/** Runs these hooks one after the other, within `timeoutMs` for all of them. `folder` gets a file that lists them. */
export function runHooks(folder: string, runs: readonly HookRun[], timeoutMs: number): HookRunResults {
  const file = path.join(folder, 'hook-runs.json')
  const listed = runs.map(({ script, payload, ...rest }) => ({
    ...rest,
    script: builtHook(script),
    input: `${JSON.stringify(payload)}\n`,
  }))
  fs.writeFileSync(file, JSON.stringify(listed))
  const { stdout, stderr, signal } = spawnSync(process.execPath, [RUNNER, file], {
    ...{ encoding: 'utf8', timeout: timeoutMs, killSignal: 'SIGKILL' },
    env: { PATH: process.env['PATH'] ?? '' },
  })
  const lines = stdout.split('\n').filter(Boolean)
  return { results: lines.map((line) => JSON.parse(line) as HookRunResult), stderr, signal }
}
