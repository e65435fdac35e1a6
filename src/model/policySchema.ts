// The policy schema: the meaning, unit and range of every number. Source of the comments in policies/*.yaml, the JSON
// schema for editors, the validator and the learning steps. A number without an entry here does not compile.
import { MEMORY_KINDS, type MemoryKind } from './memory.ts'
import type { FeatureWeights, MomentPolicy, Policy, PromptWeights, QuestionWeights } from './policy.ts'
import { MOMENT_RANGES, WEIGHT_RANGE } from './policyRanges.ts'

/** One number, or each number of a list. The range includes both ends. */
export interface NumberSpec {
  readonly meaning: string
  readonly unit: string
  readonly min: number
  readonly max: number
  /** Whole numbers only. */
  readonly whole?: true
  /** The word `never` is allowed. */
  readonly never?: true
  /** A list of such numbers, at least one. */
  readonly list?: true
}

type NumberListSpec = NumberSpec & { readonly list: true }

/** A list of names. */
export interface NameListSpec {
  readonly meaning: string
  readonly names: readonly string[]
}

/** The schema of a part of the policy: the same shape, with a spec in the place of each value. */
type SchemaOf<T> = T extends number | null | undefined
  ? NumberSpec
  : T extends readonly number[]
    ? NumberListSpec
    : T extends readonly MemoryKind[]
      ? NameListSpec
      : { readonly [Name in Exclude<keyof T, 'exclusions'>]-?: SchemaOf<T[Name]> }

const number = (meaning: string, unit: string, min: number, max: number): NumberSpec => ({ meaning, unit, min, max })
const count = (meaning: string, unit: string, min: number, max: number): NumberSpec => ({
  ...number(meaning, unit, min, max),
  whole: true,
})
const listOf = (each: NumberSpec): NumberListSpec => ({ ...each, list: true })
const weight = (meaning: string): NumberSpec => number(meaning, 'weight', ...WEIGHT_RANGE)
const boost = (meaning: string): NumberSpec => number(meaning, 'added to the score', 0, 1)
const term = (meaning: string): NumberSpec => number(meaning, 'weight', 0, 1)
const release = (meaning: string): NumberSpec => ({ ...number(meaning, 'days', 1, 3650), never: true })

const moment: SchemaOf<MomentPolicy> = {
  topK: count('memories at most', 'memories', ...MOMENT_RANGES.topK),
  scoreMin: number('least score that is worth a word', 'score', ...MOMENT_RANGES.scoreMin),
  relevanceMin: number('least evidence that a memory is about the cue', 'share', ...MOMENT_RANGES.relevanceMin),
  budgetTokens: count('length of all it says', 'tokens', ...MOMENT_RANGES.budgetTokens),
  kinds: { meaning: 'what it may speak of', names: MEMORY_KINDS },
}

const COMMON_WEIGHTS: SchemaOf<FeatureWeights> = {
  words: weight("the cue's own words in the memory (BM25, divided by the best)"),
  window: weight('the same together with its neighbours of the same session; counted for questions alone'),
  session: weight("the same in its session's summary"),
  files: weight('files in common (BM25 over paths and names)'),
  command: weight('the same command shape or family'),
  error: weight('the same error signature'),
  branch: weight('the same branch, if it is none of the main ones'),
  importance: weight('how much it is worth keeping (003)'),
  recency: weight('how lately it was made or met (003)'),
  role: weight("made by or for an agent of the reader's role (003)"),
  outcome: weight('success 1, failure .6, unknown .4 (003)'),
  strength: weight('consolidation by use, min(1, strength / 2) (000)'),
  kind: weight('lesson 1, preference, decision and entry .9, consolidated .7, summary .5, experience .3'),
  helped: weight('its record of helping, -1 to 1, shrunk while it is short'),
}

