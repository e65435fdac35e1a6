// Obedience: how often the rules of the person were kept and broken, before and after memctl began to repeat them. From
// the records of the entries, which the log decides.
import { isAboutFailures, isCurrent, isOfPerson } from '../model/knowledge.ts'
import type { Memory } from '../model/memory.ts'
import { canBreak } from './updateRecords.ts'

/** Sessions in which the rule came up. A session in which it was broken once has broken it. */
export interface RuleCounts {
  readonly kept: number
  readonly broken: number
}

export interface RuleObedience {
  readonly memory: Memory
  /** Before a session was shown the rule. */
  readonly before: RuleCounts
  readonly since: RuleCounts
}

export interface Obedience {
  readonly rules: readonly RuleObedience[]
  /**
   * Rules that at most one in ten sessions has kept, of UNCLEAR_SESSIONS_MIN or more: their triggers find where the
   * subject comes up, not where the rule is broken.
   */
  readonly unclear: readonly RuleObedience[]
  /** Over all rules but these. */
  readonly before: RuleCounts
  readonly since: RuleCounts
}

/** Of a rule that no call could break. */
const NONE: RuleCounts = { kept: 0, broken: 0 }

const UNCLEAR_SESSIONS_MIN = 5
const UNCLEAR_KEPT_SHARE = 0.1

/** The obedience to the rules of the person that hold now, by their records. */
export function countObedience(memories: Iterable<Memory>): Obedience {
  const all = [...memories].flatMap((memory): RuleObedience[] => {
    const { knowledge, status } = memory
    if (!knowledge || status !== 'active' || !isCurrent(knowledge)) return []
    if (!isOfPerson(knowledge) || knowledge.author === 'teammate' || isAboutFailures(knowledge)) return []
    if (!canBreak(knowledge)) return [{ memory, before: NONE, since: NONE }]
    return [{ memory, ...readCounts(memory) }]
  })
  const unclear = all.filter((rule) => {
    const met = countMet(rule)
    return met >= UNCLEAR_SESSIONS_MIN && countKept(rule) <= UNCLEAR_KEPT_SHARE * met
  })
  const rules = all.filter((rule) => !unclear.includes(rule))
  return { rules, unclear, before: sum(rules.map(({ before }) => before)), since: sum(rules.map(({ since }) => since)) }
}

function readCounts({ knowledge }: Memory): Pick<RuleObedience, 'before' | 'since'> {
  const { keptBefore = 0, brokenBefore = 0, obeyed = 0, broken = 0 } = knowledge?.record ?? {}
  return { before: { kept: keptBefore, broken: brokenBefore }, since: { kept: obeyed, broken } }
}

const countKept = ({ before, since }: RuleObedience): number => before.kept + since.kept

const countMet = ({ before, since }: RuleObedience): number => total(before) + total(since)

const total = ({ kept, broken }: RuleCounts): number => kept + broken

const sum = (counts: readonly RuleCounts[]): RuleCounts => ({
  kept: counts.reduce((all, { kept }) => all + kept, 0),
  broken: counts.reduce((all, { broken }) => all + broken, 0),
})

/** `kept 12 of 13 times since memctl repeats them (before: 3 of 9)`; empty if nothing has met a rule yet. */
export function describeObedience({ before, since }: Pick<Obedience, 'before' | 'since'>): string {
  const earlier = `${before.kept} of ${total(before)}`
  if (total(since) === 0) return total(before) === 0 ? '' : `kept ${earlier} times before memctl repeated them`
  const compared = total(before) === 0 ? '' : ` (before: ${earlier})`
  return `kept ${since.kept} of ${total(since)} times since memctl repeats them${compared}`
}
