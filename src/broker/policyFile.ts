// What policy.json holds: the numbers as hooks read them, what of them was learned, and how it came about.
import type { LearnedPolicy, Policy } from '../model/policy.ts'
import type { PolicyBase } from '../model/policyBase.ts'
import type { PolicyChange } from './view.ts'

export interface PolicyFile {
  readonly name: string
  /** Absent in the first stores: the shipped one. */
  readonly base?: PolicyBase
  readonly learned: LearnedPolicy
  readonly frozen?: boolean
  readonly compiled: Policy
  readonly history: readonly PolicyChange[]
}
