// The policy schema: the range of every number, and which values are stricter. Meaning and unit are in the comments of
// policies/default.yaml. A number without an entry here does not compile.
import { MEMORY_KINDS, type MemoryKind } from './memory.ts'
import {
  applyPolicyPatch,
  diffPolicy,
  MOMENT_RANGES,
  type MomentPolicy,
  type Policy,
  type PolicyPatch,
  policyValue,
} from './policy.ts'
import { RANKING_FORMULAS, type RankingFormula } from './rankingScore.ts'
import { isObject } from './unknownJson.ts'

/** One number, or each number of a list. The range includes both ends. */
export interface NumberSpec {
  readonly min: number
  readonly max: number
  /** Whole numbers only. */
  readonly whole?: true
  /** The word `never` is allowed. */
  readonly never?: true
  /** A list of such numbers, at least one. */
  readonly list?: true
  /**
   * Which value is stricter: less is shown, more evidence is needed, nothing is released earlier. A number without it
   * only orders or keeps memories.
   */
  readonly stricter?: 'lower' | 'higher' | 'later'
}

type NumberListSpec = NumberSpec & { readonly list: true }

/** One of these names, or a list of them. A shorter list is stricter. */
export type NameSpec = Readonly<{ names: readonly string[]; list?: true }>

/** The schema of a part of the policy: the same shape, with a spec in the place of each value. */
type SchemaOf<T> = T extends number | null | undefined
  ? NumberSpec
  : T extends RankingFormula
    ? NameSpec
    : T extends readonly number[]
      ? NumberListSpec
      : T extends readonly MemoryKind[]
        ? NameSpec & { readonly list: true }
        : {
            readonly [Name in Exclude<keyof T, 'exclusions' | 'configuredScoreMin' | 'learnedTopK'>]-?: SchemaOf<
              T[Name]
            >
          }

const number = (min: number, max: number): NumberSpec => ({ min, max })
const count = (min: number, max: number): NumberSpec => ({ min, max, whole: true })
const listOf = (each: NumberSpec): NumberListSpec => ({ ...each, list: true })
const lower = (spec: NumberSpec): NumberSpec => ({ ...spec, stricter: 'lower' })
const higher = (spec: NumberSpec): NumberSpec => ({ ...spec, stricter: 'higher' })
const release: NumberSpec = { min: 1, max: 3650, never: true, stricter: 'later' }
const kinds: NameSpec & { readonly list: true } = { names: MEMORY_KINDS, list: true }
const moment: SchemaOf<MomentPolicy> = {
  topK: lower(count(...MOMENT_RANGES.topK)),
  scoreMin: higher(number(...MOMENT_RANGES.scoreMin)),
  relevanceMin: higher(number(...MOMENT_RANGES.relevanceMin)),
  budgetTokens: lower(count(...MOMENT_RANGES.budgetTokens)),
  kinds,
}

export const POLICY_SCHEMA: SchemaOf<Omit<Policy, 'name'>> = {
  recall: {
    formula: { names: RANKING_FORMULAS },
    candidatesMax: count(10, 500),
    moments: { start: moment, prompt: moment, call: moment, failure: moment, agent: moment, ask: moment },
    withholdShare: number(0, 0.5),
    roleLessonsMax: lower(count(0, 10)),
    summaryDays: lower(number(0, 90)),
  },
  knowledge: {
    startTokens: lower(count(0, 600)),
    personTokens: lower(count(0, 600)),
    startWorthMin: higher(number(0, 10)),
    noteMax: lower(count(0, 8)),
    retireAfter: count(1, 10),
    firingShareMax: lower(number(0, 1)),
    firingFailMin: higher(number(0, 1)),
  },
  expansion: { weight: number(0, 1) },
  strength: {
    initial: number(0.5, 1.5),
    initialEducation: number(0.3, 0.8),
    incrementOnUse: number(0.05, 0.2),
    perspectiveIncrement: number(0.1, 0.25),
    archiveAt: number(0.05, 0.2),
    reactivated: number(0.3, 0.7),
    impactRatio: number(0.1, 0.3),
    impact: { userPositive: number(1, 3), taskSuccess: number(1, 2), preventedError: number(1, 3) },
    levelUses: listOf(count(0, 10000)),
    dailyRetention: listOf(number(0.5, 1)),
    tasksPerDay: number(5, 50),
  },
  tiers: { hotDays: number(1, 90), warmDays: number(2, 365), experiencesMax: count(1000, 10000) },
  improve: { excludeBelow: number(0, 1) },
  privacy: { releaseDays: { privateToAgentOnly: release, agentOnlyToPublic: release } },
  team: { kinds, shareAgentOnly: lower(count(0, 1)), sharePersonal: lower(count(0, 1)) },
}

