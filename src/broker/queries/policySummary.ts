// The policy: every number by default and as active, its history, and how much evidence there is.
import type { LearnedPolicy, Policy } from '../../model/policy.ts'
import type { ExclusionRule } from '../../model/recallQuery.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { openLiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import { DEFAULT_POLICY, type PolicyFile } from '../policy/activePolicy.ts'
import type { PolicyChange } from '../projection/projection.ts'
import { readLearner } from '../projection/projectionFiles.ts'

interface PolicyNumber {
  /** Dotted, for instance `recall.weights.words`. */
  readonly path: string
  readonly defaultValue: number
  readonly activeValue: number
  /** activeValue − defaultValue */
  readonly difference: number
}

/** A rule with the text of its memory; without it if the memory was deleted. */
export type DescribedExclusion = ExclusionRule & { readonly content?: string }

export interface PolicySummary {
  /** The configured policy, which learning starts from. */
  readonly name: string
  /** 0 before anything was learned or changed. */
  readonly version: number
  /** A person has stopped learning from changing the policy. */
  readonly frozen: boolean
  readonly numbers: readonly PolicyNumber[]
  /** What was learned over the configured policy. */
  readonly learned: LearnedPolicy['values']
  /** Learned exclusions with their evidence; also expired ones that are still on trial. */
  readonly exclusions: readonly DescribedExclusion[]
  /** Oldest first. */
  readonly history: readonly PolicyChange[]
  /** Recalls with a known outcome: the evidence that is kept. */
  readonly judged: number
}

/** Throws STORE_INVALID if policy.json or the learner's state is corrupt. Hooks use the default policy then. */
export function summarizePolicy(store: Store): PolicySummary {
  const file = readJson<PolicyFile>(store.files, store.layout.policy)
  const { history = [], judged = [] } = readLearner(store)
  const active = collectNumbers(file?.compiled ?? DEFAULT_POLICY)
  const defaults = collectNumbers(DEFAULT_POLICY)
  return {
    name: file?.base?.name ?? DEFAULT_POLICY.name,
    version: file?.learned.version ?? 0,
    frozen: file?.frozen ?? false,
    numbers: [...defaults].map(([path, value]) => {
      const activeValue = active.get(path) ?? value
      return { path, defaultValue: value, activeValue, difference: Math.round((activeValue - value) * 1e6) / 1e6 }
    }),
    learned: file?.learned.values ?? {},
    exclusions: describeExclusions(store, file?.learned.exclusions ?? []),
    history,
    judged: judged.length,
  }
}

function describeExclusions(store: Store, rules: readonly ExclusionRule[]): DescribedExclusion[] {
  if (rules.length === 0) return []
  const memories = openLiveStore(store).memories()
  return rules.map((rule) => {
    const content = rule.memory && memories.get(rule.memory)?.content
    return content === undefined ? rule : { ...rule, content }
  })
}

/** Every number of a policy by its path, lists by position, in the order of its file. */
function collectNumbers(policy: Policy): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'number') numbers.set(path, value)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) walk(inner, path === '' ? name : `${path}.${name}`)
    }
  }
  walk(policy, '')
  return numbers
}
