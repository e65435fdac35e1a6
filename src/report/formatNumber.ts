// Formats bytes, counts, numbers, durations, timestamps and ages.

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Bytes in units of 1024, two or three digits: `512 B`, `3.4 KB`, `128 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`
}

/** A count with its noun: `1 session`, `1,204 events`, `2 memories`. */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatInteger(count)} ${count === 1 ? singular : plural}`

/** `12,345`. Not by the system, which takes 12 ms for its first number. */
export const formatInteger = (value: number): string => String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** A number with at most three decimals and no trailing zeros: `0.3`, `1`, `-0.125`. */
export const formatNumber = (value: number): string => String(Math.round(value * 1000) / 1000)

/** The same with its sign: `+0.05`, `-0.1`, `0`. */
export const formatSigned = (value: number): string =>
  Math.round(value * 1000) > 0 ? `+${formatNumber(value)}` : formatNumber(value)

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
