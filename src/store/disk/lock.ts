// The lock of those who write derived files. Readers and hooks never take it, never wait for it.
//
// Its owner is told by pid and start time, since a pid alone is used again: a lock whose owner is dead is taken over.
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { type Files, systemErrorCode } from './files.ts'

export interface LockOwner {
  readonly pid: number
  /** Start time in clock ticks since boot (Linux); undefined where the system does not tell. */
  readonly started?: string | undefined
}

interface StoreLock {
  release(): void
}

/** Takes the lock file; undefined while a living process holds it. Taking over a dead owner's lock is atomic. */
export function acquireLock(files: Files, file: string): StoreLock | undefined {
  const own: LockOwner = { pid: process.pid, started: processStartTime(process.pid) }
  const bytes = Buffer.from(`${JSON.stringify(own)}\n`)
  for (let attempt = 0; attempt < 3; attempt++) {
    if (files.create(file, bytes)) return { release: () => releaseIfOwn(files, file, own) }
    const held = files.read(file)
    const owner = held && ownerIn(held)
    if (owner && isOwnerAlive(owner)) return undefined
    if (held && !movedAside(files, file, held)) return undefined
  }
  return undefined
}

/** Who holds the lock; undefined where nobody does or the file says nothing. */
export function readLockOwner(files: Files, file: string): LockOwner | undefined {
  const bytes = files.read(file)
  return bytes && ownerIn(bytes)
}

function ownerIn(bytes: Buffer): LockOwner | undefined {
  try {
    const { pid, started } = JSON.parse(bytes.toString('utf8')) as LockOwner
    return Number.isInteger(pid) ? { pid, started } : undefined
  } catch {
    return undefined // A half-written lock is nobody's.
  }
}

/** Whether that very process runs: the pid is there, and it started when the lock says it did. */
export function isOwnerAlive(owner: LockOwner): boolean {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    if (systemErrorCode(error) !== 'EPERM') return false // EPERM: it is there, and somebody else's.
  }
  const started = processStartTime(owner.pid)
  return owner.started === undefined || started === undefined || owner.started === started
}

/** Start time of a process as /proc tells it, field 22 of its stat; undefined elsewhere. */
export function processStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may hold spaces and brackets: fields are counted from its end.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined // No /proc on this system, or no such process.
  }
}

/**
 * Moves the lock that was found dead out of the way, under a name of our own. Of two who find it so the second may move what
 * the first has put there since: it sees that by the bytes, and puts them back.
 */
function movedAside(files: Files, file: string, dead: Buffer): boolean {
  const aside = `${file}.${process.pid}.dead`
  try {
    renameSync(file, aside)
    const moved = readFileSync(aside)
    if (moved.equals(dead)) return true
    files.create(file, moved)
    return false
  } catch {
    return false // Somebody else moved it first.
  } finally {
    rmSync(aside, { force: true })
  }
}

function releaseIfOwn(files: Files, file: string, own: LockOwner): void {
  const owner = readLockOwner(files, file)
  if (owner?.pid === own.pid && owner.started === own.started) files.remove(file)
}
