// The one module that reads stdin, writes stdout, keeps the time budget and ends the process, for every hook.
//
// A hook never disturbs the session: it exits 0, prints one JSON in one piece or nothing at all, and is gone in time. A fault
// inside is written to the store's faults.jsonl (what, where, the hint), never to the person's session.
import { read, readSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { type HookHandler, openHookContext } from '../broker/handlers/hookContext.ts'
import { openStore, type Store } from '../broker/open/openStore.ts'
import { HOOK_BUDGET_MS } from '../model/limits.ts'
import { getTextField, type HookPayload, parseHookPayload } from '../record/hookPayload.ts'
import { systemErrorCode } from '../store/disk/files.ts'
import { processStartTime } from '../store/disk/lock.ts'
import { disableJit, INTERPRETED_BYTES_MAX } from './disableJit.ts'
import { recordFault } from './recordFault.ts'

const NEWLINE = 0x0a
const CHUNK_BYTES = 65_536

/** Starts the detached worker for the project of a folder; given only to the hooks that may need it. */
type StartWorker = (folder: string, env: Readonly<Record<string, string | undefined>>) => void | Promise<void>

/** Answers one hook event, then ends the process. */
export function runHook(eventName: string, handler: HookHandler, startWorker?: StartWorker): void {
  if (process.env['MEMCTL_OFF'] === '1') process.exit(0)
  readLine((text) => {
    const { output, pendingWork } = answerTo(eventName, text, handler)
    // Synchronous, in one piece: a broken JSON would reach the model as text.
    if (output) writeSync(1, output)
    const working = pendingWork && startWorker ? workOn(eventName, pendingWork, startWorker) : undefined
    if (working) void working.then(() => process.exit(0))
    else process.exit(0)
  })
}

function workOn(eventName: string, { store, folder }: Undone, startWorker: StartWorker): Promise<void> | undefined {
  const noted = (fault: unknown): void => recordFault(store, eventName, fault)
  try {
    // The session's folder, not the project's root: a part of a repository may be a project of its own.
    return startWorker(resolve(folder), process.env)?.catch(noted)
  } catch (fault) {
    noted(fault)
    return undefined
  }
}

/** What is said, and where something waits to be organised. */
interface Answered {
  readonly output?: string
  readonly pendingWork?: Undone
}

interface Undone {
  readonly store: Store
  readonly folder: string
}

const NOTHING: Answered = {}

function answerTo(eventName: string, text: string, handler: HookHandler): Answered {
  const payload = parseHookPayload(text)
  if (!payload) return NOTHING
  const folder = process.env['CLAUDE_PROJECT_DIR'] || getTextField(payload, 'cwd') || process.cwd()
  try {
    const store = openStore(folder, process.env)
    try {
      // The client may be newer than this hook's name: what it says of the event counts only as content.
      const { context, denyReason, needsMaintenance } = handler(
        payload,
        openHookContext(store, Date.now(), clientAt(payload)),
      )
      const undone = needsMaintenance ? { pendingWork: { store, folder } } : NOTHING
      if (!context && !denyReason) return undone
      const said = denyReason
        ? { permissionDecision: 'deny', permissionDecisionReason: denyReason }
        : { additionalContext: context }
      return { ...undone, output: JSON.stringify({ hookSpecificOutput: { hookEventName: eventName, ...said } }) }
    } catch (fault) {
      recordFault(store, eventName, fault)
      return NOTHING
    }
  } catch {
    return NOTHING // No home folder, or its disk refuses even the fault: the session must not notice.
  }
}

/**
 * The client's process at a session's start, the only event that tells of it: it says its pid in 2.1.3 and later; before that it
 * is our parent (the exec form).
 */
function clientAt(payload: HookPayload): { pid: number; started?: string | undefined } | undefined {
  if (payload.hook_event_name !== 'SessionStart') return undefined
  const pid = Number(process.env['CLAUDE_PID']) || process.ppid
  return pid > 1 ? { pid, started: processStartTime(pid) } : undefined
}

/**
 * Reads stdin up to its first newline or its end: the client sends one line, and may keep the pipe open after it.
 *
 * The client writes the payload as it starts the hook, so the first read does not wait: a thread to read in and a timer beside
 * it cost a cold process 1 ms. Only what is not whole after that is read beside a timer.
 */
function readLine(then: (text: string) => void): void {
  const first = Buffer.allocUnsafe(CHUNK_BYTES)
  let bytes = -1
  try {
    bytes = readSync(0, first, 0, CHUNK_BYTES, null)
  } catch (error) {
    if (systemErrorCode(error) !== 'EAGAIN') bytes = 0 // No stdin at all.
  }
  const isWhole = bytes === 0 || (bytes > 0 && first[bytes - 1] === NEWLINE)
  if (isWhole) {
    if (bytes <= INTERPRETED_BYTES_MAX) disableJit()
    then(first.toString('utf8', 0, bytes))
  } else readOn(bytes > 0 ? [first.subarray(0, bytes)] : [], then)
}

/** Reads the rest, at most HOOK_BUDGET_MS long. */
function readOn(chunks: Buffer[], then: (text: string) => void): void {
  const end = setTimeout(() => process.exit(0), HOOK_BUDGET_MS)
  const next = (): void => {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    read(0, chunk, 0, CHUNK_BYTES, null, (error, bytes) => {
      if (error?.code === 'EAGAIN') setTimeout(next, 2)
      else {
        chunks.push(chunk.subarray(0, error ? 0 : bytes))
        if (!error && bytes > 0 && !chunk.subarray(0, bytes).includes(NEWLINE)) next()
        else {
          clearTimeout(end)
          then(Buffer.concat(chunks).toString('utf8'))
        }
      }
    })
  }
  next()
}
