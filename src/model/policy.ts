// Policy: the numbers that may be learned, and differences between policies: what was learned, what was configured.
import type { ContributionWeights } from './contribution.ts'
import type { ExclusionRule } from './exclusion.ts'
import type { ExpansionNumbers } from './expansion.ts'
import type { ImportanceWeights } from './importance.ts'
import type { MemoryKind } from './memory.ts'
import type { PrivacyReleaseDays } from './privacy.ts'
import type { RecallMoment } from './recallQuery.ts'
import type { SilenceNumbers } from './silence.ts'
import type { StatementNumbers } from './statement.ts'
import type { StrengthPolicy } from './strength.ts'
import type { TeamNumbers } from './teamPolicy.ts'
import type { TierPolicy } from './tier.ts'

/** The ranking features, one weight each; docs/recall.md describes them. */
export const FEATURES = [
  'words',
  'window',
  'session',
  'files',
  'command',
  'error',
  'branch',
  'importance',
  'recency',
  'role',
  'outcome',
  'strength',
  'kind',
  'helped',
] as const
export type Feature = (typeof FEATURES)[number]

/** Further features at the moment `ask`: see recall/questionFeatures.ts. */
export const QUESTION_FEATURES = [
  'wide',
  'before',
  'after',
  'coverage',
  'surroundings',
  'speaker',
  'otherSpeaker',
  'length',
  'saysTime',
  'saysAsked',
  'saysName',
  'saysNumber',
  'question',
  'answer',
  'date',
] as const
type QuestionFeature = (typeof QUESTION_FEATURES)[number]

/** Further features at a prompt: how close the work of the memory's session is. See recall/sessionFileIndex.ts. */
export const WORK_FEATURES = ['workFiles', 'workNamed', 'workEdits', 'workTogether', 'workFocus'] as const
type WorkFeature = (typeof WORK_FEATURES)[number]

/** What one moment may show. */
export interface MomentPolicy {
  /** Memories at most. */
  readonly topK: number
  /** The least score that is shown. */
  readonly scoreMin: number
  /** The least relevance (evidence from words, files, command, error, branch), 0 to 1. */
  readonly relevanceMin: number
  /** The kinds of memory that are shown. */
  readonly kinds: readonly MemoryKind[]
  /** The greatest length of the injected text, in tokens (4 characters of English, 1 of Japanese). */
  readonly budgetTokens: number
}

export type FeatureWeights = { readonly [Name in Feature]: number }
export type PromptWeights = FeatureWeights & { readonly [Name in WorkFeature]: number }
export type QuestionWeights = FeatureWeights & { readonly [Name in QuestionFeature]: number }

/** The linear model that computes a score. */
export interface RankingModel {
  readonly weights: FeatureWeights & Partial<QuestionWeights> & Partial<PromptWeights>
  readonly boosts: { readonly sameTask: number; readonly recentFailure: number; readonly successPattern: number }
}

export interface RecallPolicy extends RankingModel {
  /** The weights: `prompted` and `asked` at the moments `prompt` and `ask`, `weights` at all others. */
  readonly weights: FeatureWeights
  readonly prompted: PromptWeights
  readonly asked: QuestionWeights
  /** Days after which recency is one half. */
  readonly recencyHalfLifeDays: number
  /** Hours within which a failure counts as recent. */
  readonly recentFailureHours: number
  readonly candidatesMax: number
  readonly moments: { readonly [M in RecallMoment]: MomentPolicy }
  /** Share of recalls that are holdouts: ranked, logged and not shown; 0 to 0.5. */
  readonly withholdShare: number
  /** Of the statements at a start: the least strength, 1 to 3, and how many at most. */
  readonly statementStrengthMin: number
  readonly statementsMax: number
  /** For so many days a start says where work stopped; an agent's start has lessons of so many reports of its role. */
  readonly summaryDays: number
  readonly roleLessonsMax: number
  /** The learned exclusion rules of this project; absent if there are none. */
  readonly exclusions?: readonly ExclusionRule[]
}

export interface ImprovePolicy {
  readonly contribution: ContributionWeights
  readonly unusedCost: number
  /** The share of the distance to its target that a number moves at a session's end. */
  readonly rate: number
  readonly stepMax: number
  /** Judged recalls before anything may move; notes and sessions at a moment before its numbers may move. */
  readonly evidenceMin: number
  readonly notesMin: number
  readonly sessionsMin: number
  /** How many of the latest judged recalls learning uses, and the standard errors of its lower bounds. */
  readonly guardWindow: number
  readonly guardSigmas: number
  /** The share of the usual use below which a note is not worth its tokens; 0 excludes nothing. */
  readonly excludeBelow: number
  /** Sessions that must have shown a note before it is excluded, and days until it is tried again. */
  readonly excludeSessions: number
  readonly excludeDays: number
}

