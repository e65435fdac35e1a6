// Formats durations, timestamps and ages.

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** A duration: `40 ms`, `3.2 s`, `4 min`, `2 h`, `12 days`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < MINUTE_MS) return `${(ms / 1000).toFixed(1)} s`
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`
  if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)} h`
  return `${Math.round(ms / DAY_MS)} days`
}

/** An ISO time in UTC, to the minute: `2026-03-02 10:12`. */
export const formatTimestamp = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`

/** How long before `now`; a time in the future (a clock that moved backwards) is `just now`. */
export function formatTimeAgo(iso: string, now: number): string {
  const ms = now - Date.parse(iso)
  return ms < MINUTE_MS ? 'just now' : `${formatDuration(ms)} ago`
}
