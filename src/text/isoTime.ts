// Times as text: ISO, and a day that exists, in a year that every date format can write. For hooks: the first
// Date.toISOString of a process loads the time zone, which takes 0.16 ms.

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

const TIME =
  /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?)?$/i

/**
 * The time in milliseconds since 1970, of `2026-02-28`, `2026-02`, `2026-02-28T09:10:11.5+09:00` and the like; without
 * a zone it is UTC. Undefined for another form, and for days that do not exist, such as 31 February.
 */
export function parseCalendarTime(text: string): number | undefined {
  const match = TIME.exec(text.trim())
  if (!match) return undefined
  const [, year = '', month = '', day = '01', hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] =
    match
  if (Number(month) < 1 || Number(month) > 12) return undefined
  if (Number(day) < 1 || Number(day) > daysIn(Number(year), Number(month))) return undefined
  const offset = /^z$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
  const ms = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`,
  )
  return Number.isNaN(ms) ? undefined : ms
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()
