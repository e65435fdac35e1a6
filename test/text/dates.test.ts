import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findDates } from '../../src/text/dates.ts'

const NOW = new Date('2026-02-04T10:00:00Z') // a Wednesday
const found = (text: string) => findDates(text, NOW).map(({ from, to }) => (from === to ? from : `${from}..${to}`))
const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })

describe('dates', () => {
  test('text: an invalid current time gives no spans', () => {
    expect(findDates('yesterday', new Date(Number.NaN))).toEqual([])
  })

  test('text: written days, months and years are found', () => {
    const table: readonly (readonly [string, readonly string[]])[] = [
      ['on 2023-05-07 at 10:00', ['2023-05-07']],
      ['2023/5/7 and 2023-05-07T10:00Z', ['2023-05-07', '2023-05-07']],
      ['7 May 2023, May 8th, 2023, the 9th of May 2023', ['2023-05-07', '2023-05-08', '2023-05-09']],
      ['in May 2023 or Sept. 2024', ['2023-05-01..2023-05-31', '2024-09-01..2024-09-30']],
      ['in 2023', ['2023-01-01..2023-12-31']],
      ['the release of 2023-02', ['2023-02-01..2023-02-28']],
      ['2023年5月7日と2023年5月と2022年', ['2023-05-07', '2023-05-01..2023-05-31', '2022-01-01..2022-12-31']],
    ]
    expect(table.map(([text]) => [text, found(text)])).toEqual(table)
  })

  test('text: relative dates are counted from today', () => {
    const table: readonly (readonly [string, readonly string[]])[] = [
      ['yesterday, today and the day before yesterday', ['2026-02-03', '2026-02-04', '2026-02-02']],
      ['last week, this week', ['2026-01-26..2026-02-01', '2026-02-02..2026-02-08']],
      [
        'last month, this month, last year',
        ['2026-01-01..2026-01-31', '2026-02-01..2026-02-28', '2025-01-01..2025-12-31'],
      ],
      ['3 days ago, two weeks ago, a month ago', ['2026-02-01', '2026-01-19..2026-01-25', '2026-01-01..2026-01-31']],
      ['on Monday, last Wednesday', ['2026-02-02', '2026-01-28']],
      ['昨日、一昨日、今日', ['2026-02-03', '2026-02-02', '2026-02-04']],
      [
        '先週と今週と先月と去年',
        ['2026-01-26..2026-02-01', '2026-02-02..2026-02-08', '2026-01-01..2026-01-31', '2025-01-01..2025-12-31'],
      ],
      ['3日前と2週間前と2か月前', ['2026-02-01', '2026-01-19..2026-01-25', '2025-12-01..2025-12-31']],
    ]
    expect(table.map(([text]) => [text, found(text)])).toEqual(table)
  })

  test('text: a day or month without a year is the latest one that is not in the future', () => {
    expect(found('May 7 and 3 February and 5月7日')).toEqual(['2025-05-07', '2026-02-03', '2025-05-07'])
    expect(found('in May, 12月, 2月')).toEqual([
      '2025-05-01..2025-05-31',
      '2025-12-01..2025-12-31',
      '2026-02-01..2026-02-28',
    ])
  })

  test('text: verbs, versions, times and impossible days are no dates', () => {
    for (const text of [
      'we may march on',
      'v2023.1.2',
      'port 2023',
      'at 10:30',
      '2023-13-01',
      '2023-02-30',
      '13月40日',
      'all day long',
    ])
      expect([text, found(text)]).toEqual([text, []])
  })

  test('text: every ISO day in a text is found, and every span is in order', () => {
    fc.assert(
      fc.property(fc.array(day, { maxLength: 5 }), fc.string(), (days, noise) => {
        const isos = days.map((one) => one.toISOString().slice(0, 10))
        expect(found(isos.join(' and '))).toEqual(isos)
        for (const { from, to } of findDates(`${noise} ${isos.join(' ')}`, NOW)) expect(from <= to).toBe(true)
      }),
    )
  })
})
