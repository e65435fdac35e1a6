// Faults inside a hook or the worker: one JSON line each in the store's faults.jsonl. `memctl doctor` reads it.

import { recordFailedStep } from '../broker/maintenance/workSteps.ts'
import { openStore, type Store } from '../broker/open/openStore.ts'
import { MemoryError } from '../model/memoryError.ts'
import { ioErrorHint, systemErrorCode } from '../store/disk/diskCalls.ts'

/** A larger file is cut first, in bytes: a fault at every call must not fill the disk. */
const FAULTS_BYTES_MAX = 262_144

/** The latest lines that a cut leaves; of payloads more, because a session's end takes these from the transcript. */
const LINES_KEPT = 50
const PAYLOAD_LINES_KEPT = 200

/** Appends the fault: time, place, message, code, hint and stack. Never throws. */
export function recordFault(store: Store, where: string, fault: unknown): void {
  const { files, layout } = store
  const error = fault instanceof Error ? fault : new Error(String(fault))
  const code = fault instanceof MemoryError ? fault.code : systemErrorCode(fault)
  const line = {
    at: new Date().toISOString(),
    where,
    what: error.message,
    code,
    hint:
      fault instanceof MemoryError
        ? fault.hint
        : (ioErrorHint(code) ?? 'A bug of memctl: please report it with this line.'),
    stack: error.stack
      ?.split('\n')
      .slice(1, 6)
      .map((frame) => frame.trim()),
  }
  try {
    if ((files.size(layout.faults) ?? 0) > FAULTS_BYTES_MAX) cutFaults(store)
    files.append(layout.faults, Buffer.from(`${JSON.stringify(line)}\n`))
  } catch {
    // The disk fails here too. `memctl doctor` checks the disk itself.
  }
}

function cutFaults({ files, layout }: Store): void {
  const lines = files.read(layout.faults)?.toString('utf8').trimEnd().split('\n') ?? []
  const kept = lines.filter((line, i) => line.includes('"PAYLOAD_INCOMPLETE"') || i >= lines.length - LINES_KEPT)
  const latest = kept.slice(-PAYLOAD_LINES_KEPT)
  files.replace(layout.faults, Buffer.from(`${latest.join('\n')}\n`))
}

// Writes down that a worker had to be ended. Loaded only then.

/** `step` is what the worker did last; empty if it had not begun anything, or did not start. `what` is the reason. */
export async function recordOverrun(folder: string, step: string, what: string): Promise<void> {
  const store = openStore(folder, process.env)
  const name = step || 'start'
  if (step !== '') recordFailedStep(store, name, what, Date.now())
  const hint = 'The next worker goes on; a step that fails three times is skipped for a day. `memctl doctor` lists it.'
  recordFault(store, 'worker', new MemoryError('WORKER_ENDED', `The worker was ended at ${name}: ${what}`, { hint }))
}
