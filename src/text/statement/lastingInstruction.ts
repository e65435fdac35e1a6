// Whether a statement is an instruction for every session, so that a start may show it.
import type { Statement } from '../../model/statement.ts'
import { findTraits } from './language.ts'
import { lastingPattern } from './lastingWords.ts'
import type { Trait } from './traits.ts'

/** Words that say that an instruction holds for more than the work at hand. */
const LASTING = lastingPattern()

/** A rule in its barest form: what to use and what not. */
const CHOICE =
  /\b(?:use|using|write|run|call|name)\b.+\b(?:instead of|rather than|not|over)\b|ではなく|じゃなく|而不是/iu

/** "Now" is said of the work at hand; "from now on" is not. */
const NOW = /(?<!from )\bnow\b|\bjetzt\b(?<!ab jetzt)|\bmaintenant\b|今回|とりあえず|现在(?<!从现在)/iu

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

/** Characters of what the short form leaves out at its beginning, at most: "From now on, please". */
const OPENING_CHARS_MAX = 40

/** What stands in the content before the short form. */
function findOpening(content: string, short: string): string {
  const at = content.toLowerCase().indexOf(short.toLowerCase())
  return content.slice(Math.max(0, at - OPENING_CHARS_MAX), Math.max(0, at))
}

/** An instruction that somebody remembered on purpose always is one. `content`: the words of the person. */
export function isLastingInstruction({ short, type, origin }: Statement, content: string): boolean {
  if (origin === 'command') return true
  if (type === 'correction' || type === 'fact' || short.length > CHARS_MAX || short.endsWith('…')) return false
  const traits = findTraits(short)
  if (NOW.test(short)) return false
  const isLasting = LASTING.test(short) || CHOICE.test(short) || LASTING.test(findOpening(content, short))
  return isLasting && !AT_HAND.some((trait) => traits.has(trait))
}
