// What policy.json holds: the numbers as hooks read them, what of them was learned, and how it came about.
import type { LearnedPolicy, Policy } from '../model/policy.ts'
import type { PolicyChange } from './view.ts'

export interface PolicyFile {
  readonly name: string
  readonly learned: LearnedPolicy
  readonly compiled: Policy
  readonly history: readonly PolicyChange[]
}
