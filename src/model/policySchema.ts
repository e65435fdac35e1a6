// What every number of a policy means, its unit and its range: the one source for the shipped files' comments, the schema
// editors read, the validator, and whoever moves a number. A number without an entry here does not compile.
import { MEMORY_KINDS, type MemoryKind } from './memory.ts'
import type { FeatureWeights, MomentPolicy, Policy, PromptWeights, QuestionWeights } from './policy.ts'
import { TRIGGER_RANGES, WEIGHT_RANGE } from './policyRanges.ts'

/** One number, or each number of a list. Both ends of the range are allowed. */
export interface NumberSpec {
  readonly meaning: string
  readonly unit: string
  readonly min: number
  readonly max: number
  /** Whole numbers only. */
  readonly whole?: true
  /** The word `never` may stand for it. */
  readonly never?: true
  /** It stands for a list of such numbers, at least one. */
  readonly list?: true
}

interface ListQuantity extends NumberSpec {
  readonly list: true
}

/** A list of names. */
export interface NameListSpec {
  readonly meaning: string
  readonly names: readonly string[]
}

type Described<T> = T extends number | null | undefined
  ? NumberSpec
  : T extends readonly number[]
    ? ListQuantity
    : T extends readonly MemoryKind[]
      ? NameListSpec
      : { readonly [Name in Exclude<keyof T, 'exclusions'>]-?: Described<T[Name]> }

const quantity = (meaning: string, unit: string, min: number, max: number): NumberSpec => ({ meaning, unit, min, max })
const whole = (meaning: string, unit: string, min: number, max: number): NumberSpec => ({
  ...{ meaning, unit, min, max },
  whole: true,
})
const listOf = (each: NumberSpec): ListQuantity => ({ ...each, list: true })
const weight = (meaning: string): NumberSpec => quantity(meaning, 'weight', ...WEIGHT_RANGE)
const boost = (meaning: string): NumberSpec => quantity(meaning, 'added to the score', 0, 1)
const term = (meaning: string): NumberSpec => quantity(meaning, 'weight', 0, 1)
const release = (meaning: string): NumberSpec => ({ ...quantity(meaning, 'days', 1, 3650), never: true })

const moment: Described<MomentPolicy> = {
  topK: whole('memories at most', 'memories', ...TRIGGER_RANGES.topK),
  scoreMin: quantity('least score that is worth a word', 'score', ...TRIGGER_RANGES.scoreMin),
  relevanceMin: quantity('least evidence that a memory is about the cue', 'share', ...TRIGGER_RANGES.relevanceMin),
  budgetTokens: whole('length of all it says', 'tokens', ...TRIGGER_RANGES.budgetTokens),
  kinds: { meaning: 'what it may speak of', names: MEMORY_KINDS },
}

