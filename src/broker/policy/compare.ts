// Policies beside one another: every value by its path, what differs, and what a number means and why it stands where it does.
import { MemoryError } from '../../model/errors.ts'
import { type Policy, policyWith } from '../../model/policy.ts'
import { basedOn } from '../../model/policyBase.ts'
import { describedAt, isNames, isQuantity, NUMBERS, rangeText } from '../../model/policyNumbers.ts'
import { readJson } from '../../store/jsonRead.ts'
import type { Store } from '../store.ts'
import type { PolicyChange } from '../view/view.ts'
import type { PolicyFile } from './file.ts'
import { policyHistory } from './history.ts'
import { SHIPPED, servingPolicy } from './served.ts'
import { policyIn, shippedPolicy } from './shelf.ts'

export interface Difference {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

export interface Explained {
  readonly path: string
  readonly meaning: string
  readonly unit: string
  readonly range: string
  readonly shipped: unknown
  readonly chosen: unknown
  readonly serving: unknown
  /** The changes of this value, oldest first. */
  readonly changes: readonly (Pick<PolicyChange, 'version' | 'at' | 'by' | 'reason' | 'evidence'> & {
    readonly value: unknown
  })[]
}

/** What of `after` is not as in `before`, in the order of the file. */
export function differencesOf(before: Policy, after: Policy): Difference[] {
  const other = leavesOf(after)
  return [...leavesOf(before)].flatMap(([path, value]) => {
    const now = other.get(path)
    return JSON.stringify(value) === JSON.stringify(now) ? [] : [{ path, before: value, after: now }]
  })
}

/**
 * The policy somebody means: `shipped`, `chosen`, `serving`, the number of a version, a shipped policy's name or a file. Throws
 * NOT_FOUND, and POLICY_INVALID for a file with faults.
 */
export function policyMeant(store: Store, word: string, resolve: (file: string) => string): Policy {
  const file = fileOf(store)
  const chosen = basedOn(SHIPPED, file?.base ?? { name: SHIPPED.name, values: {} })
  if (word === 'shipped') return SHIPPED
  if (word === 'serving') return servingPolicy(store).policy
  if (word === 'chosen' || word === '0') return chosen
  if (/^\d+$/.test(word)) {
    const change = policyHistory(store).findLast((one) => one.version === Number(word))
    if (change) return policyWith(chosen, change)
    throw new MemoryError('NOT_FOUND', `There is no version ${word} of the policy here`, {
      mend: '`memctl policy history` names those there are.',
    })
  }
  return shippedPolicy(word) ?? policyIn(store.files, resolve(word))
}

/** Every value at or below this path, explained; all of them without one. Throws NOT_FOUND for a path there is not. */
export function explained(store: Store, wanted?: string): Explained[] {
  const file = fileOf(store)
  const chosen = leavesOf(basedOn(SHIPPED, file?.base ?? { name: SHIPPED.name, values: {} }))
  const serving = leavesOf(servingPolicy(store).policy)
  const found = [...leavesOf(SHIPPED)].filter(
    ([path]) => wanted === undefined || path === wanted || path.startsWith(`${wanted}.`) || path.endsWith(`.${wanted}`),
  )
  if (found.length === 0) {
    throw new MemoryError('NOT_FOUND', `There is no number ${wanted} in a policy`, {
      mend: '`memctl policy explain` without a name tells all of them.',
    })
  }
  const history = policyHistory(store)
  return found.map(([path, shipped]) => {
    const about = describedAt(path)
    return {
      path,
      meaning: isQuantity(about) || isNames(about) ? about.meaning : '',
      unit: isQuantity(about) ? about.unit : 'kinds of memory',
      range: isQuantity(about) ? rangeText(about) : isNames(about) ? about.names.join(', ') : '',
      ...{ shipped, chosen: chosen.get(path), serving: serving.get(path) },
      changes: changesOf(path, history, chosen.get(path)),
    }
  })
}

function changesOf(path: string, history: readonly PolicyChange[], start: unknown): Explained['changes'] {
  let before: unknown = start
  return history.flatMap(({ version, at, by, reason, evidence, values }) => {
    const value = values[path] ?? start
    if (value === before) return []
    before = value
    return [{ version, at, by, reason, evidence, value }]
  })
}

/** Every number, list of numbers and list of names by its path, in the order of the file. */
export function leavesOf(policy: Policy): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>()
  const walk = (described: object, value: unknown, above: string): void => {
    for (const [name, one] of Object.entries(described) as [string, unknown][]) {
      const path = above === '' ? name : `${above}.${name}`
      const inner = (value as Readonly<Record<string, unknown>> | undefined)?.[name]
      if (isQuantity(one) || isNames(one)) leaves.set(path, inner ?? null)
      else walk(one as object, inner, path)
    }
  }
  walk(NUMBERS, policy, '')
  return leaves
}

function fileOf({ files, layout }: Store): PolicyFile | undefined {
  return readJson<PolicyFile>(files, layout.policy)
}
