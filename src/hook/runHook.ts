// Runs a hook. Only this module and readPayload.ts use stdin and stdout, enforce the time limit and end the process.
//
// A hook never disturbs the session: it exits with 0 in time, and prints one JSON in one piece or nothing. A fault
// goes to the store's faults.jsonl, never to the session.
import { writeSync } from 'node:fs'
import type { HookHandler } from '../broker/handlers/hookContext.ts'
import { SERVER_ARGUMENT } from '../model/hookEvents.ts'
import { PAYLOAD_BYTES_MAX } from '../model/limits.ts'
import { parseHookPayload } from '../record/hookPayload.ts'
import { processStartTime } from '../store/disk/lock.ts'
import { answerHook, type HookRun, type StartWorker, startPendingWork } from './answerHook.ts'
import { readPayload } from './readPayload.ts'

export function runHook(
  eventName: string,
  handler: HookHandler,
  startWorker?: StartWorker,
  client?: typeof findClient,
): void {
  if (process.env['MEMCTL_OFF'] === '1') process.exit(0)
  readPayload((text, bytes) => {
    if (bytes <= INTERPRETED_BYTES_MAX) disableJit()
    const { output, pendingWork } = answerHook(eventName, parseHookPayload(text), handler, {
      env: process.env,
      now: Date.now(),
      elapsedMs: () => process.uptime() * 1000,
      bytes,
      client: client?.(),
    })
    // Synchronous, in one piece: the model would see truncated JSON as text.
    if (output) writeSync(1, output)
    const starting =
      pendingWork && startWorker ? startPendingWork(eventName, pendingWork, process.env, startWorker) : undefined
    if (starting) void starting.then(() => endProcess(bytes))
    else endProcess(bytes)
  })
}

/** After a long line: until V8's threads have collected what it left, in milliseconds. */
const SETTLE_MS = 30

/** Node 24 may wait without end for a thread of V8 that works while the process exits: 8 of 90 hooks with 10 MB did. */
function endProcess(bytes: number): void {
  if (bytes > PAYLOAD_BYTES_MAX) setTimeout(() => process.exit(0), SETTLE_MS)
  else process.exit(0)
}

/**
 * The client's process, for the hook of a session's start. Clients from 2.1.3 on pass their pid; an earlier one is the
 * parent of this process.
 */
export function findClient(): HookRun['client'] {
  const pid = Number(process.env['CLAUDE_PID']) || process.ppid
  if (pid <= 1) return undefined
  const hooks = process.argv[2] === SERVER_ARGUMENT ? ({ hooks: SERVER_ARGUMENT } as const) : undefined
  return { pid, started: processStartTime(pid), ...hooks }
}

// Disables V8's compilers in a short hook.
//
// A hook ends before compiled code pays off: the compilers take 2 of its 20 ms, and a second processor. V8 accepts the
// flags in a running process; on the command line it would reject Node's own startup snapshot. To load node:v8 for this
// takes a cold hook 1.6 ms, but Node's internal handle is loaded already. It is not a public interface, and Node 24 no
// longer has it: there hooks run with the compilers.

/**
 * Up to this size of a payload, in bytes, interpreting is faster than compiling: with 4 KB it saved 1.5 ms, with 8 KB
 * nothing, with 15 KB it cost 0.8 ms.
 */
const INTERPRETED_BYTES_MAX = 8_192

/** The optimizing compiler, the baseline compiler, compiled regular expressions, and threads for garbage collection. */
const FLAGS = '--no-opt --no-sparkplug --regexp-interpret-all --no-parallel-scavenge'

/** Makes V8 interpret all code from now on, if this version of Node supports it. */
function disableJit(): void {
  if (!['v20', 'v22'].includes(process.version.slice(0, 3))) return
  try {
    // Node prints a warning about this handle to stderr; memctl uses nothing else that is deprecated.
    process.noDeprecation = true
    const internal = process as unknown as { binding(name: 'v8'): { setFlagsFromString(flags: string): void } }
    internal.binding('v8').setFlagsFromString(FLAGS)
  } catch {
    // This Node has no such handle: the hook is a little slower.
  }
}
