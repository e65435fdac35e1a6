// The one module that reads stdin, writes stdout, keeps the time budget and ends the process, for every hook.
//
// A hook never disturbs the session: it exits 0, prints one JSON in one piece or nothing at all, and is gone in time. A fault
// inside is written to the store's faults.jsonl (what, where, the mend), never to the person's session.
import { read, readSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Handler, visitTo } from '../broker/hook/visit.ts'
import { type Store, storeOf } from '../broker/store.ts'
import { HOOK_BUDGET_MS } from '../model/limits.ts'
import { type Payload, parsePayload, textField } from '../record/payload.ts'
import { codeOf } from '../store/files.ts'
import { startOf } from '../store/lock.ts'
import { INTERPRETED_BYTES_MAX, interpretOnly } from './compilers.ts'
import { noteFault } from './fault.ts'

const NEWLINE = 0x0a
const CHUNK_BYTES = 65_536

/** Starts the detached worker for the project of a folder; given only to the hooks that may need it. */
type StartWorker = (folder: string, env: Readonly<Record<string, string | undefined>>) => void | Promise<void>

/** Answers one hook event, then ends the process. */
export function answer(eventName: string, handler: Handler, startWorker?: StartWorker): void {
  if (process.env['MEMCTL_OFF'] === '1') process.exit(0)
  readLine((text) => {
    const { said, undone } = answerTo(eventName, text, handler)
    // Synchronous, in one piece: a broken JSON would reach the model as text.
    if (said) writeSync(1, said)
    const working = undone && startWorker ? workOn(eventName, undone, startWorker) : undefined
    if (working) void working.then(() => process.exit(0))
    else process.exit(0)
  })
}

function workOn(eventName: string, { store, folder }: Undone, startWorker: StartWorker): Promise<void> | undefined {
  const noted = (fault: unknown): void => noteFault(store, eventName, fault)
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
  readonly said?: string
  readonly undone?: Undone
}

interface Undone {
  readonly store: Store
  readonly folder: string
}

const NOTHING: Answered = {}

function answerTo(eventName: string, text: string, handler: Handler): Answered {
  const payload = parsePayload(text)
  if (!payload) return NOTHING
  const folder = process.env['CLAUDE_PROJECT_DIR'] || textField(payload, 'cwd') || process.cwd()
  try {
    const store = storeOf(folder, process.env)
    try {
      // The client may be newer than this hook's name: what it says of the event counts only as content.
      const { context, hold, background } = handler(payload, visitTo(store, Date.now(), clientAt(payload)))
      const undone = background ? { undone: { store, folder } } : NOTHING
      if (!context && !hold) return undone
      const said = hold
        ? { permissionDecision: 'deny', permissionDecisionReason: hold }
        : { additionalContext: context }
      return { ...undone, said: JSON.stringify({ hookSpecificOutput: { hookEventName: eventName, ...said } }) }
    } catch (fault) {
      noteFault(store, eventName, fault)
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
function clientAt(payload: Payload): { pid: number; started?: string | undefined } | undefined {
  if (payload.hook_event_name !== 'SessionStart') return undefined
  const pid = Number(process.env['CLAUDE_PID']) || process.ppid
  return pid > 1 ? { pid, started: startOf(pid) } : undefined
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
    if (codeOf(error) !== 'EAGAIN') bytes = 0 // No stdin at all.
  }
  const isWhole = bytes === 0 || (bytes > 0 && first[bytes - 1] === NEWLINE)
  if (isWhole) {
    if (bytes <= INTERPRETED_BYTES_MAX) interpretOnly()
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
