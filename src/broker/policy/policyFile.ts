// What policy.json holds: the numbers as hooks read them, and what of them was learned. How it came about is history.ts's to tell.
import type { LearnedPolicy, Policy, PolicyPatch } from '../../model/policy.ts'

export interface PolicyFile {
  readonly name: string
  /** Absent in the first stores: the shipped one. */
  readonly base?: PolicyPatch
  readonly learned: LearnedPolicy
  readonly frozen?: boolean
  readonly compiled: Policy
}
