// A fault inside a hook: what, where and the mend, one JSON line in the store's faults.jsonl. `memctl doctor` reads it.

import type { Store } from '../broker/store.ts'
import { MemoryError } from '../model/errors.ts'
import { diskMend } from '../store/diskMend.ts'
import { codeOf } from '../store/files.ts'

/** The file is begun anew past this size, in bytes: a fault that comes with every call must not fill the disk. */
const FAULTS_BYTES_MAX = 262_144

/** Writes the fault down. Throws nothing: a disk that refuses the log refuses this too. */
export function noteFault(store: Store, where: string, fault: unknown): void {
  const { files, layout } = store
  const error = fault instanceof Error ? fault : new Error(String(fault))
  const code = fault instanceof MemoryError ? fault.code : codeOf(fault)
  const line = {
    at: new Date().toISOString(),
    where,
    what: error.message,
    code,
    mend:
      fault instanceof MemoryError
        ? fault.mend
        : (diskMend(code) ?? 'A bug of memctl: please report it with this line.'),
    stack: error.stack
      ?.split('\n')
      .slice(1, 6)
      .map((frame) => frame.trim()),
  }
  try {
    if ((files.size(layout.faults) ?? 0) > FAULTS_BYTES_MAX) files.remove(layout.faults)
    files.append(layout.faults, Buffer.from(`${JSON.stringify(line)}\n`))
  } catch {
    // Nowhere left to say it; doctor will find the disk itself.
  }
}
