// What stricter means for the numbers of a policy: less is shown, more evidence is needed, nothing is released earlier.
//
// A repository may make the person's policy stricter and nothing else. Numbers without an entry here (weights, decay,
// tiers, learning) only order or keep memories; a repository cannot change them.
import { applyPolicyPatch, diffPolicy, type Policy, type PolicyPatch } from './policy.ts'
import { RECALL_MOMENTS } from './recallQuery.ts'

/** `lower` and `higher`: this number is stricter. `later`: a higher number of days, or null for never. */
type Strictness = 'lower' | 'higher' | 'later' | 'subset'

const STRICTNESS: ReadonlyMap<string, Strictness> = new Map<string, Strictness>([
  ['privacy.releaseDays.privateToAgentOnly', 'later'],
  ['privacy.releaseDays.agentOnlyToPublic', 'later'],
  ...RECALL_MOMENTS.flatMap((moment): [string, Strictness][] => [
    [`recall.moments.${moment}.topK`, 'lower'],
    [`recall.moments.${moment}.scoreMin`, 'higher'],
    [`recall.moments.${moment}.relevanceMin`, 'higher'],
    [`recall.moments.${moment}.budgetTokens`, 'lower'],
    [`recall.moments.${moment}.kinds`, 'subset'],
  ]),
  ['recall.roleLessonsMax', 'lower'],
  ['recall.summaryDays', 'lower'],
  ['knowledge.startTokens', 'lower'],
  ['knowledge.personTokens', 'lower'],
  ['knowledge.startWorthMin', 'higher'],
  ['knowledge.noteMax', 'lower'],
  ['knowledge.firingShareMax', 'lower'],
  ['knowledge.firingFailMin', 'higher'],
  ['silence.shortPromptChars', 'higher'],
  ['silence.promptWordsMin', 'higher'],
  ['silence.samePromptShare', 'lower'],
  ['silence.callScoreMin', 'higher'],
  ['silence.sessionNotesMax', 'lower'],
  ['silence.startPatience', 'lower'],
  ['team.kinds', 'subset'],
  ['team.shareAgentOnly', 'lower'],
  ['team.sharePersonal', 'lower'],
])

export interface TightenedPolicy {
  readonly policy: Policy
  /** The values that were taken. */
  readonly taken: PolicyPatch['values']
  /** Paths of values that were not taken: they are less strict, or strictness does not apply to them. */
  readonly ignored: readonly string[]
}

/** The person's policy with the stricter values of another one. `base` is what the other one differs from. */
export function tightenPolicy(person: Policy, other: Policy, base: Policy): TightenedPolicy {
  const patch = diffPolicy(other, base)
  const taken: Record<string, PolicyPatch['values'][string]> = {}
  for (const [path, value] of Object.entries(patch.values)) {
    const rule = STRICTNESS.get(path)
    const stricter = rule && stricterValue(rule, valueAt(person, path), value)
    if (stricter !== undefined) taken[path] = stricter
  }
  const name = person.name === base.name && Object.keys(taken).length > 0 ? other.name : person.name
  return {
    policy: applyPolicyPatch(person, { name, values: taken }),
    taken,
    ignored: Object.keys(patch.values).filter((path) => !(path in taken)),
  }
}

const valueAt = (policy: Policy, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name], policy)

/** The stricter value; undefined if it is the person's own. */
function stricterValue(
  rule: Strictness,
  own: unknown,
  other: PolicyPatch['values'][string],
): PolicyPatch['values'][string] | undefined {
  if (rule === 'subset') {
    if (!Array.isArray(own) || !Array.isArray(other)) return undefined
    const common = (own as string[]).filter((kind) => (other as readonly unknown[]).includes(kind))
    return common.length < own.length ? common : undefined
  }
  if (rule === 'later') {
    if (own === null) return undefined
    return other === null || Number(other) > Number(own) ? other : undefined
  }
  if (typeof own !== 'number' || typeof other !== 'number') return undefined
  return (rule === 'lower' ? other < own : other > own) ? other : undefined
}
