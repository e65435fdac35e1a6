// Sums of `memctl report`: by period, by moment, tokens by session, times of hooks.
import type { AttributedRecall } from '../../improve/attribution.ts'
import { wilsonInterval } from '../../improve/statistics.ts'
import { USED_THRESHOLD } from '../../improve/usageSignals.ts'
import type { EventKind } from '../../model/event.ts'
import type { MemoryMap } from '../../model/memory.ts'
import { RECALL_MOMENTS, type RecallMoment } from '../../model/recallQuery.ts'
import { findKnownFailures } from './reportFailures.ts'
import { listPeriods, type PeriodFigures, type PeriodUnit, startOfPeriod } from './reportPeriods.ts'
import type { ReportScan } from './reportScan.ts'

/** Shown notes with a known result, and those of them that count as used; the 95 % interval of the share. */
export interface UseFigures {
  readonly judged: number
  readonly used: number
  readonly interval: readonly [number, number] | null
}

export interface MomentFigures extends UseFigures {
  readonly moment: RecallMoment
  /** Recalls that were shown, and holdouts. */
  readonly shown: number
  readonly withheld: number
  readonly notes: number
  readonly tokens: number
}

export interface TokenFigures {
  /** Of the sessions that were shown a note. */
  readonly median: number
  readonly p90: number
  readonly max: number
  readonly total: number
}

export interface HookFigures {
  /** The kind of the last event that the hook wrote. */
  readonly kind: EventKind
  readonly count: number
  readonly medianMs: number
  readonly p95Ms: number
  readonly maxMs: number
}

/** Every period from the first session to the last. A session counts where it begins. */
export function countByPeriod(scan: ReportScan, memories: MemoryMap, unit: PeriodUnit): PeriodFigures[] {
  const { sessions, calls } = scan
  const periods = new Map(
    listPeriods([...sessions.flatMap(({ started, last }) => [started, last])], unit).map((start) => [
      start,
      { start, sessions: 0, prompts: 0, calls: 0, failed: 0, knownFailed: 0, notes: 0, tokens: 0 },
    ]),
  )
  const at = (time: string): { -readonly [Name in keyof PeriodFigures]: PeriodFigures[Name] } | undefined =>
    periods.get(startOfPeriod(time, unit))
  for (const { started, prompts } of sessions) {
    const period = at(started)
    if (!period) continue
    period.sessions++
    period.prompts += prompts
  }
  const known = findKnownFailures(calls, memories)
  for (const call of calls) {
    const period = at(call.at)
    if (!period) continue
    period.calls++
    if (call.failure) period.failed++
    if (known.has(call)) period.knownFailed++
  }
  for (const { at: time, withheld, shown, tokens } of scan.recalls) {
    const period = at(time)
    if (!period || withheld) continue
    period.notes += shown.length
    period.tokens += tokens
  }
  return [...periods.values()]
}

/** The moments at which something was recalled, in the order of a session. */
export function countMoments({ recalls }: ReportScan, judged: readonly AttributedRecall[]): MomentFigures[] {
  return RECALL_MOMENTS.flatMap((moment) => {
    const own = recalls.filter((recall) => recall.moment === moment)
    if (own.length === 0) return []
    const shown = own.filter(({ withheld }) => !withheld)
    const results = judged.flatMap((recall) => (recall.moment === moment && !recall.withheld ? recall.memories : []))
    const used = results.filter((result) => result.used >= USED_THRESHOLD).length
    return {
      moment,
      shown: shown.length,
      withheld: own.length - shown.length,
      notes: shown.reduce((sum, recall) => sum + recall.shown.length, 0),
      tokens: shown.reduce((sum, recall) => sum + recall.tokens, 0),
      judged: results.length,
      used,
      interval: results.length === 0 ? null : wilsonInterval(used, results.length),
    }
  })
}

export function sumUse(moments: readonly MomentFigures[]): UseFigures {
  const judged = moments.reduce((sum, moment) => sum + moment.judged, 0)
  const used = moments.reduce((sum, moment) => sum + moment.used, 0)
  return { judged, used, interval: judged === 0 ? null : wilsonInterval(used, judged) }
}

export function summarizeTokens({ sessions }: ReportScan): TokenFigures {
  const tokens = sessions.flatMap((session) => (session.notes > 0 ? [session.tokens] : [])).sort((a, b) => a - b)
  return {
    median: quantile(tokens, 0.5),
    p90: quantile(tokens, 0.9),
    max: tokens.at(-1) ?? 0,
    total: tokens.reduce((sum, count) => sum + count, 0),
  }
}

/** The kinds with the most hooks first; empty for logs of versions that did not record the times. */
export function summarizeHooks({ hookTimes }: ReportScan): HookFigures[] {
  const figures = [...hookTimes].map(([kind, times]) => {
    const sorted = [...times].sort((a, b) => a - b)
    return {
      kind,
      count: sorted.length,
      medianMs: quantile(sorted, 0.5),
      p95Ms: quantile(sorted, 0.95),
      maxMs: sorted.at(-1) ?? 0,
    }
  })
  return figures.sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1))
}

/** The value below which this share of the sorted values lies; 0 without values. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0
