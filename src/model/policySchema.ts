// The policy schema: the meaning, unit and range of every number. Source of the comments in policies/*.yaml, the JSON
// schema for editors, the validator and the learning steps. A number without an entry here does not compile.
import { MEMORY_KINDS, type MemoryKind } from './memory.ts'
import {
  type FeatureWeights,
  MOMENT_RANGES,
  type MomentPolicy,
  type Policy,
  type PromptWeights,
  type QuestionWeights,
  WEIGHT_RANGE,
} from './policy.ts'

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
interface NameListSpec {
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
      : { readonly [Name in Exclude<keyof T, 'exclusions' | 'configuredScoreMin'>]-?: SchemaOf<T[Name]> }

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
  topK: count('maximum number of memories', 'memories', ...MOMENT_RANGES.topK),
  scoreMin: number('least score of a shown memory', 'score', ...MOMENT_RANGES.scoreMin),
  relevanceMin: number('least relevance: how surely it is about the query', 'share', ...MOMENT_RANGES.relevanceMin),
  budgetTokens: count('length of all notes together', 'tokens', ...MOMENT_RANGES.budgetTokens),
  kinds: { meaning: 'kinds of memory it may show', names: MEMORY_KINDS },
}

const COMMON_WEIGHTS: SchemaOf<FeatureWeights> = {
  words: weight('words of the query in the memory (BM25, divided by the best)'),
  window: weight('the same for the memory with its neighbours in its session; only for questions'),
  session: weight('words of the query in the summary of its session'),
  files: weight('files in common (BM25 over paths and names)'),
  command: weight('the same command shape or family'),
  error: weight('the same error signature'),
  branch: weight('the same branch, if it is not a main branch'),
  importance: weight('its importance'),
  recency: weight('how recently it was created or confirmed'),
  role: weight("made by or for an agent of the viewer's role"),
  outcome: weight('success 1, failure .6, unknown .4'),
  strength: weight('its strength: min(1, strength / 2)'),
  kind: weight('lesson 1, preference, decision and entry .9, consolidated .7, summary .5, experience .3'),
  helped: weight('how much it has helped so far, -1 to 1, shrunk while there is little evidence'),
}

const PROMPT_WEIGHTS: SchemaOf<Omit<PromptWeights, keyof FeatureWeights>> = {
  workFiles: weight("the prompt's words in the paths of the files its session edited (BM25, divided by the best)"),
  workNamed: weight('the prompt names a file its session edited'),
  workEdits: weight('number of files its session edited, on a log scale, 1 at 60'),
  workTogether: weight('how much of the eight nearest sessions’ files its session edited too (divided by the best)'),
  workFocus: weight('the same as a share of all files its session edited'),
}

const QUESTION_WEIGHTS: SchemaOf<Omit<QuestionWeights, Exclude<keyof FeatureWeights, 'window'>>> = {
  window: weight('the same for the memory with two neighbours before and after it in its session'),
  wide: weight('words of the query in the memory with five neighbours before and after it'),
  before: weight('the same with two neighbours before it'),
  after: weight('the same with two neighbours after it'),
  coverage: weight("share of the question's words in the memory, weighted by rarity"),
  surroundings: weight('the same share with two neighbours before and after it'),
  speaker: weight('said by the person that the question names'),
  otherSpeaker: weight('said by another person than the named one'),
  length: weight('its length in words, on a log scale, 1 at 150'),
  saysTime: weight('it names a time, and the question asks for a time'),
  saysAsked: weight('it has what the question asks for: a name, a number, a reason or a place'),
  saysName: weight('it has a name'),
  saysNumber: weight('it has a number'),
  question: weight('it ends with a question'),
  answer: weight('the memory before it is a question with words of the query'),
  date: weight('how close its date is to the days that the question names'),
}

