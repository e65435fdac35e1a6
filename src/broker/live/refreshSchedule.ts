// Refreshes what hooks read, shortly after a long-running process has changed memories.
//
// Several changes in a row are one refresh. If another process holds the lock, it is tried again. The timer does not
// keep the process alive: `flush` does what is left before the process ends.
import type { RefreshResult } from '../maintenance/refreshRecent.ts'

/** From a change to the refresh, in milliseconds: hooks see it within two seconds, and a burst is one refresh. */
const DELAY_MS = 250

/** How long `flush` waits for the lock, in milliseconds. Then it is left to the next session's start. */
const FLUSH_MS_MAX = 1_000
const FLUSH_RETRY_MS = 25

export interface RefreshSchedule {
  /** Something has changed. */
  request(): void
  /** Refreshes now, if something has changed since the last refresh. */
  flush(): void
  /** Leaves the refresh to the caller; returns whether there is one. */
  cancel(): boolean
}

export function createRefreshSchedule(refresh: () => RefreshResult): RefreshSchedule {
  let timer: NodeJS.Timeout | undefined
  const tryRefresh = (): boolean => {
    try {
      return refresh() !== 'busy'
    } catch {
      return true // The change is in the log. A store that cannot be written is reported by the next command.
    }
  }
  const start = (): void => {
    timer = setTimeout(() => {
      timer = undefined
      if (!tryRefresh()) start()
    }, DELAY_MS).unref()
  }
  const cancel = (): boolean => {
    const isRequested = timer !== undefined
    clearTimeout(timer)
    timer = undefined
    return isRequested
  }
  return {
    request() {
      if (!timer) start()
    },
    cancel,
    flush() {
      if (!cancel()) return
      const pause = new Int32Array(new SharedArrayBuffer(4))
      for (let ms = 0; !tryRefresh() && ms < FLUSH_MS_MAX; ms += FLUSH_RETRY_MS) {
        Atomics.wait(pause, 0, 0, FLUSH_RETRY_MS)
      }
    },
  }
}
