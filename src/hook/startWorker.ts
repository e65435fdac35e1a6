// Starts the worker under its watchdog, detached and without stdio: the client would wait for an inherited pipe.
//
// The hook must end within its time limit: a hook that is killed takes its children along. In a cold hook
// node:child_process takes 2.3 ms to load and 1.7 ms to spawn; Node's internal handle is loaded already and takes 0.8
// ms. It is not a public interface: with other arguments than it expects it ends the process, as in Node 24. So only
// Node 20 uses it, which is no longer developed.

import { DISTILL_BUDGET_MS, SYNC_BUDGET_MS, WORKER_BUDGET_MS } from '../model/limits.ts'

/** The part of Node 20's internal process handle that is used here. */
interface ProcessHandle {
  /** 0, or a system error as a negative number. */
  spawn(options: {
    readonly file: string
    readonly args: readonly string[]
    readonly cwd: string
    readonly detached: boolean
    readonly windowsHide: boolean
    readonly envPairs: readonly string[]
    readonly stdio: readonly { readonly type: 'ignore' }[]
  }): number
  unref(): void
}

/** A task other than maintenance. */
export type WorkerTask = 'recent'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Starts the worker for the project of `folder`, an absolute path. Returns a
 * promise if Node has to load node:child_process first. With the task `recent` the worker only makes available to hooks
 * what the log has since the snapshot. `watchdog` is the script beside the folder of the hooks.
 */
export function startWorker(
  folder: string,
  env: Environment,
  task?: WorkerTask,
  watchdog = `${__dirname}/../watchdog.cjs`,
): void | Promise<void> {
  const args = task ? [watchdog, folder, task] : [watchdog, folder]
  if (!spawnByHandle(args, env))
    return import('./spawnDetached.ts').then(({ spawnDetached }) => spawnDetached(args, env))
}

function spawnByHandle(args: readonly string[], env: Environment): boolean {
  if (!process.version.startsWith('v20.')) return false
  try {
    const internal = process as unknown as { binding(name: string): { readonly Process: new () => ProcessHandle } }
    const child = new (internal.binding('process_wrap').Process)()
    const ignored = { type: 'ignore' } as const
    const error = child.spawn({
      file: process.execPath,
      args: [process.execPath, ...args],
      cwd: '/',
      detached: true,
      windowsHide: true,
      envPairs: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      stdio: [ignored, ignored, ignored],
    })
    if (error === 0) child.unref()
    return error === 0
  } catch {
    return false // This Node has no such handle.
  }
}

// The tasks of a worker other than maintenance: the word after the folder.

/** Asks the configured model. */
export const DISTILL = 'distill'

/** Exchanges changes with the configured hub of a team. */
export const SYNC = 'sync'

/** Only refreshes the recent segment. */
export const RECENT = 'recent'

/** Only builds the code caches of the hooks beside the worker. It opens no store. */
export const CACHES = 'caches'

/** How long a worker may take for a task; without one for maintenance. In milliseconds. */
export const budgetMs = (task: string | undefined): number =>
  task === SYNC ? SYNC_BUDGET_MS : task === DISTILL ? DISTILL_BUDGET_MS : WORKER_BUDGET_MS
