// Where a RUN file goes: what recall returned, one JSON object per line, for the scorer.
import fs from 'node:fs'
import path from 'node:path'
import type { CliContext } from '../../src/cli/context/cliContext.ts'
import { MemoryError } from '../../src/model/memoryError.ts'

/** The path of a RUN file. Throws NOT_FOUND if its folder does not exist, so that this is found before the work. */
export function runFilePath(name: string, io: CliContext): string {
  const file = path.resolve(io.cwd, name)
  if (fs.statSync(path.dirname(file), { throwIfNoEntry: false })?.isDirectory()) return file
  throw new MemoryError('NOT_FOUND', `There is no folder ${path.dirname(file)}`, {
    hint: 'Create it, or give another --out.',
  })
}
