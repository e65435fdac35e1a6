// Disk access for everything in a store, behind an interface, so that tests can inject faults.
//
// Synchronous on purpose: a hook runs for some milliseconds, and one call after the other is the fastest for it.
import {
  chmodSync,
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import {
  type Access,
  closing,
  fsyncPath,
  linkOrCopy,
  makeFolderFor,
  openForAppend,
  openTemp,
  readFully,
  removeTemp,
  removeWithRetry,
  renameWithRetry,
  shortWrite,
  systemErrorCode,
  tempName,
} from './diskCalls.ts'
import { IS_WINDOWS, toSystemPath } from './paths.ts'

/** What is written: all at once, or in parts that need not be in memory together. */
export type FileBytes = Buffer | Iterable<Buffer, undefined>

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
  /** The path with all symbolic links resolved, with forward slashes; undefined if nothing is there. */
  realPath(file: string): string | undefined
  /** Names in a folder, sorted; empty if there is no folder. */
  list(folder: string): readonly string[]
  /** Appends all bytes in one write (O_APPEND). Creates file and folder if needed. `sync` also calls fdatasync. */
  append(file: string, bytes: Buffer, sync?: boolean): void
  /** Creates the file with this content unless it exists, atomically. Returns whether this call created it. */
  create(file: string, bytes: Buffer, access?: Access): boolean
  /** Replaces the file: writes a temporary one, fsyncs, renames. Readers see the old or the new file. */
  replace(file: string, bytes: FileBytes, access?: Access): void
  /**
   * Gives a file a second name in the same file system, and creates its folder. False if the name is taken, undefined
   * if there is no file. Where there are no links, the second name is a copy.
   */
  link(from: string, to: string, access?: Access): boolean | undefined
  /** Renames a file, and replaces a file of the new name. Returns whether there was one. */
  rename(from: string, to: string): boolean
  /** Overwrites the bytes at `position` and calls fdatasync. The file must exist and keeps its length. */
  overwrite(file: string, position: number, bytes: Buffer): void
  /** Fsyncs a file, or a folder's names. Systems that cannot fsync a folder keep its names safe by themselves. */
  sync(file: string): void
  /** Cuts the file to `length` bytes. */
  truncate(file: string, length: number): void
  /** Removes a file; does nothing if there is none. */
  remove(file: string): void
  /** Removes a folder with everything in it; does nothing if there is none. Links in it are not followed. */
  removeFolder(folder: string): void
  /** Creates a folder and its parents. */
  makeFolder(folder: string): void
  /** Mode and owner of a file, a folder or a link itself; undefined if there is none. */
  permissions(file: string): Permissions | undefined
  /** Sets the mode bits of a file or folder. Throws EPERM for those of other users. */
  setMode(file: string, mode: number): void
}

export interface Permissions {
  readonly kind: 'file' | 'folder' | 'other'
  /** The nine bits for owner, group and others, and the sticky bit. */
  readonly mode: number
  /** The user's id; 0 on systems without owners. */
  readonly owner: number
}