const PROMPT_WEIGHTS: SchemaOf<Omit<PromptWeights, keyof FeatureWeights>> = {
  workFiles: weight("the prompt's words in the paths of the files its session edited (BM25, divided by the best)"),
  workNamed: weight('the prompt names a file its session edited'),
  workEdits: weight('how many files its session edited, logarithmic, full at 60'),
  workTogether: weight('its session edited what the eight nearest edited (divided by the best)'),
  workFocus: weight('the same as a share of all its session edited'),
}

const QUESTION_WEIGHTS: SchemaOf<Omit<QuestionWeights, keyof FeatureWeights>> = {
  wide: weight('the same with five neighbours before and after it'),
  before: weight('the same with two before it'),
  after: weight('the same with two after it'),
  coverage: weight("the share of the question's words, by rarity, that it holds"),
  surroundings: weight('the share that it holds with two neighbours before and after it'),
  speaker: weight('said by the one whom the question names'),
  otherSpeaker: weight('said by another than the one named'),
  length: weight('its length in words, logarithmic, full at 150'),
  saysTime: weight('it says when, and the question asks when'),
  saysAsked: weight('it says a name, a number, a reason or a place, whichever is asked for'),
  saysName: weight('it says a name'),
  saysNumber: weight('it says a number'),
  question: weight('it ends by asking'),
  answer: weight("the one before it asks, and has the question's words"),
  date: weight('how near it was made to the days the question speaks of'),
}

export const POLICY_SCHEMA: SchemaOf<Omit<Policy, 'name'>> = {
  importance: {
    outcome: term('how telling the outcome is'),
    reuse: term('how often it came back or was used'),
    crossImpact: term('in how many other sessions its files or error turn up'),
    novelty: term('how unlike what is known already'),
    userSignal: term('what the person said of it'),
    costSaved: term('the time it saves who knows it'),
  },
  recall: {
    weights: {
      ...COMMON_WEIGHTS,
    },
    prompted: {
      ...COMMON_WEIGHTS,
      ...PROMPT_WEIGHTS,
    },
    asked: {
      ...COMMON_WEIGHTS,
      window: weight('the same together with two neighbours before and after it in its session'),
      ...QUESTION_WEIGHTS,
    },
    boosts: {
      sameTask: boost('same prompt, or same non-default branch (003)'),
      recentFailure: boost('a failure of the last hours (003)'),
      successPattern: boost('a lesson whose fix is known (003)'),
    },
    recencyHalfLifeDays: number('days after which recency is one half', 'days', 1, 365),
    recentFailureHours: number('how long a failure counts as recent', 'hours', 1, 720),
    candidatesMax: count('memories ranked in one recall (000)', 'memories', 10, 500),
    moments: { start: moment, prompt: moment, call: moment, failure: moment, agent: moment, ask: moment },
    withholdShare: number(
      'recalls ranked, logged and not shown, so that the effect of showing is measured',
      'share',
      0,
      0.5,
    ),
  },
  strength: {
    initial: number('of a new memory', 'strength', 0.5, 1.5),
    initialEducation: number('of one that was only read', 'strength', 0.3, 0.8),
    incrementOnUse: number('gained by one use', 'strength', 0.05, 0.2),
    perspectiveIncrement: number('gained by one use under a perspective, for that perspective', 'strength', 0.1, 0.25),
    archiveAt: number('archived at or below', 'strength', 0.05, 0.2),
    reactivated: number('of an archived memory that came back', 'strength', 0.3, 0.7),
    impactRatio: number('what of an impact becomes strength', 'share', 0.1, 0.3),
    impact: {
      userPositive: number('the person was content with it', 'impact', 1, 3),
      taskSuccess: number('a task went well with it', 'impact', 1, 2),
      preventedError: number('an error did not come back', 'impact', 1, 3),
    },
    levelUses: listOf(count('uses from which each consolidation level begins, rising from 0', 'uses', 0, 10000)),
    dailyRetention: listOf(number('what each level keeps of strength a day', 'share', 0.5, 1)),
    tasksPerDay: number('the rate a task is the daily one ^ (1 / this)', 'tasks', 5, 50),
  },
  tiers: {
    hotDays: number('a memory is hot to this age', 'days', 1, 90),
    warmDays: number('and warm to this one, then cold', 'days', 2, 365),
    keepWholeFrom: number('experiences of this importance stay whole in the warm tier', 'importance', 0, 1),
    experiencesMax: count('active experiences at most; the weakest beyond are archived', 'memories', 1000, 10000),
  },
  improve: {
    contribution: {
      success: term('success rate up'),
      time: term('time shortened'),
      calls: term('fewer tool calls'),
      errors: term('errors avoided'),
    },
    unusedCost: number('what showing a memory that was not used costs', 'contribution', 0, 0.5),
    rate: number('how far one update goes towards the evidence', 'share', 0.01, 0.5),
    stepMax: number('greatest change of a number in one update, of its range', 'share', 0.01, 0.2),
    evidenceMin: count('judged recalls before anything moves', 'recalls', 5, 200),
    guardWindow: count('judged recalls the guard looks back on', 'recalls', 20, 2000),
    guardSigmas: number("standard errors of the guard's lower bound (1.64: one-sided 95 %)", 'standard errors', 1, 4),
    excludeBelow: number('what is surely used less often is told no more for some time; 0: never', 'share', 0, 0.5),
    excludeDays: count('days until it is tried again, twice as many each time that fails', 'days', 1, 365),
  },
  privacy: {
    releaseDays: {
      privateToAgentOnly: release('private opens to agents of the same role'),
      agentOnlyToPublic: release('and that to every agent'),
    },
  },
}

