// Policy: the numbers that decide what is kept and shown, and differences between policies: what was learned, what was
// configured. policies/default.yaml has the meaning, unit and range of each.
import type { MemoryKind, TierPolicy } from './memory.ts'
import type { PrivacyReleaseDays } from './privacy.ts'
import type { RankingFormula } from './rankingScore.ts'
import { type ExclusionRule, LEARNED_MOMENTS, leastScorePath, type RecallMoment, topKPath } from './recallQuery.ts'
import type { StrengthPolicy } from './strength.ts'

export interface MomentPolicy {
  /** Memories at most. */
  readonly topK: number
  /** If learned: memories at most, beside what a user asked to be remembered. */
  readonly learnedTopK?: number
  readonly scoreMin: number
  /** If `scoreMin` is learned: the configured one, which holds for what a user asked to be remembered. */
  readonly configuredScoreMin?: number
  /** The least relevance (evidence from words, files, command, error, branch), 0 to 1. */
  readonly relevanceMin: number
  /** The kinds of memory that are shown. */
  readonly kinds: readonly MemoryKind[]
  /** The greatest length of the injected text, in tokens (4 characters of English, 1 of Japanese). */
  readonly budgetTokens: number
}

export interface RecallPolicy {
  readonly formula: RankingFormula
  readonly candidatesMax: number
  readonly moments: { readonly [M in RecallMoment]: MomentPolicy }
  /** Share of recalls that are holdouts: ranked, logged and not shown; 0 to 0.5. */
  readonly withholdShare: number
  /** For so many days a start says where work stopped; an agent's start has lessons of so many reports of its role. */
  readonly summaryDays: number
  readonly roleLessonsMax: number
  /** The learned exclusion rules of this project; absent if there are none. */
  readonly exclusions?: readonly ExclusionRule[]
}

/** Knowledge: which entries are shown unasked, and when one retires. */
export interface KnowledgePolicy {
  /** Length of all entries at the start of a session or subagent, in tokens; 0 shows none. */
  readonly startTokens: number
  /** Of these for what a person wants, at most. What they do not need is left for the rest. */
  readonly personTokens: number
  /** The least worth of any other entry at a start: the calls that it is expected to save in one session. */
  readonly startWorthMin: number
  /** Entries at most beside a call, a failure or a prompt. */
  readonly noteMax: number
  /** Sessions in a row in which a failure should have come and did not, for each that met it, until one retires. */
  readonly retireAfter: number
  /** The share of the project's calls at which a trigger may fire; one that fires more often says nothing. */
  readonly firingShareMax: number
  /** The least share of these calls that failed, or broke the rule. Judged from four firings on. */
  readonly firingFailMin: number
}

/** Which memories the machines of a team share. */
export interface TeamNumbers {
  /** The kinds of memory that are shared. */
  readonly kinds: readonly MemoryKind[]
  /** 1: memories for agents of one role are shared too, for agents of that role; 0: only public ones. */
  readonly shareAgentOnly: number
  /** 1: what a person said about every project is shared too: for one person with several machines; 0: it is not. */
  readonly sharePersonal: number
}

export interface Policy {
  readonly name: string
  readonly recall: RecallPolicy
  readonly knowledge: KnowledgePolicy
  /** `weight`: score of a word of the same meaning, relative to the word itself; 0 to 1, 0 turns expansion off. */
  readonly expansion: { readonly weight: number }
  readonly strength: StrengthPolicy
  readonly tiers: TierPolicy
  /** `excludeBelow`: the share of the usual use below which a note is not worth its tokens; 0 excludes nothing. */
  readonly improve: { readonly excludeBelow: number }
  readonly privacy: { readonly releaseDays: PrivacyReleaseDays }
  readonly team: TeamNumbers
}

/** What was learned over the configured policy. */
export interface LearnedPolicy {
  /** Grows by 1 with every change. */
  readonly version: number
  /** Path → limit, such as `recall.moments.prompt.scoreMin`. Earlier versions learned other numbers: ignored. */
  readonly values: Readonly<Record<string, number>>
  /** Absent if there are none. */
  readonly exclusions?: readonly ExclusionRule[] | undefined
}

export const EMPTY_LEARNED_POLICY: LearnedPolicy = { version: 0, values: {} }

type PolicyValue = number | string | null | readonly (number | string)[]

/** What the user configured for a project, as differences from the default policy. Learning starts from it. */
export interface PolicyPatch {
  readonly name: string
  /** Dotted path → value, for values that differ; null is `never`. */
  readonly values: Readonly<Record<string, PolicyValue>>
}

export const DEFAULT_POLICY_PATCH: PolicyPatch = { name: 'default', values: {} }

/** `policy` with what was learned. A learned limit is only ever stricter than the configured one. */
export function applyLearnedPolicy(policy: Policy, { values, exclusions = [] }: LearnedPolicy): Policy {
  const moments: Record<RecallMoment, MomentPolicy> = { ...policy.recall.moments }
  for (const moment of LEARNED_MOMENTS) {
    const { scoreMin, topK } = moments[moment]
    const [score, count] = [values[leastScorePath(moment)], values[topKPath(moment)]]
    moments[moment] = {
      ...moments[moment],
      ...(typeof score === 'number' && score > scoreMin && { scoreMin: score, configuredScoreMin: scoreMin }),
      ...(typeof count === 'number' && count >= 1 && count < topK && { learnedTopK: count }),
    }
  }
  return { ...policy, recall: { ...policy.recall, moments, ...(exclusions.length > 0 && { exclusions }) } }
}

/** `policy` with the configured values. Ignores a path that does not exist, and a list for a number or the reverse. */
export function applyPolicyPatch(policy: Policy, { name, values }: PolicyPatch): Policy {
  if (name === policy.name && Object.keys(values).length === 0) return policy
  const copy = structuredClone(policy)
  for (const [path, value] of Object.entries(values)) {
    const dot = path.lastIndexOf('.')
    const last = path.slice(dot + 1)
    const holder = dot === -1 ? copy : policyValue(copy, path.slice(0, dot))
    if (!isTree(holder) || Array.isArray(holder) || !Object.hasOwn(holder, last)) continue
    if (Array.isArray(holder[last]) === Array.isArray(value)) holder[last] = value
  }
  return { ...copy, name }
}

export function diffPolicy(policy: Policy, base: Policy): PolicyPatch {
  const values: Record<string, PolicyValue> = {}
  const compare = (value: unknown, other: unknown, path: string): void => {
    if (isTree(value) && isTree(other) && !Array.isArray(value) && !Array.isArray(other)) {
      for (const name of Object.keys(other)) compare(value[name], other[name], path === '' ? name : `${path}.${name}`)
    } else if (path !== 'name' && JSON.stringify(value) !== JSON.stringify(other))
      values[path] = (value ?? null) as PolicyValue
  }
  compare(policy, base, '')
  return { name: policy.name, values }
}

type Tree = Record<string, unknown>

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

/** The value at a dotted path; undefined if there is none. */
export const policyValue = (policy: Policy, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (isTree(at) && Object.hasOwn(at, name) ? at[name] : undefined), policy)

/** The ranges of a moment's numbers, both ends included. A hook checks them, without the schema of everything. */
export const MOMENT_RANGES = {
  topK: [1, 50],
  scoreMin: [-1, 4],
  relevanceMin: [0, 1],
  budgetTokens: [50, 2400],
} as const satisfies Readonly<Record<string, readonly [min: number, max: number]>>
