// The lock of processes that write derived files. Hooks and readers never take it and never wait for it.
//
// The lock file names its owner by pid and start time, because systems use a pid again. The lock of a dead owner is
// taken over.
import { readFileSync } from 'node:fs'
import { MemoryError } from '../../model/memoryError.ts'
import { parseObject } from '../../model/unknownJson.ts'
import { removeTemp, renameWithRetry, systemErrorCode } from './diskCalls.ts'
import type { Files } from './files.ts'

export interface LockOwner {
  readonly pid: number
  /** Start time in clock ticks since boot, from /proc; undefined on systems without it, as macOS and Windows. */
  readonly started?: string | undefined
}

export interface StoreLock {
  release(): void
}

/** Creates the lock file; undefined while a living process holds the lock. Taking over a dead lock is atomic. */
export function acquireLock(files: Files, file: string): StoreLock | undefined {
  const self: LockOwner = { pid: process.pid, started: processStartTime(process.pid) }
  const bytes = Buffer.from(`${JSON.stringify(self)}\n`)
  for (let attempt = 0; attempt < 3; attempt++) {
    if (files.create(file, bytes)) return { release: () => releaseIfOwner(files, file, self) }
    const current = files.read(file)
    const owner = current && parseOwner(current)
    if (owner && isOwnerAlive(owner) && !mayBeReused(owner, ageMs(files, file))) return undefined
    if (current && !removeDeadLock(files, file, current)) return undefined
  }
  return undefined
}

/** Does the work with the lock. Undefined, without doing it, while a living process holds the lock. */
export function withLock<T>(files: Files, file: string, work: () => T): T | undefined {
  const lock = acquireLock(files, file)
  if (!lock) return undefined
  try {
    return work()
  } finally {
    lock.release()
  }
}

const RETRY_MS = 25

/** The same, after a wait of at most so many milliseconds for who holds the lock. Blocks the process. */
export function withLockWaiting<T>(files: Files, file: string, waitMs: number, work: () => T): T | undefined {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let ms = 0; ; ms += RETRY_MS) {
    const done = withLock(files, file, () => ({ result: work() }))
    if (done || ms >= waitMs) return done?.result
    Atomics.wait(pause, 0, 0, RETRY_MS)
  }
}

/** The same; throws STORE_BUSY while a living process holds the lock. */
export function withLockOrThrow<T>(files: Files, file: string, work: () => T, hint?: string): T {
  const done = withLock(files, file, () => ({ result: work() }))
  if (!done) throw storeBusyError(hint)
  return done.result
}

/**
 * Without a start time, as on macOS and Windows, another process may have the pid of one that has ended. So a lock of
 * this age counts as dead, in milliseconds: a worker lives for two minutes, and a command rarely for ten.
 */
const LOCK_AGE_MAX_MS = 3_600_000

const mayBeReused = (owner: LockOwner, ageMs: number): boolean =>
  owner.started === undefined && processStartTime(owner.pid) === undefined && ageMs > LOCK_AGE_MAX_MS

const ageMs = (files: Files, file: string): number => Date.now() - (files.mtimeMs(file) ?? Date.now())

/** The owner of the lock; undefined if there is no lock or its file cannot be parsed. */
export function readLockOwner(files: Files, file: string): LockOwner | undefined {
  const bytes = files.read(file)
  return bytes && parseOwner(bytes)
}

/** For a command that cannot leave its work to the process that holds the lock. */
export const storeBusyError = (hint = 'Wait a moment, then run the command again.'): MemoryError =>
  new MemoryError('STORE_BUSY', 'Another process is organizing this store', { hint })

/** Names of temporary files: `<file>.<pid>.<count>.aside` (files.ts) and `<file>.<pid>.dead`. */
const TEMP_FILE = /\.(\d+)(?:\.\d+\.aside|\.dead)$/

/** Removes the temporary files that killed processes left in a folder. Returns their number. */
export function removeStaleTempFiles(files: Files, folder: string): number {
  let removed = 0
  for (const name of files.list(folder)) {
    const match = TEMP_FILE.exec(name)
    if (!match || isOwnerAlive({ pid: Number(match[1]) })) continue
    files.remove(`${folder}/${name}`)
    removed++
  }
  return removed
}

function parseOwner(bytes: Buffer): LockOwner | undefined {
  // A truncated lock file has no owner.
  const owner = parseObject(bytes.toString('utf8')) as LockOwner | undefined
  return owner && Number.isInteger(owner.pid) ? owner : undefined
}

/** Whether this very process still runs: its pid exists and has the same start time. */
export function isOwnerAlive(owner: LockOwner): boolean {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    if (systemErrorCode(error) !== 'EPERM') return false // EPERM: the process exists and belongs to another user.
  }
  const started = processStartTime(owner.pid)
  return owner.started === undefined || started === undefined || owner.started === started
}

/** Start time of a process, field 22 of /proc/<pid>/stat; undefined without /proc or such a process. */
export function processStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets can contain spaces and brackets, so fields are counted from its end.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

/**
 * Moves the lock of a dead owner to a name of our own. If two processes do this at once, the second one may move the
 * new lock of the first. It notices that by the bytes and puts the lock back.
 */
function removeDeadLock(files: Files, file: string, dead: Buffer): boolean {
  const aside = `${file}.${process.pid}.dead`
  try {
    renameWithRetry(file, aside)
    const moved = readFileSync(aside)
    if (moved.equals(dead)) return true
    files.create(file, moved)
    return false
  } catch {
    return false // Another process moved it first.
  } finally {
    removeTemp(aside)
  }
}

function releaseIfOwner(files: Files, file: string, self: LockOwner): void {
  const owner = readLockOwner(files, file)
  if (owner?.pid === self.pid && owner.started === self.started) files.remove(file)
}
