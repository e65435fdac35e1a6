// Dates that a text names. All in UTC; a week begins on Monday.

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const DAY_MS = 86_400_000

export interface DateSpan {
  /** ISO days; the span includes both. */
  readonly from: string
  readonly to: string
}

/**
 * The days that a text names, in order: ISO days, "7 May 2023", "in May", "yesterday", "3 days ago", "last week", "on
 * Monday"; 「昨日」「先週」「5月7日」「3日前」. Without a year it is the last such day that is not after `now`.
 */
export function findDates(text: string, now: Date): readonly DateSpan[] {
  if (Number.isNaN(now.getTime()) || !MAY_NAME_DATE.test(text)) return []
  patterns ??= makePatterns()
  const matches: { start: number; end: number; span: DateSpan }[] = []
  for (const [pattern, toSpan] of patterns) {
    for (const match of text.matchAll(pattern)) {
      if (matches.length === DATES_MAX) break
      const start = match.index
      const end = start + match[0].length
      // More specific patterns come first: "May 2023" inside "7 May 2023" is no further date.
      if (matches.some((other) => start < other.end && end > other.start)) continue
      const span = toSpan(now, ...match.slice(1))
      if (span) matches.push({ start, end, span })
    }
  }
  return matches.sort((a, b) => a.start - b.start).map(({ span }) => span)
}

/** Dates of one text: each is compared with all others. */
const DATES_MAX = 200

/** Most texts match none of this, and then no pattern is compiled. */
const MAY_NAME_DATE =
  /\d|day|week|month|year|ago|this morning|[日月週年朝]|きのう|おととい|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i

/** The span of a match: `groups` are its capturing groups. */
type ToSpan = (now: Date, ...groups: string[]) => DateSpan | undefined
let patterns: readonly (readonly [RegExp, ToSpan])[] | undefined

/** The most specific first. Months count from 0. */
function makePatterns(): readonly (readonly [RegExp, ToSpan])[] {
  const names = MONTHS.map((month) => `${month.slice(0, 3)}(?:${month.slice(3)})?`.replace('(?:)?', ''))
    .join('|')
    .replace('sep(', 'sept?(')
  const month = (before: string, after: string) => new RegExp(`\\b${before}(${names})\\b\\.?${after}`, 'gi')
  const nth = '(\\d{1,2})(?:st|nd|rd|th)?'
  const monthOf = (name: string) => MONTHS.findIndex((full) => full.startsWith(name.slice(0, 3).toLowerCase()))
  return [
    [/\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/g, (_, y: string, m: string, d: string) => daySpan(+y, +m - 1, +d)],
    [
      month(`${nth} (?:of )?`, ',? (\\d{4})\\b'),
      (_, d: string, name: string, y: string) => daySpan(+y, monthOf(name), +d),
    ],
    [month('', ` ${nth},? (\\d{4})\\b`), (_, name: string, d: string, y: string) => daySpan(+y, monthOf(name), +d)],
    [month('', ',? (\\d{4})\\b'), (_, name: string, y: string) => monthSpan(+y, monthOf(name))],
    [month(`${nth} (?:of )?`, ''), (now, d: string, name: string) => pastDay(monthOf(name), +d, now)],
    [month('', ` ${nth}\\b(?![:\\d])`), (now, name: string, d: string) => pastDay(monthOf(name), +d, now)],
    // "may" or "march" alone is mostly a verb.
    [month('(?:in|since|during|of|last) ', ''), (now, name: string) => pastMonth(monthOf(name), now)],
    [/(?<!\d)(\d{4})年(\d{1,2})月(\d{1,2})日/g, (_, y: string, m: string, d: string) => daySpan(+y, +m - 1, +d)],
    [/(?<!\d)(\d{4})年(\d{1,2})月/g, (_, y: string, m: string) => monthSpan(+y, +m - 1)],
    [/(?<!\d)(\d{1,2})月(\d{1,2})日/g, (now, m: string, d: string) => pastDay(+m - 1, +d, now)],
    [/(?<!\d)(\d{1,2})月(?!\d)/g, (now, m: string) => pastMonth(+m - 1, now)],
    [/(?<!\d)(\d{4})年(?!前|\d)/g, (_, y: string) => yearSpan(+y)],
    [/\b(\d{4})-(0[1-9]|1[0-2])(?![-\d])/g, (_, y: string, m: string) => monthSpan(+y, +m - 1)],
    [/\b(?:in|since|during) (\d{4})\b/gi, (_, y: string) => yearSpan(+y)],
    [
      /\b(\d{1,3}|an?|one|two|three|four|five|six) (day|week|month)s? ago\b/gi,
      (now, count: string, unit: string) => ago(parseCount(count), unit, now),
    ],
    [/(\d{1,3})(日|週間|[かヶカケ]月)前/g, (now, count: string, unit: string) => ago(+count, unit, now)],
    [/\bday before yesterday\b|一昨日|おととい/gi, (now) => daysBack(now, 2)],
    [/\byesterday\b|昨日|きのう/gi, (now) => daysBack(now, 1)],
    [/\btoday\b|\bthis morning\b|今日|本日|今朝/gi, (now) => daysBack(now, 0)],
    [/\bweek before last\b|先々週/gi, (now) => weekBack(now, 2)],
    [/\blast week\b|先週/gi, (now) => weekBack(now, 1)],
    [/\bthis week\b|今週/gi, (now) => weekBack(now, 0)],
    [/\blast month\b|先月/gi, (now) => monthSpan(now.getUTCFullYear(), now.getUTCMonth() - 1)],
    [/\bthis month\b|今月/gi, (now) => monthSpan(now.getUTCFullYear(), now.getUTCMonth())],
    [/\blast year\b|去年|昨年/gi, (now) => yearSpan(now.getUTCFullYear() - 1)],
    [
      new RegExp(`\\b(?:on|last|since) (${WEEKDAYS.join('|')})\\b`, 'gi'),
      (now, name: string) => daysBack(now, ((now.getUTCDay() - WEEKDAYS.indexOf(name.toLowerCase()) + 6) % 7) + 1),
    ],
  ]
}

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const parseCount = (word: string): number => {
  const at = ['one', 'two', 'three', 'four', 'five', 'six'].indexOf(word.toLowerCase())
  return at !== -1 ? at + 1 : /^an?$/i.test(word) ? 1 : +word
}

