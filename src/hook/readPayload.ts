// Reads the payload from stdin: its first line, within the hook's time and with bounded memory.
//
// A blocked read cannot be ended: neither a timer nor process.exit ends a process while one of its threads waits in it.
// So stdin is made non-blocking first. Node's internal handle for pipes does this in 0.1 ms, also for the sockets that
// clients use; `process.stdin` takes a cold hook several ms.
import { read, readSync } from 'node:fs'
import { HOOK_BUDGET_MS, HOOK_READ_MS } from '../model/limits.ts'
import { systemErrorCode } from '../store/disk/files.ts'
import { PayloadText } from './shortenPayload.ts'

const NEWLINE = 0x0a
const CHUNK_BYTES = 65_536

/** Pause before stdin is read again if it has no data, in milliseconds. */
const PAUSE_MS = 1

/**
 * Reads stdin up to its first newline or its end: the client sends one line, and may keep the pipe open after it. A
 * line longer than PAYLOAD_BYTES_MAX is shortened. Without a complete line after HOOK_READ_MS a long one ends there,
 * and of a short one the hook has nothing; after HOOK_BUDGET_MS the process has ended. `bytes` is the length of the
 * text, in bytes.
 *
 * The client writes the payload as it starts the hook, so the first read is synchronous: an asynchronous read with a
 * timer costs a cold process 1 ms. Only an incomplete line is read on with a timer.
 */
export function readPayload(onPayload: (text: string, bytes: number) => void): void {
  const isBounded = makeNonBlocking()
  const first = Buffer.allocUnsafe(CHUNK_BYTES)
  let bytes = -1
  try {
    bytes = readSync(0, first, 0, CHUNK_BYTES, null)
  } catch (error) {
    if (systemErrorCode(error) !== 'EAGAIN') bytes = 0 // There is no stdin.
  }
  const isComplete = bytes === 0 || (bytes > 0 && first[bytes - 1] === NEWLINE)
  if (isComplete) onPayload(first.toString('utf8', 0, bytes), bytes)
  else readRest(bytes > 0 ? first.subarray(0, bytes) : undefined, isBounded, onPayload)
}

/** Node's internal handle of a pipe or socket. It takes the descriptor over and makes it non-blocking. */
interface PipeHandle {
  /** 0, or a system error as a negative number. */
  open(descriptor: number): number
}

/** Whether stdin does not block any more. At the end Node restores its flags, which other processes may share. */
function makeNonBlocking(): boolean {
  // On Windows the handle would only take the descriptor over; a read still blocks.
  if (process.platform === 'win32') return false
  try {
    // Node prints a warning about internal handles to stderr; memctl uses nothing else that is deprecated.
    process.noDeprecation = true
    const internal = process as unknown as { binding(name: 'pipe_wrap'): { Pipe: new (type: number) => PipeHandle } }
    return new (internal.binding('pipe_wrap').Pipe)(0).open(0) === 0
  } catch {
    return false // This Node has no such handle.
  }
}

/** Reads the rest of the line, or what arrives of it in time. */
function readRest(
  first: Buffer | undefined,
  isBounded: boolean,
  onPayload: (text: string, bytes: number) => void,
): void {
  // A blocked read would keep the process alive at process.exit. A killed hook disturbs the session less than that.
  const end = isBounded ? () => process.exit(0) : () => process.kill(process.pid, 'SIGKILL')
  const ending = setTimeout(end, HOOK_BUDGET_MS)
  const startMs = performance.now()
  const payload = new PayloadText()
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  const finish = (): void => {
    clearTimeout(ending)
    onPayload(payload.finish(), payload.bytes)
  }
  /** Whether the line ends in this part. */
  const take = (part: Buffer): boolean => {
    const newline = part.indexOf(NEWLINE)
    payload.push(newline === -1 ? part : part.subarray(0, newline))
    return newline !== -1
  }
  const next = (): void => {
    // Of a line that takes too long the hook has what arrived until now.
    if (payload.isLong && performance.now() - startMs > HOOK_READ_MS) finish()
    else readNext()
  }
  const readNext = (): void =>
    read(0, chunk, 0, CHUNK_BYTES, null, (error, bytes) => {
      if (error?.code === 'EAGAIN') setTimeout(next, PAUSE_MS)
      else if (error || bytes === 0 || take(chunk.subarray(0, bytes))) finish()
      else next()
    })
  if (first && take(first)) finish()
  else next()
}
