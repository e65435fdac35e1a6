// The text of a fact: what to do first, then what is true, so that a reader who stops early has the useful half.
import type { ProjectFact } from '../model/fact.ts'
import { formatFactLine } from '../text/factLine.ts'

/** The fact as the content of a memory: its line, and the other remedies that worked. */
export function formatFact(fact: ProjectFact): string {
  const [, ...others] = fact.remedies
  const line = formatFactLine(fact)
  const lines = [fact.state === 'retired' ? `No longer true: ${line}` : line]
  if (others.length > 0) lines.push(`Also worked: ${others.map(({ text }) => text).join('; ')}.`)
  return lines.join('\n')
}
