// A moment as ISO text, for hooks: the first Date.toISOString of a process has V8 look for the machine's time zone, 0.16 ms.

/** As `Date.toISOString` has it, milliseconds since 1970 in UTC. Throws RangeError where it would. */
export function isoTime(ms: number): string {
  const date = new Date(ms)
  const year = date.getUTCFullYear()
  if (!(year >= 1000 && year <= 9999)) return date.toISOString()
  const day = `${year}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
  const rest = date.getUTCMilliseconds()
  return `${day}T${time}.${rest < 100 ? '0' : ''}${two(rest)}Z`
}

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`)
