// Reads the payload from stdin: its first line, within the hook's time and with bounded memory.
//
// A blocked read cannot be ended: neither a timer nor process.exit ends a process while one of its threads waits in it.
// So stdin is made non-blocking first. Node's internal handle for pipes does this in 0.1 ms, also for the sockets that
// clients use; `process.stdin` takes a cold hook several ms.
import { read, readSync } from 'node:fs'
import { HOOK_BUDGET_MS, PAYLOAD_BYTES_MAX, PAYLOAD_READ_BYTES_MAX } from '../model/limits.ts'
import { systemErrorCode } from '../store/disk/diskCalls.ts'
import { cutLongStrings } from '../text/cutString.ts'

const NEWLINE = 0x0a
const CHUNK_BYTES = 65_536

/** Pause before stdin is read again if it has no data, in milliseconds. */
const PAUSE_MS = 1

/**
 * Reads stdin up to a newline at the end of what is there, or to its end: the client sends one line, and may keep the
 * pipe open after it. After HOOK_BUDGET_MS the hook has what has arrived by then. A line longer than
 * PAYLOAD_BYTES_MAX is shortened. `bytes` is the length of the line, in bytes.
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

/**
 * Reads the rest of the line, or what arrives of it in time. The time counts only for a read that began after it and
 * found nothing: on a busy machine the process may get to run again long after a complete payload has arrived.
 */
function readRest(
  first: Buffer | undefined,
  isBounded: boolean,
  onPayload: (text: string, bytes: number) => void,
): void {
  const startMs = performance.now()
  const parts: Buffer[] = []
  let length = 0
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  const isOver = (): boolean => performance.now() - startMs > HOOK_BUDGET_MS
  // A blocked read would keep the process alive at process.exit. A killed hook disturbs the session less than that.
  const kill = (): void => {
    process.on('exit', () => process.kill(process.pid, 'SIGKILL'))
    finish()
  }
  const ending = isBounded ? undefined : setTimeout(() => setImmediate(kill), HOOK_BUDGET_MS)
  const add = (part: Buffer): void => {
    parts.push(Buffer.from(part))
    length += part.length
  }
  const finish = (): void => {
    clearTimeout(ending)
    const text = Buffer.concat(parts).toString('utf8')
    onPayload(length > PAYLOAD_BYTES_MAX ? shortenJson(text) : text, length)
  }
  const next = (): void => {
    const isLast = isOver()
    read(0, chunk, 0, CHUNK_BYTES, null, (error, bytes) => {
      const isEmpty = error?.code === 'EAGAIN'
      if (bytes > 0) add(chunk.subarray(0, bytes))
      const isComplete = isEmpty ? isLast : error || bytes === 0 || chunk[bytes - 1] === NEWLINE
      if (isComplete || length > PAYLOAD_READ_BYTES_MAX || (length > PAYLOAD_BYTES_MAX && isOver())) finish()
      else if (isEmpty) setTimeout(next, PAUSE_MS)
      else next()
    })
  }
  if (first) add(first)
  next()
}

/** A shorter form of a payload; empty if it is not complete: the end of the session takes it from the transcript. */
function shortenJson(text: string): string {
  try {
    return JSON.stringify(cutLongStrings(JSON.parse(text), { chars: PAYLOAD_BYTES_MAX }))
  } catch {
    return '' // Incomplete, or no JSON: reported as a fault.
  }
}
