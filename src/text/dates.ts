// Dates: a day as search terms, and the days a text speaks of.

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const DAY_MS = 86_400_000

/** A moment's day in the words a question would use: year, month by name and number, day, weekday; UTC. */
export function dateTerms(at: Date): string[] {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  const two = (value: number) => String(value).padStart(2, '0')
  return [
    String(year),
    MONTHS[month]!,
    `${year}-${two(month + 1)}`,
    `${year}-${two(month + 1)}-${two(day)}`,
    String(day),
    WEEKDAYS[at.getUTCDay()]!,
    `${year}年`,
    `${month + 1}月`,
    `${day}日`,
  ]
}

export interface Span {
  /** ISO days, both included. */
  readonly from: string
  readonly to: string
}

/** The days a text speaks of, in order: ISO dates, "7 May 2023", "in May 2023", yesterday, last week; 昨日, 先週, 5月7日. */
export function datesIn(text: string, now: Date): readonly Span[] {
  const spans: { at: number; span: Span }[] = []
  for (const [pattern, spanOf] of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const span = spanOf(match, now)
      if (span && !spans.some((one) => one.at === match.index)) spans.push({ at: match.index, span })
    }
  }
  return spans.sort((a, b) => a.at - b.at).map((one) => one.span)
}

type SpanOf = (match: RegExpMatchArray, now: Date) => Span | undefined
const NAMES =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const monthOf = (name: string): number => MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3).toLowerCase()))

const PATTERNS: readonly (readonly [RegExp, SpanOf])[] = [
  [/\b(\d{4})-(\d{2})-(\d{2})\b/g, (m) => dayOf(+m[1]!, +m[2]! - 1, +m[3]!)],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (${NAMES})\\.?,? (\\d{4})\\b`, 'gi'),
    (m) => dayOf(+m[3]!, monthOf(m[2]!), +m[1]!),
  ],
  [
    new RegExp(`\\b(${NAMES})\\.? (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, 'gi'),
    (m) => dayOf(+m[3]!, monthOf(m[1]!), +m[2]!),
  ],
  [new RegExp(`\\b(${NAMES})\\.?,? (\\d{4})\\b`, 'gi'), (m) => monthSpan(+m[2]!, monthOf(m[1]!))],
  [/(\d{4})年(\d{1,2})月(\d{1,2})日/g, (m) => dayOf(+m[1]!, +m[2]! - 1, +m[3]!)],
  [/(\d{4})年(\d{1,2})月(?!\d)/g, (m) => monthSpan(+m[1]!, +m[2]! - 1)],
  [/(?<!年)(\d{1,2})月(\d{1,2})日/g, (m, now) => dayOf(now.getUTCFullYear(), +m[1]! - 1, +m[2]!)],
  [/\byesterday\b|昨日/gi, (_, now) => back(now, 1, 1)],
  [/\btoday\b|今日/gi, (_, now) => back(now, 0, 0)],
  [/\blast week\b|先週/gi, (_, now) => back(now, 13, 7)],
  [/\bthis week\b|今週/gi, (_, now) => back(now, 6, 0)],
  [/\blast month\b|先月/gi, (_, now) => monthSpan(now.getUTCFullYear(), now.getUTCMonth() - 1)],
]

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

function dayOf(year: number, month: number, day: number): Span | undefined {
  const ms = Date.UTC(year, month, day)
  // 31 February rolls over into March: then the text did not speak of a day.
  return new Date(ms).getUTCDate() === day && month >= 0 ? { from: iso(ms), to: iso(ms) } : undefined
}

const monthSpan = (year: number, month: number): Span => ({
  from: iso(Date.UTC(year, month, 1)),
  to: iso(Date.UTC(year, month + 1, 0)),
})
const back = (now: Date, from: number, to: number): Span => ({
  from: iso(now.getTime() - from * DAY_MS),
  to: iso(now.getTime() - to * DAY_MS),
})
