// A look at the policy: every number as shipped and as it serves, how it changed, and how much evidence there is.
import type { ExclusionRule } from '../../model/exclusion.ts'
import type { Policy } from '../../model/policy.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import type { PolicyFile } from '../policy/activePolicy.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'
import type { PolicyChange, Projection } from '../projection/projection.ts'
import { readPolicyHistory } from './policyHistory.ts'

export interface PolicyNumber {
  /** Dotted, for instance `recall.weights.words`. */
  readonly path: string
  readonly defaultValue: number
  readonly activeValue: number
  /** serving − shipped */
  readonly difference: number
}

export interface PolicySummary {
  /** The policy chosen, which learning starts from. */
  readonly name: string
  /** 0 is the shipped one. */
  readonly version: number
  /** A person has stopped learning from moving anything. */
  readonly frozen: boolean
  readonly numbers: readonly PolicyNumber[]
  /** What was learned not to tell, with its evidence; also those whose time is over and whose trial is not. */
  readonly exclusions: readonly ExclusionRule[]
  /** Oldest first. */
  readonly history: readonly PolicyChange[]
  /** Recalls whose outcome is known, and how many there must be before anything may move. */
  readonly judged: number
  readonly evidenceMin: number
}

/** Throws STORE_INVALID where policy.json or what is carried beside it is damaged: the shipped policy serves then, and this is where one learns of it. */
export function summarizePolicy(store: Store): PolicySummary {
  const file = readJson<PolicyFile>(store.files, store.layout.policy)
  const { generation } = readManifest(store.files, store.layout)
  const work = readJson<Pick<Projection, 'judged'>>(store.files, store.layout.work(generation))
  const active = numbersIn(file?.compiled ?? DEFAULT_POLICY)
  const defaults = numbersIn(DEFAULT_POLICY)
  return {
    name: file?.base?.name ?? DEFAULT_POLICY.name,
    version: file?.learned.version ?? 0,
    frozen: file?.frozen ?? false,
    numbers: [...defaults].map(([path, value]) => {
      const activeValue = active.get(path) ?? value
      return { path, defaultValue: value, activeValue, difference: Math.round((activeValue - value) * 1e6) / 1e6 }
    }),
    exclusions: file?.learned.exclusions ?? [],
    history: readPolicyHistory(store),
    judged: work?.judged.length ?? 0,
    evidenceMin: (file?.compiled ?? DEFAULT_POLICY).improve.evidenceMin,
  }
}

/** Every number of a policy by its path, lists by position, in the order of its file. */
function numbersIn(policy: Policy): ReadonlyMap<string, number> {
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
