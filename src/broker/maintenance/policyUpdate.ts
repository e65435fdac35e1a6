// Step: the policy's next one, as the event that takes it. The same from a session's end and from labelled lessons.
import { updateExclusionRules } from '../../improve/exclusionRules.ts'
import { computePolicyStep } from '../../improve/policyStep.ts'
import type { EventOf } from '../../model/event.ts'
import type { ExclusionRule } from '../../model/exclusion.ts'
import type { SessionId } from '../../model/id.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'
import { basePolicy } from '../projection/policyReducer.ts'
import type { Projection } from '../projection/projection.ts'

/** The step due by what the view has judged; undefined where nothing should move, or a person has frozen it. */
export function nextPolicyUpdate(
  view: Projection,
  now: number,
  session?: SessionId,
): EventOf<'policy.changed'> | undefined {
  const { judged, learned, frozen } = view
  if (frozen) return undefined
  const chosen = basePolicy(view, DEFAULT_POLICY)
  const step = computePolicyStep(judged, chosen, learned)
  const rules = updateExclusionRules(judged, learned.exclusions ?? [], chosen.improve, now)
  if (!step && !rules) return undefined
  const version = learned.version + 1
  const exclusions = rules ?? learned.exclusions ?? []
  const body = {
    kind: 'policy.changed',
    version,
    by: 'improve',
    values: step?.values ?? learned.values,
    ...(exclusions.length > 0 && { exclusions }),
    reason: [step?.reason, rules && changeOf(learned.exclusions ?? [], rules)].filter(Boolean).join('; '),
    evidence: step?.evidence ?? {},
  } as const
  return systemEvent(body, { now, session, key: [String(version)] })
}

/** What became of the rules, in words. */
function changeOf(before: readonly ExclusionRule[], after: readonly ExclusionRule[]): string {
  const gone = before.filter((rule) => !after.some((one) => isSame(one, rule)))
  const fresh = after.filter((rule) => !before.some((one) => isSame(one, rule)))
  const renewed = after.filter((rule) => before.some((one) => isSame(one, rule) && one.renewed !== rule.renewed))
  const told = (what: string, rules: readonly ExclusionRule[]) =>
    rules.length === 0
      ? []
      : [`${what} ${rules.map(({ moment, by, value }) => `${by} ${value} (${moment})`).join(', ')}`]
  return [...told('tells no more of', fresh), ...told('still not of', renewed), ...told('tells again of', gone)].join(
    '; ',
  )
}

const isSame = (a: ExclusionRule, b: ExclusionRule): boolean =>
  a.moment === b.moment && a.by === b.by && a.value === b.value
