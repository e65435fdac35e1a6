// A look at the policy: every number as shipped and as it serves, how it changed, and how much evidence there is.
import type { Exclusion } from '../../model/exclusion.ts'
import type { Policy } from '../../model/policy.ts'
import { readJson } from '../../store/jsonRead.ts'
import { readManifest } from '../../store/shelf.ts'
import type { Store } from '../store.ts'
import type { PolicyChange, View } from '../view/view.ts'
import type { PolicyFile } from './file.ts'
import { policyHistory } from './history.ts'
import { SHIPPED } from './served.ts'

export interface PolicyNumber {
  /** Dotted, for instance `recall.weights.words`. */
  readonly path: string
  readonly shipped: number
  readonly serving: number
  /** serving − shipped */
  readonly difference: number
}

export interface PolicyLook {
  /** The policy chosen, which learning starts from. */
  readonly name: string
  /** 0 is the shipped one. */
  readonly version: number
  /** A person has stopped learning from moving anything. */
  readonly frozen: boolean
  readonly numbers: readonly PolicyNumber[]
  /** What was learned not to tell, with its evidence; also those whose time is over and whose trial is not. */
  readonly exclusions: readonly Exclusion[]
  /** Oldest first. */
  readonly history: readonly PolicyChange[]
  /** Recalls whose outcome is known, and how many there must be before anything may move. */
  readonly judged: number
  readonly evidenceMin: number
}

/** Throws STORE_INVALID where policy.json or what is carried beside it is damaged: the shipped policy serves then, and this is where one learns of it. */
export function policyLook(store: Store): PolicyLook {
  const file = readJson<PolicyFile>(store.files, store.layout.policy)
  const { generation } = readManifest(store.files, store.layout)
  const work = readJson<Pick<View, 'judged'>>(store.files, store.layout.work(generation))
  const serving = numbersIn(file?.compiled ?? SHIPPED)
  const shipped = numbersIn(SHIPPED)
  return {
    name: file?.base?.name ?? SHIPPED.name,
    version: file?.learned.version ?? 0,
    frozen: file?.frozen ?? false,
    numbers: [...shipped].map(([path, value]) => {
      const served = serving.get(path) ?? value
      return { path, shipped: value, serving: served, difference: Math.round((served - value) * 1e6) / 1e6 }
    }),
    exclusions: file?.learned.exclusions ?? [],
    history: policyHistory(store),
    judged: work?.judged.length ?? 0,
    evidenceMin: (file?.compiled ?? SHIPPED).improve.evidenceMin,
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