function daySpan(year: number, month: number, day: number): DateSpan | undefined {
  const at = new Date(Date.UTC(year, month, day))
  // 31 February becomes a day of March, month 13 one of the next year: then the text named no day.
  if (at.getUTCDate() !== day || at.getUTCMonth() !== month || year < 1000) return undefined
  return { from: isoDay(at.getTime()), to: isoDay(at.getTime()) }
}

function pastDay(month: number, day: number, now: Date): DateSpan | undefined {
  const span = daySpan(now.getUTCFullYear(), month, day)
  const thisYear = span !== undefined && span.from <= isoDay(now.getTime())
  return thisYear ? span : daySpan(now.getUTCFullYear() - 1, month, day)
}

function monthSpan(year: number, month: number): DateSpan | undefined {
  if (month > 11 || year < 1000) return undefined
  return { from: isoDay(Date.UTC(year, month, 1)), to: isoDay(Date.UTC(year, month + 1, 0)) }
}

const pastMonth = (month: number, now: Date): DateSpan | undefined =>
  month < 0 ? undefined : monthSpan(now.getUTCFullYear() - (month > now.getUTCMonth() ? 1 : 0), month)

const yearSpan = (year: number): DateSpan | undefined =>
  year < 1900 || year > 2999 ? undefined : { from: `${year}-01-01`, to: `${year}-12-31` }

const daysBack = (now: Date, from: number, to = from): DateSpan => ({
  from: isoDay(now.getTime() - from * DAY_MS),
  to: isoDay(now.getTime() - to * DAY_MS),
})

/** Monday to Sunday of the week that is `weeks` before this one. */
function weekBack(now: Date, weeks: number): DateSpan {
  const monday = ((now.getUTCDay() + 6) % 7) + 7 * weeks
  return daysBack(now, monday, monday - 6)
}

function ago(count: number, unit: string, now: Date): DateSpan | undefined {
  if (unit === '日' || /^day$/i.test(unit)) return daysBack(now, count)
  if (unit === '週間' || /^week$/i.test(unit)) return weekBack(now, count)
  const month = now.getUTCFullYear() * 12 + now.getUTCMonth() - count
  return monthSpan(Math.floor(month / 12), month % 12)
}
