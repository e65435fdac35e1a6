// Policies beside one another: every value by its path, what differs, and what a number means and why it stands where it does.
import { MemoryError } from '../../model/memoryError.ts'
import { applyLearnedPolicy, applyPolicyPatch, type Policy } from '../../model/policy.ts'
import { findPolicySpec, formatRange, isNameListSpec, isNumberSpec, POLICY_SCHEMA } from '../../model/policySchema.ts'
import { readJson } from '../../store/disk/readJson.ts'
import type { Store } from '../open/openStore.ts'
import type { PolicyFile } from '../policy/activePolicy.ts'
import { DEFAULT_POLICY, readActivePolicy } from '../policy/activePolicy.ts'
import { findBuiltinPolicy, loadPolicyFile } from '../policy/policyRegistry.ts'
import type { PolicyChange } from '../projection/projection.ts'
import { readPolicyHistory } from './policyHistory.ts'

export interface PolicyDifference {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

export interface PolicyExplanation {
  readonly path: string
  readonly meaning: string
  readonly unit: string
  readonly range: string
  readonly defaultValue: unknown
  readonly configuredValue: unknown
  readonly activeValue: unknown
  /** The changes of this value, oldest first. */
  readonly changes: readonly (Pick<PolicyChange, 'version' | 'at' | 'by' | 'reason' | 'evidence'> & {
    readonly value: unknown
  })[]
}

/** What of `after` is not as in `before`, in the order of the file. */
export function listPolicyDifferences(before: Policy, after: Policy): PolicyDifference[] {
  const other = flattenPolicy(after)
  return [...flattenPolicy(before)].flatMap(([path, value]) => {
    const now = other.get(path)
    return JSON.stringify(value) === JSON.stringify(now) ? [] : [{ path, before: value, after: now }]
  })
}

/**
 * The policy of this name: `default`, `configured`, `active`, the number of a version, a built-in policy's name or a file.
 * Throws NOT_FOUND, and POLICY_INVALID for an invalid file.
 */
export function resolvePolicyName(store: Store, word: string, resolve: (file: string) => string): Policy {
  const file = fileOf(store)
  const configured = applyPolicyPatch(DEFAULT_POLICY, file?.base ?? { name: DEFAULT_POLICY.name, values: {} })
  if (word === 'default') return DEFAULT_POLICY
  if (word === 'active') return readActivePolicy(store).policy
  if (word === 'configured' || word === '0') return configured
  if (/^\d+$/.test(word)) {
    const change = readPolicyHistory(store).findLast((one) => one.version === Number(word))
    if (change) return applyLearnedPolicy(configured, change)
    throw new MemoryError('NOT_FOUND', `There is no version ${word} of the policy here`, {
      hint: '`memctl policy history` lists them.',
    })
  }
  return findBuiltinPolicy(word) ?? loadPolicyFile(store.files, resolve(word))
}

/** Every value at or below this path, explained; all of them without one. Throws NOT_FOUND for a path there is not. */
export function explainPolicy(store: Store, wanted?: string): PolicyExplanation[] {
  const file = fileOf(store)
  const configured = flattenPolicy(
    applyPolicyPatch(DEFAULT_POLICY, file?.base ?? { name: DEFAULT_POLICY.name, values: {} }),
  )
  const active = flattenPolicy(readActivePolicy(store).policy)
  const found = [...flattenPolicy(DEFAULT_POLICY)].filter(
    ([path]) => wanted === undefined || path === wanted || path.startsWith(`${wanted}.`) || path.endsWith(`.${wanted}`),
  )
  if (found.length === 0) {
    throw new MemoryError('NOT_FOUND', `There is no number ${wanted} in a policy`, {
      hint: '`memctl policy explain` without a name lists all of them.',
    })
  }
  const history = readPolicyHistory(store)
  return found.map(([path, defaultValue]) => {
    const about = findPolicySpec(path)
    return {
      path,
      meaning: isNumberSpec(about) || isNameListSpec(about) ? about.meaning : '',
      unit: isNumberSpec(about) ? about.unit : 'kinds of memory',
      range: isNumberSpec(about) ? formatRange(about) : isNameListSpec(about) ? about.names.join(', ') : '',
      defaultValue,
      configuredValue: configured.get(path),
      activeValue: active.get(path),
      changes: changesOf(path, history, configured.get(path)),
    }
  })
}

function changesOf(path: string, history: readonly PolicyChange[], start: unknown): PolicyExplanation['changes'] {
  let before: unknown = start
  return history.flatMap(({ version, at, by, reason, evidence, values }) => {
    const value = values[path] ?? start
    if (value === before) return []
    before = value
    return [{ version, at, by, reason, evidence, value }]
  })
}

/** Every number, list of numbers and list of names by its path, in the order of the file. */
export function flattenPolicy(policy: Policy): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>()
  const walk = (described: object, value: unknown, above: string): void => {
    for (const [name, one] of Object.entries(described) as [string, unknown][]) {
      const path = above === '' ? name : `${above}.${name}`
      const inner = (value as Readonly<Record<string, unknown>> | undefined)?.[name]
      if (isNumberSpec(one) || isNameListSpec(one)) leaves.set(path, inner ?? null)
      else walk(one as object, inner, path)
    }
  }
  walk(POLICY_SCHEMA, policy, '')
  return leaves
}

function fileOf({ files, layout }: Store): PolicyFile | undefined {
  return readJson<PolicyFile>(files, layout.policy)
}
