// Whether a statement is an instruction for every session, so that a start may show it.
import type { Statement } from '../../model/statement.ts'
import { findTraits } from './language.ts'
import type { Trait } from './traits.ts'

/** Grammar of an instruction that holds for more than the work at hand: always, never, by default, instead of. */
const STANDING: readonly Trait[] = ['always', 'rule', 'ban', 'standard', 'replacing', 'general']

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
  return STANDING.some((trait) => traits.has(trait)) && !AT_HAND.some((trait) => traits.has(trait))
}
