// Faults inside a hook or the worker: one JSON line each in the store's faults.jsonl. `memctl doctor` reads it.
import type { Store } from '../broker/open/openStore.ts'
import { MemoryError } from '../model/memoryError.ts'
import { systemErrorCode } from '../store/disk/files.ts'
import { ioErrorHint } from '../store/disk/ioErrorHint.ts'

/** A larger file is removed first, in bytes: a fault at every call must not fill the disk. */
const FAULTS_BYTES_MAX = 262_144

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
    if ((files.size(layout.faults) ?? 0) > FAULTS_BYTES_MAX) files.remove(layout.faults)
    files.append(layout.faults, Buffer.from(`${JSON.stringify(line)}\n`))
  } catch {
    // The disk fails here too. `memctl doctor` checks the disk itself.
  }
}
