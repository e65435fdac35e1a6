// Hints for errors of the disk, by the system's own error code.
import { MemoryError } from '../../model/memoryError.ts'
import { systemErrorCode } from './files.ts'

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some disk space; memctl goes on by itself.',
  EROFS: 'Make the folder writable, or set MEMCTL_HOME to one that is.',
  EACCES: 'Make the folder writable for you, or set MEMCTL_HOME to one that is.',
  EPERM: 'Make the folder writable for you, or set MEMCTL_HOME to one that is.',
  EISDIR: 'There is a folder where a file should be: `memctl doctor --fix` moves it away, then run `memctl rebuild`.',
  EDQUOT: 'Free some disk space, or ask for a larger quota; memctl goes on by itself.',
  EIO: 'The disk has errors: check it. Set MEMCTL_HOME to a folder on another disk.',
  EBUSY: 'Another program uses the file; memctl goes on by itself. If this lasts, set MEMCTL_HOME to a local disk.',
  ESTALE: 'The network disk lost the file; memctl goes on by itself. If this lasts, set MEMCTL_HOME to a local disk.',
  EXDEV: 'Files cannot be renamed here: set MEMCTL_HOME to a folder on one disk.',
  EMFILE: 'Too many files are open on this machine; memctl goes on by itself.',
  ENFILE: 'Too many files are open on this machine; memctl goes on by itself.',
  EEXIST: 'There is a file where a folder should be: move it away.',
  ENAMETOOLONG: 'The name is too long for a file: use a shorter one.',
  ELOOP: 'Links lead in a circle: remove one of them.',
  ENXIO: 'There is a device or a pipe where a file should be: move it away.',
  ENOTDIR: 'There is a file where a folder should be: move it away.',
}

/** The hint for a system error code; undefined for a code that does not come from the disk. */
export const ioErrorHint = (code: string | undefined): string | undefined => HINTS[code ?? '']

/** An error that the caller can correct; undefined for a bug. */
export function toMemoryError(error: unknown): MemoryError | undefined {
  if (error instanceof MemoryError) return error
  const hint = ioErrorHint(systemErrorCode(error))
  return hint ? new MemoryError('STORE_UNWRITABLE', (error as Error).message, { hint, cause: error }) : undefined
}