/** An open file for positional reads. */
export interface OpenFile {
  readonly size: number
  readAt(position: number, length: number): Buffer
  close(): void
}

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

  realPath: (file) => unlessAbsent(() => toSystemPath(realpathSync.native(file))),

  list: (folder) => unlessAbsent(() => readdirSync(folder).sort()) ?? [],

  append: (file, bytes, sync = false) =>
    closing(openForAppend(file), (fd) => {
      // After a short write (a full disk) nothing is acknowledged. The next append seals the truncated line.
      if (writeSync(fd, bytes) !== bytes.length) throw shortWrite(file)
      if (sync) fdatasyncSync(fd)
    }),

  create(file, bytes, access = 'owner') {
    const temp = tempName(file)
    makeFolderFor(dirname(file), access)
    try {
      writeTemp(temp, bytes, access)
      return linkOrCopy(temp, file, access)
    } finally {
      removeTemp(temp)
    }
  },

  replace(file, bytes, access = 'owner') {
    const temp = tempName(file)
    makeFolderFor(dirname(file), access)
    try {
      writeTemp(temp, bytes, access, fsyncSync)
      renameWithRetry(temp, file)
    } catch (error) {
      removeTemp(temp) // So that a full disk gets its space back.
      throw error
    }
  },

  link(from, to, access = 'owner') {
    makeFolderFor(dirname(to), access)
    return unlessAbsent(() => linkOrCopy(from, to, access))
  },

  rename: (from, to) =>
    unlessAbsent(() => {
      renameWithRetry(from, to)
      return true
    }) ?? false,

  overwrite: (file, position, bytes) =>
    closing(openSync(file, 'r+'), (fd) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, position + at)
      fdatasyncSync(fd)
    }),

  sync: fsyncPath,

  truncate: (file, length) => truncateSync(file, length),

  remove: removeWithRetry,
  removeFolder: (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  makeFolder: (folder) => makeFolderFor(folder, 'owner'),

  permissions(file) {
    const stats = unlessAbsent(() => lstatSync(file, { throwIfNoEntry: false }))
    if (!stats) return undefined
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other'
    // Windows has no mode bits: what Node reports says nothing about who may read a file.
    return { kind, mode: stats.mode & (IS_WINDOWS ? 0o700 : 0o1777), owner: stats.uid }
  },

  setMode: (file, mode) => chmodSync(file, mode),
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
    // A part of the path is missing or a file, or its name is too long for a file, or has a NUL.
    if (/^(?:ENOENT|ENOTDIR|ENAMETOOLONG|ERR_INVALID_ARG_VALUE)$/.test(systemErrorCode(error) ?? '')) return undefined
    throw file === undefined ? error : withFileName(error, file)
  }
}

/** Writes a temporary file; `finish` gets its descriptor before it is closed. */
const writeTemp = (temp: string, bytes: FileBytes, access: Access, finish?: (descriptor: number) => void): void =>
  closing(openTemp(temp, access), (fd) => {
    for (const part of Buffer.isBuffer(bytes) ? [bytes] : bytes) writeFileSync(fd, part)
    finish?.(fd)
  })

/** The files, with writes kept in memory. Only appends and new files are supported: a hook writes nothing else. */
export function keepWrites(files: Files): Files {
  const written = new Map<string, Buffer>()
  const ignore = (): void => {}
  const readAll = (file: string): Buffer | undefined => written.get(file) ?? files.read(file)
  return {
    read: readAll,
    readAt(file, position, length) {
      const bytes = written.get(file)
      return bytes ? bytes.subarray(position, position + length) : files.readAt(file, position, length)
    },
    open(file) {
      const bytes = written.get(file)
      if (!bytes) return files.open(file)
      const readAt = (position: number, length: number): Buffer => bytes.subarray(position, position + length)
      return { size: bytes.length, readAt, close: ignore }
    },
    size: (file) => written.get(file)?.length ?? files.size(file),
    mtimeMs: (file) => files.mtimeMs(file),
    realPath: (file) => files.realPath(file),
    list(folder) {
      const added = [...written.keys()].filter((file) => file.slice(0, file.lastIndexOf('/')) === folder)
      const names = added.map((file) => file.slice(folder.length + 1))
      return [...new Set([...files.list(folder), ...names])].sort()
    },
    append(file, bytes) {
      written.set(file, Buffer.concat([readAll(file) ?? Buffer.alloc(0), bytes]))
    },
    create(file, bytes) {
      if (readAll(file) !== undefined) return false
      written.set(file, bytes)
      return true
    },
    replace: (file, bytes) => void written.set(file, Buffer.isBuffer(bytes) ? bytes : Buffer.concat([...bytes])),
    link: () => false,
    rename: () => false,
    overwrite: ignore,
    sync: ignore,
    truncate: ignore,
    remove: ignore,
    removeFolder: ignore,
    makeFolder: ignore,
    permissions: (file) => files.permissions(file),
    setMode: ignore,
  }
}
