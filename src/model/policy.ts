// Policy: the numbers that may be learned. Shipped in policies/*.yaml, where each has its meaning, unit and range.
import type { ContributionWeights } from './contribution.ts'
import type { ExclusionRule } from './exclusion.ts'
import type { ImportanceWeights } from './importance.ts'
import type { MemoryKind } from './memory.ts'
import type { PrivacyReleaseDays } from './privacy.ts'
import type { RecallMoment } from './recallQuery.ts'
import type { StrengthPolicy } from './strength.ts'
import type { TierPolicy } from './tier.ts'

/** The features of ranking, one weight each. docs/recall.md tells what each is and what it was measured to give. */
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

/** Features of a question in words alone, at work none of them is computed: see recall/features/asked.ts. */
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

/** Features of a prompt alone: how near the work of a memory's session stands to it, see recall/worked.ts. */
export const WORK_FEATURES = ['workFiles', 'workNamed', 'workEdits', 'workTogether', 'workFocus'] as const
type WorkFeature = (typeof WORK_FEATURES)[number]

/** What a hook of one moment may say. */
export interface MomentPolicy {
  /** Memories at most. */
  readonly topK: number
  /** The least score that is worth a word; below it the hook is silent. */
  readonly scoreMin: number
  /** The least evidence that the memory is about the cue (words, files, command, error, branch), 0 to 1. */
  readonly relevanceMin: number
  /** The kinds it may speak of. */
  readonly kinds: readonly MemoryKind[]
  /** Length of all it says, in tokens (4 characters of English, 1 of Japanese). */
  readonly budgetTokens: number
}

export type FeatureWeights = { readonly [Name in Feature]: number }
export type PromptWeights = FeatureWeights & { readonly [Name in WorkFeature]: number }
export type QuestionWeights = FeatureWeights & { readonly [Name in QuestionFeature]: number }

/** What a score is made with. */
export interface RankingModel {
  readonly weights: FeatureWeights & Partial<QuestionWeights> & Partial<PromptWeights>
  readonly boosts: { readonly sameTask: number; readonly recentFailure: number; readonly successPattern: number }
}

export interface RecallPolicy extends RankingModel {
  /** The weights at the moments of work; `prompted` at a prompt, `asked` where a question is asked in words (the moment `ask`). */
  readonly weights: FeatureWeights
  readonly prompted: PromptWeights
  readonly asked: QuestionWeights
  /** Days after which recency is one half. */
  readonly recencyHalfLifeDays: number
  /** Hours within which a failure counts as recent. */
  readonly recentFailureHours: number
  readonly candidatesMax: number
  readonly moments: { readonly [M in RecallMoment]: MomentPolicy }
  /** Share of recalls that are ranked, logged and not shown, 0 to 0.5. */
  readonly withholdShare: number
  /** What this project has learned not to tell; absent where there is nothing. */
  readonly exclusions?: readonly ExclusionRule[]
}

export interface ImprovePolicy {
  readonly contribution: ContributionWeights
  /** What showing a memory that was not used costs, 0 to 1: attention, and tokens. */
  readonly unusedCost: number
  /** How far one session's evidence moves a weight: a share of its distance. */
  readonly rate: number
  /** The greatest change of a number in one step, as a share of its range. */
  readonly stepMax: number
  /** Judged recalls before anything may move. */
  readonly evidenceMin: number
  /** How many judged recalls the guard looks back on. */
  readonly guardWindow: number
  /** One-sided confidence of the guard's lower bound, as a number of standard errors. */
  readonly guardSigmas: number
  /** What is used less often than this, surely, is told no more for some time; 0 leaves nothing out. */
  readonly excludeBelow: number
  /** Days until it is tried again; after every trial that fails twice as many, eight times at most. */
  readonly excludeDays: number
}

export interface Policy {
  readonly name: string
  readonly importance: ImportanceWeights
  readonly recall: RecallPolicy
  readonly strength: StrengthPolicy
  readonly tiers: TierPolicy
  readonly improve: ImprovePolicy
  readonly privacy: { readonly releaseDays: PrivacyReleaseDays }
}

/** A learned policy: the version that counts up with every change, and the values that differ from the shipped one. */
export interface LearnedPolicy {
  readonly version: number
  /** Dotted path of a number → its value, for instance `recall.weights.words`. */
  readonly values: Readonly<Record<string, number>>
  /** What is not told for some time; absent where there is nothing. */
  readonly exclusions?: readonly ExclusionRule[] | undefined
}

export const EMPTY_LEARNED_POLICY: LearnedPolicy = { version: 0, values: {} }

/** The shipped policy with the learned values put in their places. A path that is not there is left out. */
export function applyLearnedPolicy(shipped: Policy, learned: LearnedPolicy): Policy {
  const policy = structuredClone(shipped) as unknown as Record<string, unknown>
  for (const [path, value] of Object.entries(learned.values)) {
    const names = path.split('.')
    const last = names.pop()!
    const holder = names.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), policy)
    if (isRecord(holder) && typeof holder[last] === 'number') holder[last] = value
  }
  const whole = policy as unknown as Policy
  const { exclusions = [] } = learned
  return exclusions.length > 0 ? { ...whole, recall: { ...whole.recall, exclusions } } : whole
}

/** The weights that hold at a moment. */
export const selectRankingModel = (
  { weights, prompted, asked, boosts }: Pick<RecallPolicy, 'weights' | 'prompted' | 'asked' | 'boosts'>,
  moment: RecallMoment,
): RankingModel => ({ weights: moment === 'ask' ? asked : moment === 'prompt' ? prompted : weights, boosts })

/** The number at a dotted path; undefined where there is none. */
export function getPolicyValue(policy: Policy, path: string): number | undefined {
  const value = path.split('.').reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), policy)
  return typeof value === 'number' ? value : undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
