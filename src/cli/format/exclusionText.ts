// Rules for people: what is not told for some time, on what evidence, and until when.
import type { ExclusionCriterion, ExclusionRule } from '../../model/exclusion.ts'
import { formatCount, formatNumber } from '../../report/formatNumber.ts'
import { formatTimestamp } from '../../report/formatTime.ts'

const NAMES: { readonly [By in ExclusionCriterion]: string } = {
  ...{ shape: 'the command', area: 'files in', tool: 'the tool', kind: 'memories of kind' },
}

/** One rule, as two lines. */
export function formatExclusionRule(
  { moment, by, value, until, renewed, evidence }: ExclusionRule,
  now: number,
): string[] {
  const { shown, sessions, used, contribution, usedAtMost } = evidence
  const isOver = Date.parse(until) <= now
  const span = isOver ? `on trial since ${formatTimestamp(until)} UTC` : `not told until ${formatTimestamp(until)} UTC`
  const again = renewed === 0 ? '' : `, renewed ${formatCount(renewed, 'time')}`
  return [
    `${NAMES[by]} ${value}, moment ${moment}: ${span}${again}`,
    `  ${formatCount(shown, 'memory', 'memories')} shown in ${formatCount(sessions, 'session')}, ${used} used, together worth ${formatNumber(contribution)}; surely less than ${formatNumber(100 * usedAtMost)} % are used`,
  ]
}
