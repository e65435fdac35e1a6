// Summarizes the policy: every number by default and as active, its history, and how much evidence there is.
import { applyPolicyPatch, DEFAULT_POLICY_PATCH, type Policy } from '../../model/policy.ts'
import { isNameSpec, isNumberSpec, POLICY_SCHEMA } from '../../model/policySchema.ts'
import type { ExclusionRule } from '../../model/recallQuery.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { openLiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import { DEFAULT_POLICY, type PolicyFile, readActivePolicy } from '../policy/activePolicy.ts'
import type { PolicyChange } from '../projection/projection.ts'
import type { LearnerState } from '../projection/projectionFiles.ts'

interface PolicyNumber {
  /** Dotted, for instance `recall.weights.words`. */
  readonly path: string
  readonly defaultValue: number
  readonly activeValue: number
  /** activeValue − defaultValue */
  readonly difference: number
}

/** A rule with the text of its memory; without it if the memory was deleted. */
export type DescribedExclusion = ExclusionRule & { readonly content?: string }

export interface PolicySummary {
  /** The configured policy, which learning starts from. */
  readonly name: string
  /** 0 before anything was learned or changed. */
  readonly version: number
  /** A person has stopped learning from changing the policy. */
  readonly frozen: boolean
  readonly numbers: readonly PolicyNumber[]
  /** Learned exclusions with their evidence; also expired ones that are still on trial. */
  readonly exclusions: readonly DescribedExclusion[]
  /** Oldest first. */
  readonly history: readonly PolicyChange[]
  /** Recalls with a known outcome: the evidence that is kept. */
  readonly judged: number
}

/** Throws STORE_INVALID if policy.json or the learner's state is corrupt. Hooks use the default policy then. */
export function summarizePolicy(store: Store): PolicySummary {
  const file = readJson<PolicyFile>(store.files, store.layout.policy)
  const state = readState(store)
  const active = collectNumbers(file?.compiled ?? DEFAULT_POLICY)
  const defaults = collectNumbers(DEFAULT_POLICY)
  return {
    name: file?.base?.name ?? DEFAULT_POLICY.name,
    version: file?.learned.version ?? 0,
    frozen: file?.frozen ?? false,
    numbers: [...defaults].map(([path, value]) => {
      const activeValue = active.get(path) ?? value
      return { path, defaultValue: value, activeValue, difference: Math.round((activeValue - value) * 1e6) / 1e6 }
    }),
    exclusions: describeExclusions(store, file?.learned.exclusions ?? []),
    history: state?.history ?? [],
    judged: state?.judged.length ?? 0,
  }
}

function describeExclusions(store: Store, rules: readonly ExclusionRule[]): DescribedExclusion[] {
  if (rules.length === 0) return []
  const memories = openLiveStore(store).memories()
  return rules.map((rule) => {
    const content = memories.get(rule.memory)?.content
    return content === undefined ? rule : { ...rule, content }
  })
}

/**
 * The changes that are kept, oldest first. They are in the learner's state, not in policy.json, because every hook
 * reads that: two hundred changes with their evidence would cost it milliseconds. Throws STORE_INVALID and STORE_NEWER.
 */
export const readPolicyHistory = (store: Store): readonly PolicyChange[] => readState(store)?.history ?? []

function readState({ files, layout }: Store): Pick<LearnerState, 'history' | 'judged'> | undefined {
  return readJson(files, layout.work(readManifest(files, layout).generation))
}

/** Every number of a policy by its path, lists by position, in the order of its file. */
function collectNumbers(policy: Policy): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'number') numbers.set(path, value)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) walk(inner, path === '' ? name : `${path}.${name}`)
    }
  }
  walk(policy, '')
  return numbers
}

// Compares the active policy with the configured one, value by value.

export interface PolicyDifference {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** The active numbers that differ from the configured ones, in the order of the file. */
export function listLearnedDifferences(store: Store): PolicyDifference[] {
  const configured = flattenPolicy(readConfiguredPolicy(store))
  return [...flattenPolicy(readActivePolicy(store).policy)].flatMap(([path, value]) => {
    const after = configured.get(path)
    return JSON.stringify(value) === JSON.stringify(after) ? [] : [{ path, before: value, after }]
  })
}

/** Every number, list of numbers and list of names by its path, in the order of the file. */
export function flattenPolicy(policy: Policy): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>()
  const walk = (specs: object, value: unknown, parent: string): void => {
    for (const [name, spec] of Object.entries(specs) as [string, unknown][]) {
      const path = parent === '' ? name : `${parent}.${name}`
      const inner = (value as Readonly<Record<string, unknown>> | undefined)?.[name]
      if (isNumberSpec(spec) || isNameSpec(spec)) leaves.set(path, inner ?? null)
      else walk(spec as object, inner, path)
    }
  }
  walk(POLICY_SCHEMA, policy, '')
  return leaves
}

function readConfiguredPolicy({ files, layout }: Store): Policy {
  return applyPolicyPatch(DEFAULT_POLICY, readJson<PolicyFile>(files, layout.policy)?.base ?? DEFAULT_POLICY_PATCH)
}
