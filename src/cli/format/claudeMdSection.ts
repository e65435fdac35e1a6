// A section of CLAUDE.md with standing entries of knowledge, between two marks, so that a later run replaces it. Pure.
import { firstLine } from '../../text/excerpt.ts'
import { sanitizeText } from '../../text/sanitizeText.ts'

const BEGIN = '<!-- memctl knowledge: `memctl list --claude-md` proposes changes between these marks -->'
const END = '<!-- end of memctl knowledge -->'

/** The marks of earlier versions, too. */
const SECTION = /<!-- memctl (?:facts|knowledge): [^\n]*-->[\s\S]*?<!-- end of memctl (?:facts|knowledge) -->\n?/

/** Lines in the section at most: a longer file is read less carefully. */
const LINES_MAX = 20

/** `text` with a section of these lines, the first ones; those that the rest of the text has already are left out. */
export function updateKnowledgeSection(text: string, known: readonly string[]): string {
  const rest = text.replace(SECTION, '')
  const lines = known
    .filter((line) => !isMentioned(line, rest))
    .slice(0, LINES_MAX)
    .map((line) => `- ${withFullStop(sanitizeText(firstLine(line, 300)))}`)
  if (lines.length === 0) return rest
  const section = `${[BEGIN, '## What is known here', '', ...lines, END].join('\n')}\n`
  if (SECTION.test(text)) return text.replace(SECTION, () => section)
  return text === '' ? section : `${text.replace(/\n*$/, '\n\n')}${section}`
}

/** Japanese and Chinese have a full stop of their own, or do without one. */
const withFullStop = (line: string): string => (/[ -~]$/.test(line) && !/[.!?]$/.test(line) ? `${line}.` : line)

/** The line itself is in the text, or every command or path that it quotes. */
function isMentioned(line: string, text: string): boolean {
  if (text.includes(line.replace(/[.。]$/, ''))) return true
  const quoted = [...line.matchAll(/`([^`]+)`/g)].flatMap(([, part]) => part ?? [])
  return quoted.length > 0 && quoted.every((part) => text.includes(part))
}
