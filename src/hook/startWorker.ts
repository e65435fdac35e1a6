// Starts the worker that organises a store, detached and with ignored stdio: the client would wait for an inherited pipe.
//
// The hook must end in time for the child to live: a hook that is killed takes its children along. Loading node:child_process takes
// a cold hook 2.3 ms and its spawn 1.7; Node's own handle beneath it is there already and takes 0.8. But it is no promised interface: asked
// in another way than it expects it ends the process, as Node 24's does. So only Node 20 is asked, whose last version is out.

/** What of Node's process handle is used here, as Node 20 has it. */
interface ProcessHandle {
  /** 0, or the system's error as a negative number. */
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

type Environment = Readonly<Record<string, string | undefined>>

/** Starts the worker for the project of a folder, which is absolute. It does what is due, at most WORKER_BUDGET_MS long, and ends. */
export function startWorker(folder: string, env: Environment, worker = besideHooks()): void | Promise<void> {
  const words = [worker, folder]
  if (!startedAtOnce(words, env)) return started(words)
}

function startedAtOnce(words: readonly string[], env: Environment): boolean {
  if (!process.version.startsWith('v20.')) return false
  try {
    const giver = process as unknown as { binding(name: string): { readonly Process: new () => ProcessHandle } }
    const child = new (giver.binding('process_wrap').Process)()
    const ignored = { type: 'ignore' } as const
    const failed = child.spawn({
      ...{ file: process.execPath, args: [process.execPath, ...words], cwd: '/', detached: true, windowsHide: true },
      ...{
        envPairs: Object.entries(env).map(([name, value]) => `${name}=${value}`),
        stdio: [ignored, ignored, ignored],
      },
    })
    if (failed === 0) child.unref()
    return failed === 0
  } catch {
    return false // No such handle in this Node.
  }
}

async function started(words: readonly string[]): Promise<void> {
  const { spawnDetached } = await import('./spawnDetached.ts')
  spawnDetached(words)
}

/** Beside the hooks' folder in a package, in an installed runtime, in a clone. */
const besideHooks = (): string => `${__dirname}/../worker.cjs`
