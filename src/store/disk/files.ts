// Disk access for everything in a store, behind an interface, so that tests can inject faults.
//
// Synchronous on purpose: a hook runs for some milliseconds, and one call after the other is the fastest for it.
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Disk operations. A missing file is a value (`undefined`, empty list); other failures throw Node's own error. */
export interface Files {
  /** The file's content; undefined if there is no file. */
  read(file: string): Buffer | undefined
  /** Up to `length` bytes from `position` on; fewer at the end, empty after it or without a file. */
  readAt(file: string, position: number, length: number): Buffer
  /** Opens an immutable file for several `readAt`s; undefined if there is no file. */
  open(file: string): OpenFile | undefined
  /** Size in bytes; undefined if there is no file. */
  size(file: string): number | undefined
  /** When a file or folder was last written, in milliseconds since 1970; undefined if there is none. */
  mtimeMs(file: string): number | undefined
  /** The path with all symbolic links resolved; undefined if nothing is there. */
  realPath(file: string): string | undefined
  /** Names in a folder, sorted; empty if there is no folder. */
  list(folder: string): readonly string[]
  /** Appends all bytes in one write (O_APPEND). Creates file and folder if needed. `sync` also calls fdatasync. */
  append(file: string, bytes: Buffer, sync?: boolean): void
  /** Creates the file with this content unless it exists, atomically. Returns whether this call created it. */
  create(file: string, bytes: Buffer): boolean
  /** Replaces the file: writes a temporary one, fsyncs, renames. Readers see the old or the new file. */
  replace(file: string, bytes: Buffer): void
  /** Overwrites the bytes at `position` and calls fdatasync. The file must exist and keeps its length. */
  overwrite(file: string, position: number, bytes: Buffer): void
  /** Fsyncs a file, or a folder's names. Systems that cannot fsync a folder keep its names safe by themselves. */
  sync(file: string): void
  /** Truncates the file to `length` bytes. */
  truncate(file: string, length: number): void
  /** Removes a file; does nothing if there is none. */
  remove(file: string): void
  /** Creates a folder and its parents. */
  makeFolder(folder: string): void
}

/** An open file for positional reads. */
export interface OpenFile {
  readonly size: number
  readAt(position: number, length: number): Buffer
  close(): void
}

/** The real disk. */
export const realDisk: Files = {
  read: (file) => unlessAbsent(() => readFileSync(file), file),

  readAt(file, position, length) {
    const opened = realDisk.open(file)
    if (!opened) return Buffer.alloc(0)
    try {
      return opened.readAt(position, length)
    } catch (error) {
      throw withFileName(error, file)
    } finally {
      opened.close()
    }
  },

  open(file) {
    const fd = unlessAbsent(() => openSync(file, 'r'))
    if (fd === undefined) return undefined
    return {
      size: fstatSync(fd).size,
      readAt: (position, length) => readFully(fd, position, length),
      close: () => closeSync(fd),
    }
  },

  // Without an error for a missing file: creating an error object takes a hook eight times as long as the call.
  size: (file) => unlessAbsent(() => statSync(file, { throwIfNoEntry: false })?.size),

  mtimeMs: (file) => unlessAbsent(() => statSync(file, { throwIfNoEntry: false })?.mtimeMs),

  realPath: (file) => unlessAbsent(() => realpathSync(file)),

  list: (folder) => unlessAbsent(() => readdirSync(folder).sort()) ?? [],

  append(file, bytes, sync = false) {
    const fd = openForAppend(file)
    try {
      // After a short write (a full disk) nothing is acknowledged. The next append seals the truncated line.
      if (writeSync(fd, bytes) !== bytes.length) throw shortWrite(file)
      if (sync) fdatasyncSync(fd)
    } finally {
      closeSync(fd)
    }
  },

  create(file, bytes) {
    const temp = tempName(file)
    mkdirSync(dirname(file), { recursive: true })
    try {
      writeFileSync(temp, bytes)
      linkSync(temp, file)
      return true
    } catch (error) {
      if (systemErrorCode(error) === 'EEXIST') return false
      if (NO_LINKS_CODES.has(systemErrorCode(error) ?? '')) return createInPlace(file, bytes)
      throw error
    } finally {
      rmSync(temp, { force: true })
    }
  },

  replace(file, bytes) {
    const temp = tempName(file)
    mkdirSync(dirname(file), { recursive: true })
    try {
      const fd = openSync(temp, 'w')
      try {
        writeFileSync(fd, bytes)
        fsyncSync(fd)
      } finally {
        closeSync(fd)
      }
      renameWithRetry(temp, file)
    } catch (error) {
      rmSync(temp, { force: true }) // So that a full disk gets its space back.
      throw error
    }
  },

  overwrite(file, position, bytes) {
    const fd = openSync(file, 'r+')
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, position + at)
      fdatasyncSync(fd)
    } finally {
      closeSync(fd)
    }
  },

  sync(file) {
    const fd = openSync(file, 'r')
    try {
      fsyncSync(fd)
    } catch (error) {
      if (!NO_FSYNC_CODES.has(systemErrorCode(error) ?? '')) throw error
    } finally {
      closeSync(fd)
    }
  },

  truncate: (file, length) => truncateSync(file, length),
  remove: (file) => rmSync(file, { force: true }),
  makeFolder: (folder) => void mkdirSync(folder, { recursive: true }),
}

/** The code of a system error, such as ENOENT; undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Adds the file to the message: the system leaves it out if a folder is read as a file. */
function withFileName(error: unknown, file: string): unknown {
  if (error instanceof Error && !error.message.includes(file)) error.message += ` '${file}'`
  return error
}

function unlessAbsent<T>(operation: () => T, file?: string): T | undefined {
  try {
    return operation()
  } catch (error) {
    // ENOTDIR: a part of the path is a file, so there is nothing either.
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR') return undefined
    throw file === undefined ? error : withFileName(error, file)
  }
}

function openForAppend(file: string): number {
  try {
    return openSync(file, 'a')
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    mkdirSync(dirname(file), { recursive: true })
    return openSync(file, 'a')
  }
}

/** Error codes of file systems without hard links, and without fsync for folders or files opened for reading. */
const NO_LINKS_CODES: ReadonlySet<string> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])
const NO_FSYNC_CODES: ReadonlySet<string> = new Set(['EISDIR', 'EPERM', 'EINVAL', 'EBADF', 'ENOTSUP'])

/** Opens for appending, so that it does not overwrite a process that already writes to the new file. */
function createInPlace(file: string, bytes: Buffer): boolean {
  try {
    writeFileSync(file, bytes, { flag: 'ax' })
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** A network disk can refuse a rename (stale handle, busy server) and accept it right after. */
const RENAMES_MAX = 3
const RETRY_CODES: ReadonlySet<string> = new Set(['EBUSY', 'ESTALE', 'EPERM', 'EACCES'])

function renameWithRetry(temp: string, file: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(temp, file)
      return
    } catch (error) {
      if (attempt === RENAMES_MAX || !RETRY_CODES.has(systemErrorCode(error) ?? '')) throw error
    }
  }
}

function readFully(fd: number, position: number, length: number): Buffer {
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
const tempName = (file: string): string => `${file}.${process.pid}.${tempCount++}.aside`

const shortWrite = (file: string): Error =>
  Object.assign(new Error(`ENOSPC: wrote only part of a line to ${file}`), { code: 'ENOSPC' })
