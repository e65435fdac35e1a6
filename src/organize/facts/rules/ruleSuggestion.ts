// What a linter proposes in its message.
import { addressesReader } from '../../../text/addressesReader.ts'

const VERBS =
  'use|rewrite|replace|make|prefer|remove|rename|add|wrap|extract|convert|move|merge|split|handle|declare|' +
  'simplify|pin|double quote|specify|provide|avoid|include|await|annotate|initialize|delete|change|define|insert'
const CAN_BE = /\b(?:can|could|should|must) be (replaced (?:by|with)|wrapped|simplified to|written as) ?(.*)$/i

const ADVICE = new RegExp(
  `^(?:please |instead,? |you (?:can|should) |try (?:to )?)?((?:${VERBS}) (?!of\\b).{3,70})$`,
  'i',
)

/** What the linter itself proposes, as a clause in the imperative: `make it a constant`. */
export function findSuggestion(message: string): string | undefined {
  const text = readSuggestion(message)
  return text === undefined || !isAboutCode(text) ? undefined : text
}

/** Words of a suggestion besides code: a linter that says more could say anything. */
const PROSE_WORDS_MAX = 12

const isAboutCode = (text: string): boolean =>
  !addressesReader(text) &&
  text
    .replace(/`[^`]*`/g, '')
    .split(/\s+/)
    .filter(Boolean).length <= PROSE_WORDS_MAX

function readSuggestion(message: string): string | undefined {
  const clauses = message.split(/[.;:] |, (?:but |and )?| - |\. ?$/)
  const advice = clauses
    .map((clause) => ADVICE.exec(clause.trim().replace(/["'.]+$/, ''))?.[1])
    .findLast((text) => text !== undefined)
  if (advice !== undefined) return quoteCode(advice.charAt(0).toLowerCase() + advice.slice(1))
  const [, how, what] = CAN_BE.exec(message) ?? []
  if (how?.startsWith('replaced') && what) return quoteCode(`use ${what.split(/ in [A-Z]/)[0]}`)
  if (how !== undefined) return how === 'wrapped' ? 'wrap it' : undefined
  const should = /\bshould ((?:provide|have|end|start|begin|use|contain|include) .{3,70})$/i.exec(message)?.[1]
  return should === undefined ? undefined : quoteCode(should)
}

/** Qualified names and calls in backticks, unless the text has some already. */
const quoteCode = (text: string): string =>
  text.includes('`') ? text : text.replace(/[\w$]+(?:(?:\.|::)[\w$]+)+(?:\(\))?|[\w$]{3,}\(\)/g, '`$&`')
