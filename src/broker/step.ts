// Step: the policy's next one, as the event that takes it. The same from a session's end and from labelled lessons.
import { nextExclusions } from '../improve/exclude.ts'
import { nextStep } from '../improve/learn.ts'
import type { EventOf } from '../model/event.ts'
import type { Exclusion } from '../model/exclusion.ts'
import type { SessionId } from '../model/id.ts'
import { systemEvent } from './commit/systemEvent.ts'
import { SHIPPED } from './policy/served.ts'
import { chosenIn } from './view/foldPolicy.ts'
import type { View } from './view/view.ts'

/** The step due by what the view has judged; undefined where nothing should move, or a person has frozen it. */
export function stepOf(view: View, now: number, session?: SessionId): EventOf<'policy.changed'> | undefined {
  const { judged, learned, frozen } = view
  if (frozen) return undefined
  const chosen = chosenIn(view, SHIPPED)
  const step = nextStep(judged, chosen, learned)
  const rules = nextExclusions(judged, learned.exclusions ?? [], chosen.improve, now)
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
function changeOf(before: readonly Exclusion[], after: readonly Exclusion[]): string {
  const gone = before.filter((rule) => !after.some((one) => isSame(one, rule)))
  const fresh = after.filter((rule) => !before.some((one) => isSame(one, rule)))
  const renewed = after.filter((rule) => before.some((one) => isSame(one, rule) && one.renewed !== rule.renewed))
  const told = (what: string, rules: readonly Exclusion[]) =>
    rules.length === 0
      ? []
      : [`${what} ${rules.map(({ moment, by, value }) => `${by} ${value} (${moment})`).join(', ')}`]
  return [...told('tells no more of', fresh), ...told('still not of', renewed), ...told('tells again of', gone)].join(
    '; ',
  )
}

const isSame = (a: Exclusion, b: Exclusion): boolean => a.moment === b.moment && a.by === b.by && a.value === b.value