/** The comments above the sections of a policy file. */
export const POLICY_SECTIONS: Readonly<Record<string, string>> = {
  importance: 'Importance: how much a memory is worth keeping (003). Weights of its six terms, which add up to 1.',
  recall: 'Recall: what is said, and when silence is better.',
  'recall.weights': 'Ranking at work: score = sum of weight × feature, features being 0 to 1.',
  'recall.prompted': 'The same at a prompt, and what only prompts are ranked by: the work of a memory’s session.',
  'recall.asked': 'The same where a question is asked in words, and what only questions are ranked by.',
  'recall.boosts': 'Boosts (003), each there or not.',
  'recall.moments':
    'What each moment may say: session start, prompt, tool call, failure, subagent start, somebody asking.',
  strength: 'Strength: how well a memory is consolidated by use (000).',
  tiers: 'Tiers (003): hot, warm, cold.',
  improve: 'Improving: what helped, and how fast the numbers above may move.',
  'improve.contribution': 'Contribution: weights of its four parts (003).',
  privacy: 'Privacy: released in time, private → agent-only → public (003).',
}

export const isNumberSpec = (spec: unknown): spec is NumberSpec =>
  typeof spec === 'object' && spec !== null && 'min' in spec
export const isNameListSpec = (spec: unknown): spec is NameListSpec =>
  typeof spec === 'object' && spec !== null && 'names' in spec

/** The schema at a dotted path, which may end in a list position: a number, a list of names, a section, or nothing. */
export function findPolicySpec(path: string): unknown {
  let at: unknown = POLICY_SCHEMA
  for (const name of path.split('.')) {
    if (isNumberSpec(at) && /^\d+$/.test(name)) return at
    at =
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string, unknown>)[name]
        : undefined
  }
  return at
}

/** The schema of the number at a path; undefined if there is none. */
export function findNumberSpec(path: string): NumberSpec | undefined {
  const spec = findPolicySpec(path)
  return isNumberSpec(spec) ? spec : undefined
}

/** A range as text: `1 to 50, whole`. */
export const formatRange = ({ min, max, whole, never }: NumberSpec): string =>
  `${min} to ${max}${whole ? ', whole' : ''}${never ? ', or never' : ''}`

/** Whether a value is a number in its range, or null where `never` is allowed. */
export const isValidNumber = (value: unknown, { min, max, whole, never }: NumberSpec): boolean =>
  value === null
    ? never === true
    : typeof value === 'number' && value >= min && value <= max && (whole !== true || Number.isInteger(value))
