// Formats bytes, counts and numbers.

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
  `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`

/** A number with at most three decimals and no trailing zeros: `0.3`, `1`, `-0.125`. */
export const formatNumber = (value: number): string => String(Math.round(value * 1000) / 1000)

/** The same with its sign: `+0.05`, `-0.1`, `0`. */
export const formatSigned = (value: number): string =>
  Math.round(value * 1000) > 0 ? `+${formatNumber(value)}` : formatNumber(value)
