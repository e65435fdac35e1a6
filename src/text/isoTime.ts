// ISO times for hooks: the first Date.toISOString of a process loads the time zone, which takes 0.16 ms.

/** The same as `new Date(ms).toISOString()`. Throws RangeError for an invalid time. */
export function isoTime(ms: number): string {
  const date = new Date(ms)
  const year = date.getUTCFullYear()
  if (!(year >= 1000 && year <= 9999)) return date.toISOString()
  const day = `${year}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`
  const time = `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}:${twoDigits(date.getUTCSeconds())}`
  const millis = date.getUTCMilliseconds()
  return `${day}T${time}.${millis < 100 ? '0' : ''}${twoDigits(millis)}Z`
}

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : `${value}`)