export const POLICY_SCHEMA: SchemaOf<Omit<Policy, 'name'>> = {
  importance: {
    outcome: term('how informative the outcome is'),
    reuse: term('how often it was repeated or used'),
    crossImpact: term('in how many other sessions its files or its error occur'),
    novelty: term('how different from known memories'),
    userSignal: term('what the person said about it'),
    costSaved: term('the time it saves'),
  },
  recall: {
    weights: COMMON_WEIGHTS,
    prompted: { ...COMMON_WEIGHTS, ...PROMPT_WEIGHTS },
    asked: { ...COMMON_WEIGHTS, ...QUESTION_WEIGHTS },
    boosts: {
      sameTask: boost('same task (issue, entry of a task list, prompt), or same branch that is not a main branch'),
      recentFailure: boost('a recent failure'),
      successPattern: boost('a lesson with a known fix'),
    },
    recencyHalfLifeDays: number('age at which recency is one half', 'days', 1, 365),
    recentFailureHours: number('age up to which a failure is recent', 'hours', 1, 720),
    candidatesMax: count('memories ranked in one recall', 'memories', 10, 500),
    moments: { start: moment, prompt: moment, call: moment, failure: moment, agent: moment, ask: moment },
    withholdShare: number('holdout: recalls ranked and logged but not shown, to measure the effect', 'share', 0, 0.5),
    roleLessonsMax: count('reports of its role that give an agent lessons at its start', 'reports', 0, 10),
    summaryDays: number('for so long a start says where work stopped', 'days', 0, 90),
  },
  knowledge: {
    startTokens: count('length of all entries at the start of a session or subagent', 'tokens', 0, 600),
    personTokens: count('of these for what the person wants, at most', 'tokens', 0, 600),
    startWorthMin: number('least worth of other entries there: calls it saves a session', 'calls', 0, 10),
    noteMax: count('entries at most beside a call, a failure or a prompt', 'entries', 0, 8),
    halfLifeDays: number('time in which an entry that is not met any more loses half of its worth', 'days', 1, 365),
    retireAfter: count(
      'sessions in a row that refute an entry, for each that met it, before it retires',
      'sessions',
      1,
      10,
    ),
    firingShareMax: number('share of the calls at which a trigger may fire', 'share', 0, 1),
    firingFailMin: number('least share of these that failed or broke the rule', 'share', 0, 1),
  },
  silence: {
    shortPromptChars: count('up to it a prompt is too short, unless it names a file or code', 'characters', 0, 200),
    promptWordsMin: count('with fewer words that say what it is about a prompt is too short', 'words', 0, 8),
    samePromptShare: number('share of words in common that makes a prompt the same as an earlier one', 'share', 0.5, 1),
    callScoreMin: number('least score of a note before a call that is no lesson about its command', 'score', -1, 3),
    sessionNotesMax: count('notes from one earlier session at once, without what the person said', 'notes', 1, 8),
    startPatience: count('showings without use before lessons of a report are no more shown', 'showings', 1, 50),
  },
  expansion: {
    weight: number('score of a word of the same meaning, relative to the word itself; 0 turns it off', 'share', 0, 1),
    lexicon: number('weight of the words of the developer lexicon', 'weight', 0, 1),
  },
  strength: {
    initial: number('strength of a new memory', 'strength', 0.5, 1.5),
    initialEducation: number('strength of a new memory that was only read', 'strength', 0.3, 0.8),
    incrementOnUse: number('gained by one use', 'strength', 0.05, 0.2),
    perspectiveIncrement: number('gained for a perspective by one use under it', 'strength', 0.1, 0.25),
    archiveAt: number('a memory is archived at or below this strength', 'strength', 0.05, 0.2),
    reactivated: number('least strength of a restored memory', 'strength', 0.3, 0.7),
    impactRatio: number('share of an impact that becomes strength', 'share', 0.1, 0.3),
    impact: {
      userPositive: number('the person was satisfied', 'impact', 1, 3),
      taskSuccess: number('it helped a task to succeed', 'impact', 1, 2),
      preventedError: number('it prevented an error', 'impact', 1, 3),
    },
    levelUses: listOf(count('uses at which each consolidation level begins, ascending from 0', 'uses', 0, 10000)),
    dailyRetention: listOf(number('share of strength that each level retains per day', 'share', 0.5, 1)),
    tasksPerDay: number('tasks per day; the decay of one task is daily ^ (1 / this)', 'tasks', 5, 50),
  },
  tiers: {
    hotDays: number('a memory is hot up to this age', 'days', 1, 90),
    warmDays: number('warm up to this age, then cold', 'days', 2, 365),
    keepWholeFrom: number('experiences from this importance on stay active when warm', 'importance', 0, 1),
    experiencesMax: count('active experiences at most; the weakest above are archived', 'memories', 1000, 10000),
  },
  improve: {
    contribution: {
      success: term('the task succeeded'),
      time: term('less time'),
      calls: term('fewer tool calls'),
      errors: term('errors avoided'),
    },
    unusedCost: number('cost of showing a memory that was not used', 'contribution', 0, 0.5),
    notesMin: count('different notes that a learned least score must leave out', 'notes', 12, 200),
    guardWindow: count('judged recalls that learning uses, the latest ones', 'recalls', 20, 2000),
    guardSigmas: number('standard errors of the lower bound that must be above 0', 'standard errors', 1, 4),
    excludeBelow: number('share of the usual use below which a note is excluded; 0: never', 'share', 0, 1),
    excludeSessions: count('sessions that showed a note at a moment before it is excluded there', 'sessions', 3, 50),
    excludeDays: count('days until an excluded note is tried again, doubled each time it fails', 'days', 1, 365),
  },
  privacy: {
    releaseDays: {
      privateToAgentOnly: release('after this, private becomes visible to agents of the same role'),
      agentOnlyToPublic: release('after this, agent-only becomes visible to every agent'),
    },
  },
  team: {
    kinds: { meaning: 'kinds of memory that are shared', names: MEMORY_KINDS },
    shareAgentOnly: count('1: memories for agents of one role too, for agents of that role; 0: not', 'choice', 0, 1),
    sharePersonal: count('1: one person has all machines: also what they said about every project', 'choice', 0, 1),
  },
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

/** A range as text: `1 to 50, whole`. */
export const formatRange = ({ min, max, whole, never }: NumberSpec): string =>
  `${min} to ${max}${whole ? ', whole' : ''}${never ? ', or never' : ''}`

/** Whether a value is a number in its range, or null where `never` is allowed. */
const isValidNumber = (value: unknown, { min, max, whole, never }: NumberSpec): boolean =>
  value === null
    ? never === true
    : typeof value === 'number' && value >= min && value <= max && (whole !== true || Number.isInteger(value))

// The sections of a policy: what each part of the numbers is for.

/** The comments above the sections of a policy file. */
export const POLICY_SECTIONS: Readonly<Record<string, string>> = {
  importance: 'Importance: how much a memory is worth keeping. Weights of its six terms, which add up to 1.',
  recall: 'Recall: what is shown, and when nothing is shown.',
  'recall.weights': 'Ranking at work: score = sum of weight × feature; features are 0 to 1.',
  'recall.prompted': 'Ranking at a prompt: the same features, and the work of a memory’s session.',
  'recall.asked': 'Ranking for a question in words: the same features, and those that only questions have.',
  'recall.boosts': 'Boosts: added if they apply.',
  'recall.moments':
    'What each moment may show: session start, prompt, tool call, failure, subagent start, request (ask).',
  knowledge: 'Knowledge: which entries are shown unasked, and when one retires.',
  silence: 'Silence: when nothing is injected, or less.',
  expansion: 'Expansion: what a query finds beside the words it says.',
  strength: 'Strength: how well a memory is consolidated by use.',
  tiers: 'Tiers: hot, warm, cold.',
  improve: 'Improve: what is learned, and on which evidence.',
  'improve.contribution': 'Contribution: weights of its four parts.',
  privacy: 'Privacy: timed release, private → agent-only → public.',
  team: 'Team: what the machines of a team share through a hub, if one is configured.',
}

// The policy validator: checks files, active policies and learned values against the schema.
//
// It reports dotted paths; a reader of YAML adds the line.

export interface PolicyProblem {
  /** Dotted. */
  readonly path: string
  /** What is wrong, without a full stop: `recall.withholdShare is 3`. */
  readonly what: string
  /** What to do about it, without a full stop. */
  readonly hint: string
}

/** Formats a value for a problem's text. */
type FormatValue = (path: string, value: unknown) => string

/** What differs between a policy file and a policy in memory. */
interface Rules {
  /** Values may be absent, and names that are not in the schema are problems. */
  readonly isFile: boolean
  readonly print: FormatValue
}

const printJson: FormatValue = (_path, value) =>
  value === undefined ? 'missing' : (JSON.stringify(value) ?? String(value))

/** The problems of a complete policy, in the order of the schema; none for a policy that may be active. */
export function validatePolicy(policy: unknown): PolicyProblem[] {
  const problems = validatePart(policy, POLICY_SCHEMA, '', { isFile: false, print: printJson })
  return problems.length > 0 ? problems : findContradictions(policy as Policy)
}

/** The problems of a file's values, without its name and `extends`. `never` is a word there. */
export const validateFile = (parts: unknown, print: FormatValue): PolicyProblem[] =>
  validatePart(parts, POLICY_SCHEMA, '', { isFile: true, print })

/** The problems of values by dotted path: learned, imported or configured ones. */
export function validateValues(values: Readonly<Record<string, unknown>>): PolicyProblem[] {
  const rules: Rules = { isFile: false, print: printJson }
  return Object.entries(values).flatMap(([path, value]) => {
    const rule = findPolicySpec(path)
    if (isNameListSpec(rule)) return validateNames(path, value, rule, rules)
    if (!isNumberSpec(rule)) return [{ path, what: `${path} is not a number of a policy`, hint: 'Leave it out' }]
    const isInList = /\.\d+$/.test(path)
    return rule.list && !isInList ? validateList(path, value, rule, rules) : validateNumber(path, value, rule, rules)
  })
}

/** The problems of numbers that are in their ranges but contradict each other. */
export function findContradictions({ strength, tiers, improve }: Policy): PolicyProblem[] {
  const { levelUses, dailyRetention } = strength
  const problems: PolicyProblem[] = []
  const isRising = levelUses.every((uses, i) => (i === 0 ? uses === 0 : uses > (levelUses[i - 1] ?? 0)))
  if (!isRising) {
    const what = `strength.levelUses is ${JSON.stringify(levelUses)}`
    problems.push({
      path: 'strength.levelUses',
      what,
      hint: 'Begin with 0 and let each be greater than the one before',
    })
  }
  if (dailyRetention.length !== levelUses.length) {
    const what = `strength.dailyRetention has ${dailyRetention.length} numbers for ${levelUses.length} levels`
    problems.push({ path: 'strength.dailyRetention', what, hint: 'Give as many as in strength.levelUses' })
  }
  if (tiers.warmDays <= tiers.hotDays) {
    const what = `tiers.warmDays is ${tiers.warmDays}`
    problems.push({ path: 'tiers.warmDays', what, hint: `Use more than hotDays, ${tiers.hotDays}` })
  }
  const { success, time, calls, errors } = improve.contribution
  if (success + time + calls + errors <= 0) {
    const what = 'improve.contribution has only zeros'
    problems.push({ path: 'improve.contribution', what, hint: 'Give at least one part a weight' })
  }
  return problems
}

function validatePart(part: unknown, schema: object, path: string, rules: Rules): PolicyProblem[] {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`)
  if (!isRecord(part)) {
    const names = Object.keys(schema).join(', ')
    return [{ path, what: `${path || 'the policy'} is ${rules.print(path, part)}`, hint: `Give ${names} below it` }]
  }
  const unknown = rules.isFile ? Object.keys(part).filter((name) => !Object.hasOwn(schema, name)) : []
  return [
    ...unknown.map((name) => ({
      path: at(name),
      what: `${at(name)} is not known`,
      hint: `There is ${Object.keys(schema).join(', ')}: correct the name`,
    })),
    ...Object.entries(schema).flatMap(([name, rule]: [string, unknown]) => {
      const value = Object.hasOwn(part, name) ? part[name] : undefined
      if (value === undefined && rules.isFile) return []
      if (isNameListSpec(rule)) return validateNames(at(name), value, rule, rules)
      if (!isNumberSpec(rule)) return validatePart(value, rule as object, at(name), rules)
      return rule.list ? validateList(at(name), value, rule, rules) : validateNumber(at(name), value, rule, rules)
    }),
  ]
}

function validateNames(path: string, value: unknown, { names }: NameListSpec, { print }: Rules): PolicyProblem[] {
  const isValid = Array.isArray(value) && value.every((name) => names.includes(name as string))
  return isValid ? [] : [{ path, what: `${path} is ${print(path, value)}`, hint: `Use a list of ${names.join(', ')}` }]
}

function validateList(path: string, value: unknown, rule: NumberSpec, rules: Rules): PolicyProblem[] {
  if (!Array.isArray(value) || value.length === 0) {
    return [{ path, what: `${path} is ${rules.print(path, value)}`, hint: `${numberHint(rule)} each, in a list` }]
  }
  return value.flatMap((each, i) => validateNumber(`${path}.${i}`, each, rule, rules)).slice(0, 1)
}

function validateNumber(path: string, value: unknown, rule: NumberSpec, { isFile, print }: Rules): PolicyProblem[] {
  const isNever = rule.never === true && value === (isFile ? 'never' : null)
  // A store of an earlier version may lack a number that can be `never`.
  const isAbsent = rule.never === true && value === undefined
  if (isNever || isAbsent || (value !== null && isValidNumber(value, rule))) return []
  return [{ path, what: `${path} is ${print(path, value)}`, hint: numberHint(rule) }]
}

const numberHint = (rule: NumberSpec): string =>
  `Use ${rule.whole ? 'a whole number' : 'a number'} from ${formatRange(rule).replace(', whole', '')}`

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
