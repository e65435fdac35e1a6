// Numbers, shares, intervals and dates in the report. A no-break space keeps a number and its unit together.
import type { PeriodUnit } from '../../broker/queries/reportFigures.ts'

/** 12,345 */
export const formatInteger = (value: number): string => Math.round(value).toLocaleString('en-US')

/** A share as a percentage: 34 %; below 10 % with one decimal. */
export function formatShare(share: number): string {
  const percent = 100 * share
  const isExact = percent === 0 || percent === 100 || percent >= 10
  return `${isExact ? Math.round(percent) : percent.toFixed(1)}\u00a0%`
}

/** The 95 % interval of a share: 20–41 %. */
export const formatShareInterval = ([low, high]: readonly [number, number]): string =>
  `${formatShare(low).replace('\u00a0%', '')}–${formatShare(high)}`

/** 2 of 20 (10 %, 95 % interval 3–30 %) */
export const formatProportion = (hits: number, n: number, interval: readonly [number, number] | null): string =>
  `${formatInteger(hits)} of ${formatInteger(n)}` +
  (n > 0 && interval ? ` (${formatShare(hits / n)}, 95\u00a0% interval ${formatShareInterval(interval)})` : '')

/** One decimal, and two for what is small: 12.3, 0.45. */
export const formatDecimal = (value: number): string =>
  Math.abs(value) >= 1 || value === 0 ? String(Math.round(value * 10) / 10) : String(Math.round(value * 100) / 100)

/** +0.4, −1.2, 0 */
export const formatChange = (value: number): string =>
  value > 0 ? `+${formatDecimal(value)}` : formatDecimal(value).replace('-', '−')

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** 2 Mar 2026, in UTC. */
export const formatDay = (iso: string): string =>
  `${Number(iso.slice(8, 10))}\u00a0${MONTHS[Number(iso.slice(5, 7)) - 1] ?? ''}\u00a0${iso.slice(0, 4)}`

/** The period as a row's head: 2 Mar 2026, or Mar 2026. */
export const formatPeriod = (start: string, unit: PeriodUnit): string =>
  unit === 'month' ? formatDay(start).replace(/^\d+\s/, '') : formatDay(start)

/** `1 session`, `1,204 sessions` */
export const countOf = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatInteger(count)} ${count === 1 ? singular : plural}`

/** Where the axis of a share ends, in percent: the next five or ten, 100 at most. */
export const niceShareMax = (share: number): number => {
  const step = share < 0.2 ? 5 : 10
  return Math.min(100, step * Math.max(1, Math.ceil((100 * share) / step)))
}
