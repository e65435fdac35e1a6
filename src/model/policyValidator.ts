// The policy validator: checks files, active policies and learned values against the schema.
//
// It reports dotted paths; a reader of YAML adds the line.
import type { Policy } from './policy.ts'
import {
  findPolicySpec,
  formatRange,
  isNameListSpec,
  isNumberSpec,
  isValidNumber,
  type NameListSpec,
  type NumberSpec,
  POLICY_SCHEMA,
} from './policySchema.ts'

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
