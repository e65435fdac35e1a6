// Exclusion rules for a person: what is excluded, on what evidence, and until when.

import { shortId } from '../../model/id.ts'
import type { ExclusionRule } from '../../model/recallQuery.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount, formatNumber } from '../../report/formatNumber.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { firstLine } from '../../text/excerpt.ts'

/** One rule, as two lines; with the text of its memory if it is known. */
export function formatExclusionRule(
  { moment, memory, until, renewed, evidence, content }: ExclusionRule & { readonly content?: string },
  now: number,
): string[] {
  const { sessions, used, usual } = evidence
  const span = `${Date.parse(until) <= now ? 'tried again since' : 'excluded until'} ${formatTimestamp(until)} UTC`
  const renewals = renewed === 0 ? '' : `, renewed ${formatCount(renewed, 'time')}`
  const text = content === undefined ? '' : ` ${sanitizeForTerminal(firstLine(content, 80))}`
  const seen = `shown there in ${formatCount(sessions, 'session')}, uses ${formatNumber(used)}`
  return [
    `${shortId(memory)}${text}, moment ${moment}: ${span}${renewals}`,
    `  ${seen}; usual for its kind there: ${formatNumber(100 * usual)} % of the sessions`,
  ]
}
