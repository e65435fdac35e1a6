// Rules for people: what is not told for some time, on what evidence, and until when.
import type { ExcludedBy, Exclusion } from '../model/exclusion.ts'
import { countText, numberText } from '../report/amount.ts'
import { momentText } from '../report/time.ts'

const NAMES: { readonly [By in ExcludedBy]: string } = {
  ...{ shape: 'the command', area: 'files in', tool: 'the tool', kind: 'memories of kind' },
}

/** One rule, as two lines. */
export function exclusionLines({ moment, by, value, until, renewed, evidence }: Exclusion, now: number): string[] {
  const { shown, sessions, used, contribution, usedAtMost } = evidence
  const isOver = Date.parse(until) <= now
  const span = isOver ? `on trial since ${momentText(until)} UTC` : `not told until ${momentText(until)} UTC`
  const again = renewed === 0 ? '' : `, renewed ${countText(renewed, 'time')}`
  return [
    `${NAMES[by]} ${value}, moment ${moment}: ${span}${again}`,
    `  ${countText(shown, 'memory', 'memories')} shown in ${countText(sessions, 'session')}, ${used} used, together worth ${numberText(contribution)}; surely less than ${numberText(100 * usedAtMost)} % are used`,
  ]
}
