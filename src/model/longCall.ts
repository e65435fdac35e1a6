// Calls that can take long: in steps with pauses between them, until they are cancelled, and what they close after it.
import { MemoryError } from './memoryError.ts'

// Work in steps: one implementation for a caller that waits for it, and for a program whose event loop must go on.

/** Long work that yields after every small part of it. */
export type Steps<Result> = Generator<undefined, Result, undefined>

export function runToEnd<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Lets other callbacks run if it is time for them; undefined if it is not. */
export type Pause = () => Promise<void> | undefined

/** Does the steps, with pauses between them. Without a `pause` all at once. */
export async function runWithPauses<Result>(steps: Steps<Result>, pause?: Pause): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    const pausing = pause?.()
    if (pausing) await pausing
  }
}

// Cancellation: a call with an AbortSignal rejects with CANCELLED as soon as the signal is aborted.

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

// The key of the method that `await using` calls. Node 20.0 to 20.4 do not have it; a program that needs it there
// brings a polyfill, and without one the classes work all the same.

/** `Symbol.asyncDispose`, or a symbol of its own where that is missing. */
export const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')
