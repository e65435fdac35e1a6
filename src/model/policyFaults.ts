// What is wrong with a policy: numbers out of their range, and numbers that contradict one another.
import type { Policy } from './policy.ts'
import { describedAt, isNames, isQuantity, isWithin, NUMBERS, quantityAt, rangeText } from './policyNumbers.ts'

export interface PolicyFault {
  /** Dotted. */
  readonly path: string
  readonly what: string
  readonly mend: string
}

/** Every fault of a whole policy, in the order of its file; none for one that may serve. */
export function faultsOf(policy: unknown): PolicyFault[] {
  const faults = faultsIn(policy, NUMBERS, '')
  return faults.length > 0 ? faults : contradictionsIn(policy as Policy)
}

function faultsIn(given: unknown, described: object, above: string): PolicyFault[] {
  return Object.entries(described).flatMap(([name, one]: [string, unknown]): PolicyFault[] => {
    const path = above === '' ? name : `${above}.${name}`
    const value = isTree(given) ? given[name] : undefined
    if (isQuantity(one)) {
      const holds = Array.isArray(value)
        ? value.length > 0 && value.every((each) => isWithin(each, one))
        : isWithin(value, one)
      return holds || (one.never && value === undefined) ? [] : [outOfRange(path, value)]
    }
    if (isNames(one)) {
      const holds = Array.isArray(value) && value.every((word) => one.names.includes(word as string))
      return holds ? [] : [{ path, what: `${path} is ${told(value)}`, mend: `Use a list of ${one.names.join(', ')}` }]
    }
    return faultsIn(value, one as object, path)
  })
}

/** Numbers that are each in their range and cannot stand together. */
export function contradictionsIn(policy: Policy): PolicyFault[] {
  const { strength, tiers, improve } = policy
  const { levelUses, dailyRetention } = strength
  const faults: PolicyFault[] = []
  const unless = (holds: boolean, path: string, what: string, mend: string): void => {
    if (!holds) faults.push({ path, what: `${path} ${what}`, mend })
  }
  const rising = levelUses.every((uses, i) => (i === 0 ? uses === 0 : uses > levelUses[i - 1]!))
  unless(
    rising,
    'strength.levelUses',
    `is ${told(levelUses)}`,
    'Begin with 0 and let each be greater than the one before',
  )
  unless(
    dailyRetention.length === levelUses.length,
    'strength.dailyRetention',
    `has ${dailyRetention.length} numbers for ${levelUses.length} levels`,
    'Give as many as in strength.levelUses',
  )
  unless(
    tiers.warmDays > tiers.hotDays,
    'tiers.warmDays',
    `is ${tiers.warmDays}`,
    `Use more than hotDays, ${tiers.hotDays}`,
  )
  const parts = improve.contribution
  const total = parts.success + parts.time + parts.calls + parts.errors
  unless(total > 0, 'improve.contribution', 'has only zeros', 'Give at least one part a weight')
  return faults
}

/** Learned or chosen values that may not stand where they are to; each says what is allowed. */
export function valueFaults(values: Readonly<Record<string, unknown>>): PolicyFault[] {
  return Object.entries(values).flatMap(([path, value]) => {
    const about = describedAt(path)
    if (isNames(about)) {
      const holds = Array.isArray(value) && value.every((word) => about.names.includes(word as string))
      return holds ? [] : [{ path, what: `${path} is ${told(value)}`, mend: `Use a list of ${about.names.join(', ')}` }]
    }
    if (!isQuantity(about)) return [{ path, what: `${path} is no number of a policy`, mend: 'Leave it out' }]
    const holds = Array.isArray(value) ? value.every((each) => isWithin(each, about)) : isWithin(value, about)
    return holds ? [] : [outOfRange(path, value)]
  })
}

const outOfRange = (path: string, value: unknown): PolicyFault => ({
  path,
  what: `${path} is ${value === undefined ? 'missing' : told(value)}`,
  mend: `Allowed is ${rangeText(quantityAt(path)!)}`,
})

const told = (value: unknown): string => JSON.stringify(value) ?? String(value)

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
