// Waits between attempts, and waits that a signal ends.

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

/**
 * Milliseconds to wait after attempt 0, 1, 2 …: 100, 200, 400, at most 5,000. Each is up to half shorter, at random, so
 * that clients that failed together do not come back together.
 */
export const backoffMs = (attempt: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (1 - Math.random() / 2)

/** Waits; throws the reason of the signal when it is aborted. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    await untilAborted(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
      }),
      signal,
    )
  } finally {
    clearTimeout(timer)
  }
}

/** The promise's result, or the signal's reason if that is aborted before. The promise is not cancelled. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  let listener: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    listener = () => reject(signal.reason)
    signal.addEventListener('abort', listener, { once: true })
    if (signal.aborted) listener()
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    if (listener) signal.removeEventListener('abort', listener)
  }
}
