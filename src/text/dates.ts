// Dates: the days a text speaks of. All in UTC; a week begins on Monday.

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const DAY_MS = 86_400_000

export interface DateSpan {
  /** ISO days, both included. */
  readonly from: string
  readonly to: string
}

/**
 * The days a text speaks of, in order: ISO days, "7 May 2023", "in May", "yesterday", "3 days ago", "last week", "on Monday";
 * 「昨日」「先週」「5月7日」「3日前」. What says no year is the last such day not after `now`: a memory is asked about the past.
 */
export function findDates(text: string, now: Date): readonly DateSpan[] {
  if (Number.isNaN(now.getTime()) || !SPEAKS_OF_TIME.test(text)) return []
  patterns ??= makePatterns()
  const spans: { at: number; end: number; span: DateSpan }[] = []
  for (const [pattern, spanOf] of patterns) {
    for (const match of text.matchAll(pattern)) {
      const at = match.index
      const end = at + match[0].length
      // The fuller pattern came first: "May 2023" inside "7 May 2023" says nothing more.
      if (spans.some((one) => at < one.end && end > one.at)) continue
      const span = spanOf(match, now)
      if (span) spans.push({ at, end, span })
    }
  }
  return spans.sort((a, b) => a.at - b.at).map((one) => one.span)
}

/** Most texts hold none of this, and need none of the patterns. */
const SPEAKS_OF_TIME =
  /\d|day|week|month|year|ago|this morning|[日月週年朝]|きのう|おととい|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i

type SpanOf = (match: RegExpMatchArray, now: Date) => DateSpan | undefined
let patterns: readonly (readonly [RegExp, SpanOf])[] | undefined

/** From the fullest to the barest. */
function makePatterns(): readonly (readonly [RegExp, SpanOf])[] {
  const names = MONTHS.map((month) => `${month.slice(0, 3)}(?:${month.slice(3)})?`.replace('(?:)?', ''))
    .join('|')
    .replace('sep(', 'sept?(')
  const month = (before: string, after: string) => new RegExp(`\\b${before}(${names})\\b\\.?${after}`, 'gi')
  const nth = '(\\d{1,2})(?:st|nd|rd|th)?'
  const monthOf = (name: string) => MONTHS.findIndex((one) => one.startsWith(name.slice(0, 3).toLowerCase()))
  return [
    [/\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/g, (m) => daySpan(+m[1]!, +m[2]! - 1, +m[3]!)],
    [month(`${nth} (?:of )?`, ',? (\\d{4})\\b'), (m) => daySpan(+m[3]!, monthOf(m[2]!), +m[1]!)],
    [month('', ` ${nth},? (\\d{4})\\b`), (m) => daySpan(+m[3]!, monthOf(m[1]!), +m[2]!)],
    [month('', ',? (\\d{4})\\b'), (m) => monthSpan(+m[2]!, monthOf(m[1]!))],
    [month(`${nth} (?:of )?`, ''), (m, now) => pastDay(monthOf(m[2]!), +m[1]!, now)],
    [month('', ` ${nth}\\b(?![:\\d])`), (m, now) => pastDay(monthOf(m[1]!), +m[2]!, now)],
    // A bare "may" or "march" is a verb more often than not.
    [month('(?:in|since|during|of|last) ', ''), (m, now) => pastMonth(monthOf(m[1]!), now)],
    [/(?<!\d)(\d{4})年(\d{1,2})月(\d{1,2})日/g, (m) => daySpan(+m[1]!, +m[2]! - 1, +m[3]!)],
    [/(?<!\d)(\d{4})年(\d{1,2})月/g, (m) => monthSpan(+m[1]!, +m[2]! - 1)],
    [/(?<!\d)(\d{1,2})月(\d{1,2})日/g, (m, now) => pastDay(+m[1]! - 1, +m[2]!, now)],
    [/(?<!\d)(\d{1,2})月(?!\d)/g, (m, now) => pastMonth(+m[1]! - 1, now)],
    [/(?<!\d)(\d{4})年(?!前|\d)/g, (m) => yearSpan(+m[1]!)],
    [/\b(\d{4})-(0[1-9]|1[0-2])(?![-\d])/g, (m) => monthSpan(+m[1]!, +m[2]! - 1)],
    [/\b(?:in|since|during) (\d{4})\b/gi, (m) => yearSpan(+m[1]!)],
    [
      /\b(\d{1,3}|an?|one|two|three|four|five|six) (day|week|month)s? ago\b/gi,
      (m, now) => ago(countOf(m[1]!), m[2]!, now),
    ],
    [/(\d{1,3})(日|週間|[かヶカケ]月)前/g, (m, now) => ago(+m[1]!, m[2]!, now)],
    [/\bday before yesterday\b|一昨日|おととい/gi, (_, now) => daysBack(now, 2, 2)],
    [/\byesterday\b|昨日|きのう/gi, (_, now) => daysBack(now, 1, 1)],
    [/\btoday\b|\bthis morning\b|今日|本日|今朝/gi, (_, now) => daysBack(now, 0, 0)],
    [/\bweek before last\b|先々週/gi, (_, now) => weekBack(now, 2)],
    [/\blast week\b|先週/gi, (_, now) => weekBack(now, 1)],
    [/\bthis week\b|今週/gi, (_, now) => weekBack(now, 0)],
    [/\blast month\b|先月/gi, (_, now) => monthSpan(now.getUTCFullYear(), now.getUTCMonth() - 1)],
    [/\bthis month\b|今月/gi, (_, now) => monthSpan(now.getUTCFullYear(), now.getUTCMonth())],
    [/\blast year\b|去年|昨年/gi, (_, now) => yearSpan(now.getUTCFullYear() - 1)],
    [
      new RegExp(`\\b(?:on|last|since) (${WEEKDAYS.join('|')})\\b`, 'gi'),
      (m, now) => daysBack(now, ((now.getUTCDay() - WEEKDAYS.indexOf(m[1]!.toLowerCase()) + 6) % 7) + 1),
    ],
  ]
}

const isoOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const countOf = (word: string): number => {
  const at = ['one', 'two', 'three', 'four', 'five', 'six'].indexOf(word.toLowerCase())
  return at !== -1 ? at + 1 : /^an?$/i.test(word) ? 1 : +word
}

function daySpan(year: number, month: number, day: number): DateSpan | undefined {
  const at = new Date(Date.UTC(year, month, day))
  // 31 February rolls over into March, month 13 into next year: then the text did not speak of a day.
  if (at.getUTCDate() !== day || at.getUTCMonth() !== month || year < 1000) return undefined
  return { from: isoOf(at.getTime()), to: isoOf(at.getTime()) }
}

function pastDay(month: number, day: number, now: Date): DateSpan | undefined {
  const span = daySpan(now.getUTCFullYear(), month, day)
  const thisYear = span !== undefined && span.from <= isoOf(now.getTime())
  return thisYear ? span : daySpan(now.getUTCFullYear() - 1, month, day)
}

function monthSpan(year: number, month: number): DateSpan | undefined {
  if (month > 11 || year < 1000) return undefined
  return { from: isoOf(Date.UTC(year, month, 1)), to: isoOf(Date.UTC(year, month + 1, 0)) }
}

const pastMonth = (month: number, now: Date): DateSpan | undefined =>
  month < 0 ? undefined : monthSpan(now.getUTCFullYear() - (month > now.getUTCMonth() ? 1 : 0), month)

const yearSpan = (year: number): DateSpan | undefined =>
  year < 1900 || year > 2999 ? undefined : { from: `${year}-01-01`, to: `${year}-12-31` }

const daysBack = (now: Date, from: number, to = from): DateSpan => ({
  from: isoOf(now.getTime() - from * DAY_MS),
  to: isoOf(now.getTime() - to * DAY_MS),
})

/** Monday to Sunday of the week that many before this one. */
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
