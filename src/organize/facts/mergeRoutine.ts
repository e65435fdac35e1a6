// A standing command over sessions: its runs add up, and the form that most sessions use is shown.
import type { Routine, RoutineForm } from '../../model/fact.ts'

const FORMS_MAX = 6
const TIMES_MAX = 15
/** A concrete form is shown if at least this share of the sessions used it; else the general one. */
const COMMON_SHARE = 0.4

/** Runs add up; the time is the median of the sessions' medians. */
export function mergeRoutine(
  known: Routine | undefined,
  added: Routine | undefined,
  isNewSession: boolean,
): Routine | undefined {
  if (known === undefined || added === undefined) return added ?? known
  const knownRuns = known.runs ?? 1
  const addedRuns = added.runs ?? 1
  const runs = knownRuns + addedRuns
  const timesMs = [...(known.timesMs ?? []), ...(added.timesMs ?? [])].slice(-TIMES_MAX)
  return {
    purpose: added.purpose,
    medianMs: median(timesMs),
    passed: (known.passed * knownRuns + added.passed * addedRuns) / runs,
    runs,
    timesMs,
    forms: isNewSession ? mergeForms(known.forms ?? [], added.forms ?? []) : known.forms,
  }
}

/** The middle value, of two the lower; 0 without values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}

function mergeForms(known: readonly RoutineForm[], added: readonly RoutineForm[]): readonly RoutineForm[] {
  const counts = new Map(known.map(({ text, sessions }) => [text, sessions]))
  for (const { text, sessions } of added) counts.set(text, (counts.get(text) ?? 0) + sessions)
  return [...counts]
    .map(([text, sessions]) => ({ text, sessions }))
    .sort((a, b) => b.sessions - a.sessions)
    .slice(0, FORMS_MAX)
}

/** `Lint: \`npm run lint\` (2.7 s)`, from what it is for and its general form. */
export function routineClaim(title: string, general: string, routine: Routine, sessionCount: number): string {
  const [common] = routine.forms ?? []
  const enough = Math.max(2, COMMON_SHARE * sessionCount)
  const isCommon = common !== undefined && (sessionCount === 1 || common.sessions >= enough)
  return `${title}: \`${isCommon ? common.text : general}\`${formatSeconds(routine.medianMs)}`
}

function formatSeconds(ms: number): string {
  if (ms < 100) return ''
  const seconds = ms / 1000
  if (seconds >= 90) return ` (${Math.round(seconds / 60)} min)`
  return ` (${seconds >= 10 ? Math.round(seconds) : seconds.toFixed(1)} s)`
}
