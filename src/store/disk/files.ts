// The one door to the disk for everything the store keeps, so that a test can put faults behind it.
//
// Synchronous on purpose: a hook lives for some milliseconds, and one call after the other is the fastest it can do.
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

/** What the store asks of a disk. Absence is a value (`undefined`, empty list), every other failure throws Node's own error. */
export interface Files {
  /** The whole file, or undefined where there is none. */
  read(file: string): Buffer | undefined
  /** Up to `length` bytes from `position` on; fewer at the end, empty past it or where there is no file. */
  readAt(file: string, position: number, length: number): Buffer
  /** Opens for many `readAt`s of one immutable file; undefined where there is none. */
  open(file: string): OpenFile | undefined
  /** Size in bytes, undefined where there is no such file. */
  size(file: string): number | undefined
  /** When a file or a folder was last written, in milliseconds since 1970; undefined where there is none. */
  mtimeMs(file: string): number | undefined
  /** The path without any link in it; undefined where there is nothing. */
  realPath(file: string): string | undefined
  /** Names in a folder, sorted; empty where there is none. */
  list(folder: string): readonly string[]
  /** One write of all bytes at the end (O_APPEND), creating the file and its folder; `sync` waits for the disk. */
  append(file: string, bytes: Buffer, sync?: boolean): void
  /** Creates the file with this content unless it exists, atomically; says whether this call created it. */
  create(file: string, bytes: Buffer): boolean
  /** Replaces the file whole: written aside, synced, renamed. A reader sees the old or the new one, never a part. */
  replace(file: string, bytes: Buffer): void
  /** Puts bytes in the place of those that stand at `position`; the file is there and stays as long as it is. */
  overwrite(file: string, position: number, bytes: Buffer): void
  /** Waits until the disk has all of a file, or a folder's names. A system that cannot sync a folder does it by itself. */
  sync(file: string): void
  /** Cuts the file to `length` bytes. */
  truncate(file: string, length: number): void
  /** Removes a file if it is there. */
  remove(file: string): void
  /** Makes a folder and those above it. */
  makeFolder(folder: string): void
}

/** A file held open for positional reads. */
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
      throw naming(error, file)
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

  // Without an error for what is absent: making one costs a cold hook eight times the question.
  size: (file) => unlessAbsent(() => statSync(file, { throwIfNoEntry: false })?.size),

  mtimeMs: (file) => unlessAbsent(() => statSync(file, { throwIfNoEntry: false })?.mtimeMs),

  realPath: (file) => unlessAbsent(() => realpathSync(file)),

  list: (folder) => unlessAbsent(() => readdirSync(folder).sort()) ?? [],

  append(file, bytes, sync = false) {
    const fd = openForAppend(file)
    try {
      // A short write (a full disk) is no acknowledgement: the torn line is sealed by the next append.
      if (writeSync(fd, bytes) !== bytes.length) throw shortWrite(file)
      if (sync) fdatasyncSync(fd)
    } finally {
      closeSync(fd)
    }
  },

  create(file, bytes) {
    const aside = asideOf(file)
    mkdirSync(dirname(file), { recursive: true })
    try {
      writeFileSync(aside, bytes)
      linkSync(aside, file)
      return true
    } catch (error) {
      if (systemErrorCode(error) === 'EEXIST') return false
      if (LINKLESS.has(systemErrorCode(error) ?? '')) return createdInPlace(file, bytes)
      throw error
    } finally {
      rmSync(aside, { force: true })
    }
  },

  replace(file, bytes) {
    const aside = asideOf(file)
    mkdirSync(dirname(file), { recursive: true })
    try {
      const fd = openSync(aside, 'w')
      try {
        writeFileSync(fd, bytes)
        fsyncSync(fd)
      } finally {
        closeSync(fd)
      }
      renamed(aside, file)
    } catch (error) {
      rmSync(aside, { force: true }) // A full disk gets its space back.
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
      if (!SYNCLESS.has(systemErrorCode(error) ?? '')) throw error
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

/** The error with the file in its words: when a folder is read as a file the system leaves it out. */
function naming(error: unknown, file: string): unknown {
  if (error instanceof Error && !error.message.includes(file)) error.message += ` '${file}'`
  return error
}

function unlessAbsent<T>(act: () => T, file?: string): T | undefined {
  try {
    return act()
  } catch (error) {
    // ENOTDIR: a part of the path is a file, so nothing can be there either.
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR') return undefined
    throw file === undefined ? error : naming(error, file)
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

/** Codes of a file system without hard links, and of one that syncs no folders or nothing opened to be read. */
const LINKLESS: ReadonlySet<string> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])
const SYNCLESS: ReadonlySet<string> = new Set(['EISDIR', 'EPERM', 'EINVAL', 'EBADF', 'ENOTSUP'])

/** Appending, so that who already writes to the file while it is begun is not written over. */
function createdInPlace(file: string, bytes: Buffer): boolean {
  try {
    writeFileSync(file, bytes, { flag: 'ax' })
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** A network's disk may refuse a rename once (a handle gone stale, a server busy) and take it at once after. */
const RENAMES_MAX = 3

function renamed(aside: string, file: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(aside, file)
      return
    } catch (error) {
      if (attempt === RENAMES_MAX || !['EBUSY', 'ESTALE', 'EPERM', 'EACCES'].includes(systemErrorCode(error) ?? ''))
        throw error
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

// The pid makes two writers' files differ; the counter two writes of one process.
let asideCount = 0
const asideOf = (file: string): string => `${file}.${process.pid}.${asideCount++}.aside`

const shortWrite = (file: string): Error =>
  Object.assign(new Error(`ENOSPC: wrote only part of a line to ${file}`), { code: 'ENOSPC' })
