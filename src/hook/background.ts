// Starts the worker that organises a store, detached and with ignored stdio: the client would wait for an inherited pipe.
//
// The hook must end in time for the child to live: a hook that is killed takes its children along.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Starts the worker for a project. It does what is due, at most WORKER_BUDGET_MS long, and ends. */
export function startWorker(projectRoot: string, worker = besideHooks()): void {
  spawn(process.execPath, [worker, projectRoot], {
    detached: true,
    stdio: 'ignore',
    cwd: '/',
    windowsHide: true,
  }).unref()
}

/** Beside the hooks' folder in a package, in an installed runtime, in a clone. */
const besideHooks = (): string => join(__dirname, '..', 'worker.cjs')