const ABOUT_WORK: Described<FeatureWeights> = {
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

const ABOUT_PROMPTS: Described<Omit<PromptWeights, keyof FeatureWeights>> = {
  workFiles: weight("the prompt's words in the paths of the files its session edited (BM25, divided by the best)"),
  workNamed: weight('the prompt names a file its session edited'),
  workEdits: weight('how many files its session edited, logarithmic, full at 60'),
  workTogether: weight('its session edited what the eight nearest edited (divided by the best)'),
  workFocus: weight('the same as a share of all its session edited'),
}

const ABOUT_QUESTIONS: Described<Omit<QuestionWeights, keyof FeatureWeights>> = {
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

export const POLICY_SCHEMA: Described<Omit<Policy, 'name'>> = {
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
      ...ABOUT_WORK,
    },
    prompted: {
      ...ABOUT_WORK,
      ...ABOUT_PROMPTS,
    },
    asked: {
      ...ABOUT_WORK,
      window: weight('the same together with two neighbours before and after it in its session'),
      ...ABOUT_QUESTIONS,
    },
    boosts: {
      sameTask: boost('same prompt, or same non-default branch (003)'),
      recentFailure: boost('a failure of the last hours (003)'),
      successPattern: boost('a lesson whose fix is known (003)'),
    },
    recencyHalfLifeDays: quantity('days after which recency is one half', 'days', 1, 365),
    recentFailureHours: quantity('how long a failure counts as recent', 'hours', 1, 720),
    candidatesMax: whole('memories ranked in one recall (000)', 'memories', 10, 500),
    moments: { start: moment, prompt: moment, call: moment, failure: moment, agent: moment, ask: moment },
    withholdShare: quantity(
      'recalls ranked, logged and not shown, so that the effect of showing is measured',
      'share',
      0,
      0.5,
    ),
  },
  strength: {
    initial: quantity('of a new memory', 'strength', 0.5, 1.5),
    initialEducation: quantity('of one that was only read', 'strength', 0.3, 0.8),
    incrementOnUse: quantity('gained by one use', 'strength', 0.05, 0.2),
    perspectiveIncrement: quantity(
      'gained by one use under a perspective, for that perspective',
      'strength',
      0.1,
      0.25,
    ),
    archiveAt: quantity('archived at or below', 'strength', 0.05, 0.2),
    reactivated: quantity('of an archived memory that came back', 'strength', 0.3, 0.7),
    impactRatio: quantity('what of an impact becomes strength', 'share', 0.1, 0.3),
    impact: {
      userPositive: quantity('the person was content with it', 'impact', 1, 3),
      taskSuccess: quantity('a task went well with it', 'impact', 1, 2),
      preventedError: quantity('an error did not come back', 'impact', 1, 3),
    },
    levelUses: listOf(whole('uses from which each consolidation level begins, rising from 0', 'uses', 0, 10000)),
    dailyRetention: listOf(quantity('what each level keeps of strength a day', 'share', 0.5, 1)),
    tasksPerDay: quantity('the rate a task is the daily one ^ (1 / this)', 'tasks', 5, 50),
  },
  tiers: {
    hotDays: quantity('a memory is hot to this age', 'days', 1, 90),
    warmDays: quantity('and warm to this one, then cold', 'days', 2, 365),
    keepWholeFrom: quantity('experiences of this importance stay whole in the warm tier', 'importance', 0, 1),
    experiencesMax: whole('active experiences at most; the weakest beyond are archived', 'memories', 1000, 10000),
  },
  improve: {
    contribution: {
      success: term('success rate up'),
      time: term('time shortened'),
      calls: term('fewer tool calls'),
      errors: term('errors avoided'),
    },
    unusedCost: quantity('what showing a memory that was not used costs', 'contribution', 0, 0.5),
    rate: quantity('how far one update goes towards the evidence', 'share', 0.01, 0.5),
    stepMax: quantity('greatest change of a number in one update, of its range', 'share', 0.01, 0.2),
    evidenceMin: whole('judged recalls before anything moves', 'recalls', 5, 200),
    guardWindow: whole('judged recalls the guard looks back on', 'recalls', 20, 2000),
    guardSigmas: quantity("standard errors of the guard's lower bound (1.64: one-sided 95 %)", 'standard errors', 1, 4),
    excludeBelow: quantity('what is surely used less often is told no more for some time; 0: never', 'share', 0, 0.5),
    excludeDays: whole('days until it is tried again, twice as many each time that fails', 'days', 1, 365),
  },
  privacy: {
    releaseDays: {
      privateToAgentOnly: release('private opens to agents of the same role'),
      agentOnlyToPublic: release('and that to every agent'),
    },
  },
}

/** What stands above a part of the file. */
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

export const isNumberSpec = (one: unknown): one is NumberSpec => typeof one === 'object' && one !== null && 'min' in one
export const isNameListSpec = (one: unknown): one is NameListSpec =>
  typeof one === 'object' && one !== null && 'names' in one

/** What is described at a dotted path, a position in a list left out: a number, a list of names, a part of the file, or nothing. */
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

/** The quantity at a path; undefined where no number stands there. */
export function findNumberSpec(path: string): NumberSpec | undefined {
  const found = findPolicySpec(path)
  return isNumberSpec(found) ? found : undefined
}

/** A range in words, for comments, errors and explanations. */
export const formatRange = ({ min, max, whole, never }: NumberSpec): string =>
  `${min} to ${max}${whole ? ', whole' : ''}${never ? ', or never' : ''}`

/** Whether a number lies in its range. */
export const isValidNumber = (value: unknown, quantity: NumberSpec): boolean =>
  value === null
    ? quantity.never === true
    : typeof value === 'number' &&
      value >= quantity.min &&
      value <= quantity.max &&
      (quantity.whole !== true || Number.isInteger(value))
