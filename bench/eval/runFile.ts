// Where a RUN file goes: looked at before the work, not after it.
import fs from 'node:fs'
import path from 'node:path'
import { MemoryError } from '../../src/model/errors.ts'

/** Throws NOT_FOUND where the file's folder is not there. */
export function assertWritable(file: string): void {
  if (fs.statSync(path.dirname(file), { throwIfNoEntry: false })?.isDirectory()) return
  throw new MemoryError('NOT_FOUND', `There is no folder ${path.dirname(file)}`, {
    mend: 'Make it, or give another --out.',
  })
}
