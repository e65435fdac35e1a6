// Cancellation: a call with an AbortSignal rejects with CANCELLED as soon as the signal is aborted.
import { MemoryError } from './memoryError.ts'

/** Options of a call that can take long. */
export interface CallOptions {
  /** Ends the call early: it rejects with CANCELLED, and the error's `cause` is the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** Throws CANCELLED if the signal is aborted. */
export function assertNotCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelledError(signal)
}

/** The result of `work`, or a rejection with CANCELLED as soon as the signal is aborted. */
export async function unlessCancelled<T>(signal: AbortSignal | undefined, work: () => T | Promise<T>): Promise<T> {
  assertNotCancelled(signal)
  if (!signal) return work()
  return new Promise((resolve, reject) => {
    const cancel = (): void => reject(cancelledError(signal))
    signal.addEventListener('abort', cancel, { once: true })
    const end = (): void => signal.removeEventListener('abort', cancel)
    new Promise<T>((settle) => settle(work())).then(resolve, reject).finally(end)
  })
}

const cancelledError = (signal: AbortSignal): MemoryError =>
  new MemoryError('CANCELLED', 'The call was cancelled', {
    hint: 'What was stored before stays; nothing is stored after it.',
    cause: signal.reason,
  })