/** Project facts: when one stands, when it retires, and how much of them is shown. */
export interface FactNumbers {
  /** Sessions that must have met a fact before it stands. */
  readonly standingSessions: number
  /** Sessions in which it was not true, since it was last met, before it retires; one is enough for a path. */
  readonly retireAfter: number
  /** Length of the block of facts at the start of a session and of a subagent, in tokens; 0 shows none. */
  readonly startTokens: number
  /** Least share of the sessions that must have met a fact for it to be shown at a start, 0 to 1. */
  readonly startRate: number
  /** The same for a fact that a call can come near to: it is shown there too. */
  readonly startNearRate: number
  /** Length of the rules at the first edit of a kind of file in a conversation, in tokens; 0 shows none. */
  readonly editTokens: number
  /** Facts at most beside a prompt, a call or a failure. */
  readonly noteMax: number
  /** The time in which a fact that is not met any more loses half of its weight, in days. */
  readonly halfLifeDays: number
}

export interface Policy {
  readonly name: string
  readonly importance: ImportanceWeights
  readonly recall: RecallPolicy
  readonly facts: FactNumbers
  readonly statements: StatementNumbers
  readonly silence: SilenceNumbers
  readonly expansion: ExpansionNumbers
  readonly strength: StrengthPolicy
  readonly tiers: TierPolicy
  readonly improve: ImprovePolicy
  readonly privacy: { readonly releaseDays: PrivacyReleaseDays }
  readonly team: TeamNumbers
}

/** What was learned, as differences from the configured policy. */
export interface LearnedPolicy {
  /** Grows by 1 with every change. */
  readonly version: number
  /** Dotted path → number, for instance `recall.weights.words`. */
  readonly values: Readonly<Record<string, number>>
  /** Absent if there are none. */
  readonly exclusions?: readonly ExclusionRule[] | undefined
}

export const EMPTY_LEARNED_POLICY: LearnedPolicy = { version: 0, values: {} }

type PolicyValue = number | null | readonly (number | string)[]

/** What the user configured for a project, as differences from the default policy. Learning starts from it. */
export interface PolicyPatch {
  readonly name: string
  /** Dotted path → value, for numbers and lists that differ; null is `never`. */
  readonly values: Readonly<Record<string, PolicyValue>>
}

export const DEFAULT_POLICY_PATCH: PolicyPatch = { name: 'default', values: {} }

/** `policy` with the learned values. Ignores a path where there is no number. */
export function applyLearnedPolicy(policy: Policy, { values, exclusions = [] }: LearnedPolicy): Policy {
  const learned = setPolicyValues(policy, values, (holder, name) => typeof holder[name] === 'number')
  return exclusions.length > 0 ? { ...learned, recall: { ...learned.recall, exclusions } } : learned
}

/** `policy` with the configured values. Ignores a path that does not exist, and a list for a number or the reverse. */
export function applyPolicyPatch(policy: Policy, { name, values }: PolicyPatch): Policy {
  if (name === policy.name && Object.keys(values).length === 0) return policy
  const isReplaceable = (holder: Tree, key: string, value: unknown): boolean =>
    !Array.isArray(holder) && Object.hasOwn(holder, key) && Array.isArray(holder[key]) === Array.isArray(value)
  return { ...setPolicyValues(policy, values, isReplaceable), name }
}

/** The values of `policy` that differ from those of `base`. */
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

/** The weights of a moment. */
export const selectRankingModel = (
  { weights, prompted, asked, boosts }: Pick<RecallPolicy, 'weights' | 'prompted' | 'asked' | 'boosts'>,
  moment: RecallMoment,
): RankingModel => ({ weights: moment === 'ask' ? asked : moment === 'prompt' ? prompted : weights, boosts })

/** The number at a dotted path; undefined if there is none. */
export function getPolicyValue(policy: Policy, path: string): number | undefined {
  const value = valueAt(policy, path.split('.'))
  return typeof value === 'number' ? value : undefined
}

type Tree = Record<string, unknown>

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

const valueAt = (policy: Policy, names: readonly string[]): unknown =>
  names.reduce<unknown>((at, name) => (isTree(at) && Object.hasOwn(at, name) ? at[name] : undefined), policy)

/** A copy of `policy` with values at dotted paths, where `isReplaceable` allows it. */
function setPolicyValues(
  policy: Policy,
  values: Readonly<Record<string, unknown>>,
  isReplaceable: (holder: Tree, name: string, value: unknown) => boolean,
): Policy {
  const copy = structuredClone(policy)
  for (const [path, value] of Object.entries(values)) {
    const names = path.split('.')
    const name = names.pop() ?? ''
    const holder = valueAt(copy, names)
    if (isTree(holder) && isReplaceable(holder, name, value)) holder[name] = value
  }
  return copy
}
