// The calls behind `realDisk`: files that only their owner may read, and renames that are refused for a moment.
//
// A new file has its mode from the call that creates it, so nobody else can open it in between. Temporary files are
// created with O_EXCL, and appends use O_NOFOLLOW: a link that another user has planted is never followed.
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { IS_WINDOWS } from './paths.ts'

/**
 * Who may read what is created. `owner`: only the user, with mode 0600 or 0700 whatever the umask; so is everything of
 * memctl. `umask`: as the umask says, for entry files in a project, which git shares anyway.
 */
export type Access = 'owner' | 'umask'

const FILE_MODES: Readonly<Record<Access, number>> = { owner: 0o600, umask: 0o666 }
const FOLDER_MODES: Readonly<Record<Access, number>> = { owner: 0o700, umask: 0o777 }

/** The code of a system error, such as ENOENT; undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined
  // What Node itself calls a folder that it was to remove as a file.
  return error.code === 'ERR_FS_EISDIR' ? 'EISDIR' : error.code
}

/**
 * Creates a folder and its parents. Not with Node's `recursive`, which never ends where a folder exists and nothing can
 * be created in it, as in /proc. A parent may appear between two calls, so what fails is tried once more.
 */
export function makeFolderFor(folder: string, access: Access, isLast = false): void {
  try {
    mkdirSync(folder, { mode: FOLDER_MODES[access] })
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === 'ENOENT') {
      const parent = dirname(folder)
      // A drive that is missing is its own parent.
      if (isLast || parent === folder) throw cannotCreate(folder, error)
      if (!existsSync(parent)) makeFolderFor(parent, access)
      makeFolderFor(folder, access, true)
    } else if (code === 'EEXIST') {
      const stats = statSync(folder, { throwIfNoEntry: false })
      if (stats === undefined) throw cannotCreate(folder, error) // A link to nothing, as to a disk that is not mounted.
      if (!stats.isDirectory()) throw error
    } else throw error
  }
}

const cannotCreate = (folder: string, cause: unknown): MemoryError =>
  new MemoryError('CONFIG_INVALID', `Folder ${folder} cannot be created`, {
    hint: 'Set MEMCTL_HOME to a folder in which you may create files.',
    cause,
  })

/** Windows has no O_NOFOLLOW. */
const APPEND_FLAGS = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)

/** Opens for appending; creates file and folder if needed. */
export function openForAppend(file: string): number {
  try {
    return openSync(file, APPEND_FLAGS, FILE_MODES.owner)
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    makeFolderFor(dirname(file), 'owner')
    return openSync(file, APPEND_FLAGS, FILE_MODES.owner)
  }
}

/** Creates a temporary file and opens it for writing. One of the same name is left from a dead process. */
export function openTemp(temp: string, access: Access): number {
  try {
    return openSync(temp, 'wx', FILE_MODES[access])
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error
    removeWithRetry(temp)
    return openSync(temp, 'wx', FILE_MODES[access])
  }
}

/** What `use` makes of an open file, which is closed after it. */
export function closing<T>(fd: number, use: (fd: number) => T): T {
  try {
    return use(fd)
  } finally {
    closeSync(fd)
  }
}

/** Error codes of file systems without hard links, and of links that they refuse. */
const NO_LINKS_CODES: ReadonlySet<string> = new Set(
  // EISDIR is what Node makes of Windows' answer for a file system without links.
  ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EMLINK', ...(IS_WINDOWS ? ['EISDIR', 'EINVAL'] : [])],
)

/**
 * Gives a file a second name, or copies it where there are no links. Returns false if the name is taken; throws system
 * errors, such as ENOENT if there is no file.
 */
export function linkOrCopy(from: string, to: string, access: Access): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false
    if (!NO_LINKS_CODES.has(systemErrorCode(error) ?? '')) throw error
    return createInPlace(to, readFileSync(from), access)
  }
}

/** Opens for appending, so that it does not overwrite a process that already writes to the new file. */
function createInPlace(file: string, bytes: Buffer, access: Access): boolean {
  try {
    writeFileSync(file, bytes, { flag: 'ax', mode: FILE_MODES[access] })
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Pauses before a call is repeated, in milliseconds. A network disk can refuse a rename (stale handle, busy server) and
 * accept it right after. Windows refuses it while a hook, a virus scanner or an indexer has the file open.
 */
const RETRY_PAUSES_MS: readonly number[] = IS_WINDOWS ? [0, 1, 4, 10, 25, 50, 100, 200] : [0, 0]
const RETRY_CODES: ReadonlySet<string> = new Set(['EBUSY', 'ESTALE', 'EPERM', 'EACCES'])

export const renameWithRetry = (temp: string, file: string): void => retryWhileBusy(() => renameSync(temp, file))

/** Removes a file; does nothing if there is none. */
export const removeWithRetry = (file: string): void => retryWhileBusy(() => rmSync(file, { force: true }))

/** Removes a temporary file. One that another program has open stays; the worker removes it later. */
export function removeTemp(temp: string): void {
  try {
    removeWithRetry(temp)
  } catch (error) {
    if (!RETRY_CODES.has(systemErrorCode(error) ?? '')) throw error
  }
}

function retryWhileBusy(call: () => void): void {
  for (let attempt = 0; ; attempt++) {
    try {
      call()
      return
    } catch (error) {
      const pauseMs = RETRY_PAUSES_MS[attempt]
      if (pauseMs === undefined || !RETRY_CODES.has(systemErrorCode(error) ?? '')) throw error
      if (pauseMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
    }
  }
}

/**
 * Fsyncs a file, or a folder's names. Windows fsyncs only what is open for writing, and no folder: it keeps names safe
 * by itself.
 */
export function fsyncPath(file: string): void {
  for (const flags of ['r', 'r+']) {
    let fd: number | undefined
    try {
      fd = openSync(file, flags)
      fsyncSync(fd)
      return
    } catch (error) {
      if (!NO_FSYNC_CODES.has(systemErrorCode(error) ?? '') || (fd === undefined && flags === 'r')) throw error
    } finally {
      if (fd !== undefined) closeSync(fd)
    }
  }
}

/** Error codes of file systems without fsync for folders or files opened for reading. */
const NO_FSYNC_CODES: ReadonlySet<string> = new Set(['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'EBADF', 'ENOTSUP'])

/** Up to `length` bytes from `position` on, in as many reads as it takes. */
export function readFully(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const n = readSync(fd, bytes, read, length - read, position + read)
    if (n === 0) break
    read += n
  }
  return read === length ? bytes : bytes.subarray(0, read)
}

// The pid tells the files of two processes apart, the counter those of one process.
let tempCount = 0
export const tempName = (file: string): string => `${file}.${process.pid}.${tempCount++}.aside`

export const shortWrite = (file: string): Error =>
  Object.assign(new Error(`ENOSPC: wrote only part of a line to ${file}`), { code: 'ENOSPC' })

// Hints for errors of the disk, by the system's own error code.

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
