// Runs the worker as a child process within limits of time and memory.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The worker writes each step that it begins as a line to this descriptor if WATCHED is in its environment. */
export const STEP_DESCRIPTOR = 3
export const WATCHED = 'MEMCTL_WATCHED'

export interface Supervision {
  /** A child that lives longer is killed, in milliseconds. */
  readonly killAfterMs: number
  /** A child with more resident memory is killed, in megabytes. Only where /proc tells; elsewhere it asks itself. */
  readonly memoryMb: number
  /** Called when the child was killed or crashed, or did not start, with its last step and the reason. */
  readonly onEnded: (step: string, what: string) => Promise<void>
}

/** Pause between two looks at the memory, in milliseconds. */
const WATCH_MS = 500

/** Starts the program and ends this process with it. */
export function superviseWorker(program: string, args: readonly string[], supervision: Supervision): void {
  const { killAfterMs, memoryMb, onEnded } = supervision
  const env = { ...process.env, [WATCHED]: '1' }
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const
  const child = spawn(program, args, { stdio: [...stdio], cwd: '/', env, windowsHide: true })
  let step = ''
  let reason: string | undefined
  const kill = (why: string): void => {
    reason ??= why
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => kill(`it took longer than ${killAfterMs / 1_000} s`), killAfterMs)
  const watch = setInterval(() => {
    if (residentMb(child.pid) > memoryMb) kill(`it took more than ${memoryMb} MB of memory`)
  }, WATCH_MS)
  child.stdio[STEP_DESCRIPTOR]?.on('data', (text: Buffer) => {
    step = text.toString().trimEnd().split('\n').at(-1) ?? step
  })
  // Whoever ends the watchdog means the worker; the watchdog ends after it.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGKILL'))
  const end = (what: string | undefined): void => {
    clearTimeout(timer)
    clearInterval(watch)
    const recorded = what === undefined ? Promise.resolve() : onEnded(step, what).catch(() => undefined)
    void recorded.then(() => process.exit(0))
  }
  child.on('error', ({ message }) => end(`it did not start: ${message}`))
  child.on('exit', (status, signal) => {
    // Somebody else's SIGKILL or SIGTERM is no fault of the step.
    const crashed = signal === 'SIGABRT' || signal === 'SIGSEGV' || (status !== null && status !== 0)
    end(reason ?? (crashed ? `it crashed (${signal ?? `status ${status}`})` : undefined))
  })
}

/** Resident memory of a process in megabytes; 0 if unknown. */
function residentMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024
  } catch {
    return 0 // No /proc, or the process has ended.
  }
}
