// Compares policies value by value, and explains a value: its meaning, range, defaults and changes.
import { MemoryError } from '../../model/memoryError.ts'
import { applyLearnedPolicy, applyPolicyPatch, DEFAULT_POLICY_PATCH, type Policy } from '../../model/policy.ts'
import { findPolicySpec, formatRange, isNameListSpec, isNumberSpec, POLICY_SCHEMA } from '../../model/policySchema.ts'
import { readJson } from '../../store/disk/readJson.ts'
import type { Store } from '../open/openStore.ts'
import { DEFAULT_POLICY, type PolicyFile, readActivePolicy } from '../policy/activePolicy.ts'
import { findBuiltinPolicy, loadPolicyFile } from '../policy/policyRegistry.ts'
import type { PolicyChange } from '../projection/projection.ts'
import { readPolicyHistory } from './policySummary.ts'

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

/** The values that differ, in the order of the file. */
export function listPolicyDifferences(before: Policy, after: Policy): PolicyDifference[] {
  const valuesAfter = flattenPolicy(after)
  return [...flattenPolicy(before)].flatMap(([path, value]) => {
    const valueAfter = valuesAfter.get(path)
    return JSON.stringify(value) === JSON.stringify(valueAfter) ? [] : [{ path, before: value, after: valueAfter }]
  })
}

/**
 * The policy with this name: `default`, `configured`, `active`, a version number, a builtin policy or a file.
 * `resolvePath` gives the path of a file. Throws NOT_FOUND, and POLICY_INVALID for an invalid file.
 */
export function resolvePolicyName(store: Store, name: string, resolvePath: (file: string) => string): Policy {
  const configured = readConfiguredPolicy(store)
  if (name === 'default') return DEFAULT_POLICY
  if (name === 'active') return readActivePolicy(store).policy
  if (name === 'configured' || name === '0') return configured
  if (/^\d+$/.test(name)) {
    const change = readPolicyHistory(store).findLast(({ version }) => version === Number(name))
    if (change) return applyLearnedPolicy(configured, change)
    throw new MemoryError('NOT_FOUND', `The policy of this project has no version ${name}`, {
      hint: 'Run `memctl policy history` to list the versions.',
    })
  }
  return findBuiltinPolicy(name) ?? loadPolicyFile(store.files, resolvePath(name))
}

/** Explains every value at or below this path or path suffix; all values without one. Throws NOT_FOUND. */
export function explainPolicy(store: Store, wanted?: string): PolicyExplanation[] {
  const configured = flattenPolicy(readConfiguredPolicy(store))
  const active = flattenPolicy(readActivePolicy(store).policy)
  const found = [...flattenPolicy(DEFAULT_POLICY)].filter(
    ([path]) => wanted === undefined || path === wanted || path.startsWith(`${wanted}.`) || path.endsWith(`.${wanted}`),
  )
  if (found.length === 0) {
    throw new MemoryError('NOT_FOUND', `A policy has no number ${wanted}`, {
      hint: 'Run `memctl policy explain` without a name to list all of them.',
    })
  }
  const history = readPolicyHistory(store)
  return found.map(([path, defaultValue]) => {
    const spec = findPolicySpec(path)
    return {
      path,
      meaning: isNumberSpec(spec) || isNameListSpec(spec) ? spec.meaning : '',
      unit: isNumberSpec(spec) ? spec.unit : 'kinds of memory',
      range: isNumberSpec(spec) ? formatRange(spec) : isNameListSpec(spec) ? spec.names.join(', ') : '',
      defaultValue,
      configuredValue: configured.get(path),
      activeValue: active.get(path),
      changes: listChanges(path, history, configured.get(path)),
    }
  })
}

function listChanges(path: string, history: readonly PolicyChange[], start: unknown): PolicyExplanation['changes'] {
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
  const walk = (specs: object, value: unknown, parent: string): void => {
    for (const [name, spec] of Object.entries(specs) as [string, unknown][]) {
      const path = parent === '' ? name : `${parent}.${name}`
      const inner = (value as Readonly<Record<string, unknown>> | undefined)?.[name]
      if (isNumberSpec(spec) || isNameListSpec(spec)) leaves.set(path, inner ?? null)
      else walk(spec as object, inner, path)
    }
  }
  walk(POLICY_SCHEMA, policy, '')
  return leaves
}

function readConfiguredPolicy({ files, layout }: Store): Policy {
  return applyPolicyPatch(DEFAULT_POLICY, readJson<PolicyFile>(files, layout.policy)?.base ?? DEFAULT_POLICY_PATCH)
}
