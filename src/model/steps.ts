// Work in steps: one implementation for a caller that waits for it, and for a program whose event loop must go on.

/** Long work that yields after every small part of it. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Does all steps at once. */
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