export const isNumberSpec = (spec: unknown): spec is NumberSpec => isObject(spec) && 'min' in spec
export const isNameSpec = (spec: unknown): spec is NameSpec => isObject(spec) && 'names' in spec

/** The schema at a dotted path, which may end in a list position: a number, names, a section, or nothing. */
export function findPolicySpec(path: string): unknown {
  let at: unknown = POLICY_SCHEMA
  for (const name of path.split('.')) {
    if (isNumberSpec(at) && /^\d+$/.test(name)) return at
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return at
}

/** A range as text: `1 to 50, whole`. */
const formatRange = ({ min, max, whole, never }: NumberSpec): string =>
  `${min} to ${max}${whole ? ', whole' : ''}${never ? ', or never' : ''}`

/** Whether a value is a number in its range, or null where `never` is allowed. */
const isValidNumber = (value: unknown, { min, max, whole, never }: NumberSpec): boolean =>
  value === null
    ? never === true
    : typeof value === 'number' && value >= min && value <= max && (whole !== true || Number.isInteger(value))

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
    if (isNameSpec(rule)) return validateNames(path, value, rule, rules)
    if (!isNumberSpec(rule)) return [{ path, what: `${path} is not a number of a policy`, hint: 'Leave it out' }]
    const isInList = /\.\d+$/.test(path)
    return rule.list && !isInList ? validateList(path, value, rule, rules) : validateNumber(path, value, rule, rules)
  })
}

/** The problems of numbers that are in their ranges but contradict each other. */
export function findContradictions({ strength, tiers }: Policy): PolicyProblem[] {
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
  return problems
}

function validatePart(part: unknown, schema: object, path: string, rules: Rules): PolicyProblem[] {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`)
  if (!isObject(part)) {
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
      if (isNameSpec(rule)) return validateNames(at(name), value, rule, rules)
      if (!isNumberSpec(rule)) return validatePart(value, rule as object, at(name), rules)
      return rule.list ? validateList(at(name), value, rule, rules) : validateNumber(at(name), value, rule, rules)
    }),
  ]
}

function validateNames(path: string, value: unknown, { names, list }: NameSpec, { print }: Rules): PolicyProblem[] {
  const isName = (name: unknown): boolean => names.includes(name as string)
  if (list ? Array.isArray(value) && value.every(isName) : isName(value)) return []
  const hint = `Use ${list ? 'a list' : 'one'} of ${names.join(', ')}`
  return [{ path, what: `${path} is ${print(path, value)}`, hint }]
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

/**
 * The person's policy with the stricter values of another one: a repository may make it stricter and nothing else.
 * `base` is what the other one differs from. `ignored`: values that are less strict, or that no strictness applies to.
 */
export function tightenPolicy(person: Policy, other: Policy, base: Policy) {
  const patch = diffPolicy(other, base)
  const taken: Record<string, PolicyPatch['values'][string]> = {}
  for (const [path, value] of Object.entries(patch.values)) {
    const stricter = stricterValue(findPolicySpec(path), policyValue(person, path), value)
    if (stricter !== undefined) taken[path] = stricter
  }
  const name = person.name === base.name && Object.keys(taken).length > 0 ? other.name : person.name
  return {
    policy: applyPolicyPatch(person, { name, values: taken }),
    taken,
    ignored: Object.keys(patch.values).filter((path) => !(path in taken)),
  }
}

/** The stricter value; undefined if it is the person's own. */
function stricterValue(
  spec: unknown,
  own: unknown,
  other: PolicyPatch['values'][string],
): PolicyPatch['values'][string] | undefined {
  if (isNameSpec(spec)) {
    if (!Array.isArray(own) || !Array.isArray(other)) return undefined
    const common = (own as string[]).filter((kind) => (other as readonly unknown[]).includes(kind))
    return common.length < own.length ? common : undefined
  }
  const stricter = isNumberSpec(spec) ? spec.stricter : undefined
  if (stricter === 'later') {
    if (own === null) return undefined
    return other === null || Number(other) > Number(own) ? other : undefined
  }
  if (stricter === undefined || typeof own !== 'number' || typeof other !== 'number') return undefined
  return (stricter === 'lower' ? other < own : other > own) ? other : undefined
}
