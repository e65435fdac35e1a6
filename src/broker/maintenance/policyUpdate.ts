// What is learned after a session, as an event.
import { updateExclusionRules } from '../../improve/exclusionRules.ts'
import { learnLeastScores } from '../../improve/leastScores.ts'
import type { EventOf } from '../../model/event.ts'
import type { MemoryId, SessionId } from '../../model/id.ts'
import { isUserRequested } from '../../model/memory.ts'
import type { ExclusionRule } from '../../model/recallQuery.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { basePolicy } from '../projection/policyReducer.ts'
import type { Projection } from '../projection/projection.ts'

/** The change that follows from the attributed recalls; undefined if there is none, or the policy is frozen. */
export function nextPolicyUpdate(
  projection: Projection,
  now: number,
  session?: SessionId,
): EventOf<'policy.changed'> | undefined {
  const { judged, learned, frozen, momentUse, memories } = projection
  if (frozen) return undefined
  const base = basePolicy(projection)
  const step = learnLeastScores(judged, base, learned)
  const oldRules = learned.exclusions ?? []
  const kindOf = (id: MemoryId) => {
    const memory = memories.get(id)
    return memory && !isUserRequested(memory) ? memory.kind : undefined
  }
  const { excludeBelow } = base.improve
  const newRules = updateExclusionRules({ uses: momentUse, kindOf, rules: oldRules, excludeBelow, now })
  if (!step && !newRules) return undefined
  const version = learned.version + 1
  const exclusions = newRules ?? oldRules
  const body = {
    kind: 'policy.changed',
    version,
    by: 'improve',
    values: step?.values ?? learned.values,
    ...(exclusions.length > 0 && { exclusions }),
    reason: [step?.reason, newRules && describeRuleChanges(oldRules, newRules)].filter(Boolean).join('; '),
    evidence: step?.evidence ?? {},
  } as const
  return systemEvent(body, { now, session, key: [String(version)] })
}

function describeRuleChanges(before: readonly ExclusionRule[], after: readonly ExclusionRule[]): string {
  const matching = (rules: readonly ExclusionRule[], rule: ExclusionRule) => rules.find((other) => isSame(other, rule))
  const added = after.filter((rule) => !matching(before, rule))
  const renewed = after.filter((rule) => (matching(before, rule)?.renewed ?? rule.renewed) !== rule.renewed)
  const removed = before.filter((rule) => !matching(after, rule))
  return [
    formatRules('excludes', added),
    formatRules('still excludes', renewed),
    formatRules('includes again', removed),
  ]
    .filter(Boolean)
    .join('; ')
}

const formatRules = (verb: string, rules: readonly ExclusionRule[]): string =>
  rules.length === 0
    ? ''
    : `${verb} ${rules.map(({ moment, memory }) => `${memory.slice(0, 8)} (${moment})`).join(', ')}`

const isSame = (a: ExclusionRule, b: ExclusionRule): boolean => a.moment === b.moment && a.memory === b.memory
