// The policy validator: checks values against the one table of numbers. For files, for effective policies, for learned values.
//
// It reports paths and no lines: whoever has a text finds the line of a path there.
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

/** How a value is printed in a fault; `path` tells where it stands. */
type FormatValue = (path: string, value: unknown) => string

/** What differs between a file that a person writes and a policy in memory. */
interface Rules {
  /** Values may be left out, and names that are not in the table are faults. */
  readonly isFile: boolean
  readonly print: FormatValue
}

const printJson: FormatValue = (_path, value) =>
  value === undefined ? 'missing' : (JSON.stringify(value) ?? String(value))

/** Every fault of an effective policy, in the order of the table. None for a policy that may be active. */
export function validatePolicy(policy: unknown): PolicyProblem[] {
  const faults = validatePart(policy, POLICY_SCHEMA, '', { isFile: false, print: printJson })
  return faults.length > 0 ? faults : findContradictions(policy as Policy)
}

/** Every fault of what a file says, as its YAML reads: without name and `extends`, with the word `never`. */
export const validateFile = (parts: unknown, print: FormatValue): PolicyProblem[] =>
  validatePart(parts, POLICY_SCHEMA, '', { isFile: true, print })

/** Every fault of values by their dotted paths: learned, imported or configured ones. */
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

/** Numbers that are each in their range and contradict one another. */
export function findContradictions({ strength, tiers, improve }: Policy): PolicyProblem[] {
  const { levelUses, dailyRetention } = strength
  const faults: PolicyProblem[] = []
  const isRising = levelUses.every((uses, i) => (i === 0 ? uses === 0 : uses > (levelUses[i - 1] ?? 0)))
  if (!isRising) {
    const what = `strength.levelUses is ${JSON.stringify(levelUses)}`
    faults.push({ path: 'strength.levelUses', what, hint: 'Begin with 0 and let each be greater than the one before' })
  }
  if (dailyRetention.length !== levelUses.length) {
    const what = `strength.dailyRetention has ${dailyRetention.length} numbers for ${levelUses.length} levels`
    faults.push({ path: 'strength.dailyRetention', what, hint: 'Give as many as in strength.levelUses' })
  }
  if (tiers.warmDays <= tiers.hotDays) {
    const what = `tiers.warmDays is ${tiers.warmDays}`
    faults.push({ path: 'tiers.warmDays', what, hint: `Use more than hotDays, ${tiers.hotDays}` })
  }
  const { success, time, calls, errors } = improve.contribution
  if (success + time + calls + errors <= 0) {
    const what = 'improve.contribution has only zeros'
    faults.push({ path: 'improve.contribution', what, hint: 'Give at least one part a weight' })
  }
  return faults
}

function validatePart(given: unknown, table: object, path: string, rules: Rules): PolicyProblem[] {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`)
  if (!isRecord(given)) {
    const names = Object.keys(table).join(', ')
    return [{ path, what: `${path || 'the policy'} is ${rules.print(path, given)}`, hint: `Give ${names} below it` }]
  }
  const unknown = rules.isFile ? Object.keys(given).filter((name) => !Object.hasOwn(table, name)) : []
  return [
    ...unknown.map((name) => ({
      path: at(name),
      what: `${at(name)} is not known`,
      hint: `There is ${Object.keys(table).join(', ')}: correct the name`,
    })),
    ...Object.entries(table).flatMap(([name, rule]: [string, unknown]) => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
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
