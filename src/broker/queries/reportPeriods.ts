// The time axis of `memctl report`, in UTC: days, weeks or months, so that a chart has a readable number of columns.

export type PeriodUnit = 'day' | 'week' | 'month'

export interface PeriodFigures {
  /** The first day, as 2026-03-02. A week begins on Monday. */
  readonly start: string
  readonly sessions: number
  readonly prompts: number
  readonly calls: number
  readonly failed: number
  /** Failed calls whose error was known from an earlier session. */
  readonly knownFailed: number
  readonly notes: number
  readonly tokens: number
}

const DAY_MS = 86_400_000
const DAYS_AS_DAYS_MAX = 31
const DAYS_AS_WEEKS_MAX = 400

/** The unit in which the time from `first` to `last` (ISO) gives at most some sixty periods. */
export function choosePeriodUnit(first: string | undefined, last: string | undefined): PeriodUnit {
  if (first === undefined || last === undefined) return 'day'
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS
  if (days <= DAYS_AS_DAYS_MAX) return 'day'
  return days <= DAYS_AS_WEEKS_MAX ? 'week' : 'month'
}

/** The first day of the period that has this time. */
export function startOfPeriod(at: string, unit: PeriodUnit): string {
  if (unit === 'day') return at.slice(0, 10)
  if (unit === 'month') return `${at.slice(0, 7)}-01`
  const ms = Date.parse(`${at.slice(0, 10)}T00:00:00Z`)
  const sinceMonday = (new Date(ms).getUTCDay() + 6) % 7
  return toDay(ms - sinceMonday * DAY_MS)
}

/** Every period from the first to the last, also those in which nothing happened. Empty without times. */
export function listPeriods(times: readonly string[], unit: PeriodUnit): string[] {
  const starts = times.map((at) => startOfPeriod(at, unit)).sort()
  const [first, last] = [starts[0], starts.at(-1)]
  const periods: string[] = []
  for (let start = first; start !== undefined && last !== undefined && start <= last; start = nextPeriod(start, unit)) {
    periods.push(start)
  }
  return periods
}

function nextPeriod(start: string, unit: PeriodUnit): string {
  const ms = Date.parse(`${start}T00:00:00Z`)
  // 31 days after the first of a month is in the next one, and never after it.
  return unit === 'month' ? `${toDay(ms + 31 * DAY_MS).slice(0, 7)}-01` : toDay(ms + (unit === 'week' ? 7 : 1) * DAY_MS)
}

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
