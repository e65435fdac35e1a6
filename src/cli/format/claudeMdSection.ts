// A section of CLAUDE.md with the project facts, between two marks, so that a later run replaces it. Pure.
import type { ProjectFact } from '../../model/fact.ts'
import { firstLine } from '../../text/excerpt.ts'
import { formatFactLine, withoutOutput } from '../../text/factLine.ts'
import { sanitizeText } from '../../text/sanitizeText.ts'

const BEGIN = '<!-- memctl facts: `memctl facts --claude-md` proposes changes between these marks -->'
const END = '<!-- end of memctl facts -->'
const SECTION = new RegExp(`${escapePattern(BEGIN)}[\\s\\S]*?${escapePattern(END)}\\n?`)

/** Facts in the section at most: a longer file is read less carefully. */
const FACTS_MAX = 20

/** `text` with a section of these facts; those that the rest of the text has already are left out. */
export function updateFactSection(text: string, facts: readonly ProjectFact[]): string {
  const rest = text.replace(SECTION, '')
  const lines = facts
    .filter((fact) => !isMentioned(fact, rest))
    .slice(0, FACTS_MAX)
    .map((fact) => `- ${sanitizeText(firstLine(withoutOutput(formatFactLine(fact)), 300))}.`)
  if (lines.length === 0) return rest
  const section = `${[BEGIN, '## Known facts', '', ...lines, END].join('\n')}\n`
  if (SECTION.test(text)) return text.replace(SECTION, () => section)
  return text === '' ? section : `${text.replace(/\n*$/, '\n\n')}${section}`
}

/** Every command or path that the fact quotes is in the text. */
function isMentioned(fact: ProjectFact, text: string): boolean {
  const quoted = [...formatFactLine(fact).matchAll(/`([^`]+)`/g)].flatMap(([, part]) => part ?? [])
  return quoted.length > 0 && quoted.every((part) => text.includes(part))
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
