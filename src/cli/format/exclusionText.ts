// Exclusion rules for a person: what is excluded, on what evidence, and until when.
import type { ExclusionCriterion, ExclusionRule } from '../../model/exclusion.ts'
import { formatCount, formatNumber } from '../../report/formatNumber.ts'
import { formatTimestamp } from '../../report/formatTime.ts'

const CRITERIA: { readonly [Criterion in ExclusionCriterion]: string } = {
  shape: 'the command',
  area: 'files in',
  tool: 'the tool',
  kind: 'memories of kind',
}

/** One rule, as two lines. */
export function formatExclusionRule(
  { moment, by, value, until, renewed, evidence }: ExclusionRule,
  now: number,
): string[] {
  const { shown, sessions, used, contribution, usedAtMost } = evidence
  const span = `${Date.parse(until) <= now ? 'tried again since' : 'excluded until'} ${formatTimestamp(until)} UTC`
  const renewals = renewed === 0 ? '' : `, renewed ${formatCount(renewed, 'time')}`
  const seen = `${formatCount(shown, 'memory', 'memories')} shown in ${formatCount(sessions, 'session')}, ${used} used`
  const bound = `use below ${formatNumber(100 * usedAtMost)} % (upper confidence bound)`
  return [
    `${CRITERIA[by]} ${value}, moment ${moment}: ${span}${renewals}`,
    `  ${seen}, total contribution ${formatNumber(contribution)}; ${bound}`,
  ]
}
