// Obedience: how often the rules of the person were kept and broken, before and after memctl began to repeat them. From
// the records of the entries, which the log decides.
import { isAboutFailures, isCurrent, isOfPerson } from '../model/knowledge.ts'
import type { Memory } from '../model/memory.ts'
import { canBreak } from './updateRecords.ts'

/** Sessions in which the rule came up. A session in which it was broken once has broken it. */
export type RuleCounts = Readonly<{ kept: number; broken: number }>

/** The sessions before one was shown the rule, and those since. */
export type RuleObedience = Readonly<{ before: RuleCounts; since: RuleCounts }>

export const NO_SESSIONS: RuleCounts = { kept: 0, broken: 0 }

/**
 * Rules that at most one in ten sessions has kept, of this number or more, do not count: their triggers find where the
 * subject comes up, not where the rule is broken.
 */
const UNCLEAR_SESSIONS_MIN = 5
const UNCLEAR_KEPT_SHARE = 0.1

/** The obedience to the rules of the person that hold now, by their records; `count` is the number of these rules. */
export function countObedience(memories: Iterable<Memory>): RuleObedience & { readonly count: number } {
  const all = [...memories].flatMap(({ knowledge, status }): RuleObedience[] => {
    if (!knowledge || status !== 'active' || !isCurrent(knowledge)) return []
    if (!isOfPerson(knowledge) || knowledge.author === 'teammate' || isAboutFailures(knowledge)) return []
    if (!canBreak(knowledge)) return [{ before: NO_SESSIONS, since: NO_SESSIONS }]
    const { keptBefore = 0, brokenBefore = 0, obeyed = 0, broken = 0 } = knowledge.record
    return [{ before: { kept: keptBefore, broken: brokenBefore }, since: { kept: obeyed, broken } }]
  })
  const clear = all.filter(({ before, since }) => {
    const met = total(before) + total(since)
    return met < UNCLEAR_SESSIONS_MIN || before.kept + since.kept > UNCLEAR_KEPT_SHARE * met
  })
  const sum = (part: 'before' | 'since'): RuleCounts => ({
    kept: clear.reduce((kept, rule) => kept + rule[part].kept, 0),
    broken: clear.reduce((broken, rule) => broken + rule[part].broken, 0),
  })
  return { count: all.length, before: sum('before'), since: sum('since') }
}

const total = ({ kept, broken }: RuleCounts): number => kept + broken

/** `kept 12 of 13 times since memctl repeats them (before: 3 of 9)`; empty if nothing has met a rule yet. */
export function describeObedience({ before, since }: RuleObedience): string {
  const earlier = `${before.kept} of ${total(before)}`
  if (total(since) === 0) return total(before) === 0 ? '' : `kept ${earlier} times before memctl repeated them`
  const compared = total(before) === 0 ? '' : ` (before: ${earlier})`
  return `kept ${since.kept} of ${total(since)} times since memctl repeats them${compared}`
}
