// The policy: every number by default and as active, its history, and how much evidence there is.
import type { ExclusionRule } from '../../model/recallQuery.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { openLiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import { DEFAULT_POLICY, type PolicyFile } from '../policy/activePolicy.ts'
import { readLearner } from '../projection/projectionFiles.ts'

/** A rule with the text of its memory; without it if the memory was deleted. */
type DescribedExclusion = ExclusionRule & { readonly content?: string }

export type PolicySummary = ReturnType<typeof summarizePolicy>

/** Throws STORE_INVALID if policy.json or the learner's state is corrupt. Hooks use the default policy then. */
export function summarizePolicy(store: Store) {
  const file = readJson<PolicyFile>(store.files, store.layout.policy)
  const { history = [], judged = [] } = readLearner(store)
  const active = new Map(listNumbers(file?.compiled ?? DEFAULT_POLICY))
  const defaults = listNumbers(DEFAULT_POLICY)
  return {
    /** The configured policy, which learning starts from. */
    name: file?.base?.name ?? DEFAULT_POLICY.name,
    /** 0 before anything was learned or changed. */
    version: file?.learned.version ?? 0,
    /** A person has stopped learning from changing the policy. */
    frozen: file?.frozen ?? false,
    numbers: defaults.map(([path, value]) => {
      const activeValue = active.get(path) ?? value
      // `path` is dotted, for instance `recall.weights.words`.
      return { path, defaultValue: value, activeValue, difference: Math.round((activeValue - value) * 1e6) / 1e6 }
    }),
    /** What was learned over the configured policy. */
    learned: file?.learned.values ?? {},
    /** Learned exclusions with their evidence; also expired ones that are still on trial. */
    exclusions: describeExclusions(store, file?.learned.exclusions ?? []),
    /** Oldest first. */
    history,
    /** Recalls with a known outcome: the evidence that is kept. */
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
function listNumbers(value: unknown, path: readonly string[] = []): [path: string, number: number][] {
  if (typeof value === 'number') return [[path.join('.'), value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => listNumbers(inner, [...path, name]))
}
