// Whether a statement is an instruction for every session, so that a start may show it.
import type { Statement } from '../../model/statement.ts'
import { findTraits } from './language.ts'
import type { Trait } from './traits.ts'

/** Words that say that an instruction holds for more than the work at hand, in the languages that statements have. */
const LASTING = new RegExp(
  [
    String.raw`\b(?:always|never|from now on|going forward|in (?:the )?future|every time|each time|whenever|wherever)\b`,
    String.raw`\b(?:prefer|at all times|no matter what|immer|niemals?|ab jetzt|ab sofort|künftig|grundsätzlich)\b`,
    String.raw`\b(?:toujours|jamais|désormais|dorénavant|siempre|nunca|jamás|de ahora en adelante|a partir de ahora)\b`,
    '今後|これから|常に|必ず|いつも|毎回|以降|決して|絶対|原則|总是|始终|永远|从现在|以后|一律|务必',
  ].join('|'),
  'iu',
)

/** A rule in its barest form: what to use and what not. */
const CHOICE =
  /\b(?:use|using|write|run|call|name)\b.+\b(?:instead of|rather than|not|over)\b|ではなく|じゃなく|而不是/iu

/** Grammar of talk about the work at hand: an opinion, a choice, a report, a question. */
const AT_HAND: readonly Trait[] = [
  'opinion',
  'proposal',
  'doubt',
  'choice',
  'vague',
  'onceOnly',
  'interim',
  'asking',
  'tag',
  'report',
  'past',
  'able',
  'consent',
]

/** Characters of an instruction, at most: a longer one is an explanation. */
const CHARS_MAX = 160

/** An instruction that somebody remembered on purpose always is one. */
export function isLastingInstruction({ short, type, origin }: Statement): boolean {
  if (origin === 'command') return true
  if (type === 'correction' || type === 'fact' || short.length > CHARS_MAX || short.endsWith('…')) return false
  const traits = findTraits(short)
  return (LASTING.test(short) || CHOICE.test(short)) && !AT_HAND.some((trait) => traits.has(trait))
}
