// What policy.json holds: the numbers as hooks read them, and what of them was learned. How it came about is history.ts's to tell.
import type { LearnedPolicy, Policy } from '../../model/policy.ts'
import type { PolicyPatch } from '../../model/policyPatch.ts'

export interface PolicyFile {
  readonly name: string
  /** Absent in the first stores: the shipped one. */
  readonly base?: PolicyPatch
  readonly learned: LearnedPolicy
  readonly frozen?: boolean
  readonly compiled: Policy
}
