// What memctl itself tells in the log: what was improved and organised, what a person and tools do to the policy and to memories.
import type { MemoryId } from './id.ts'
import type { Memory, MemoryChange } from './memory.ts'
import type { PolicyBase } from './policyBase.ts'

export type Upkept =
  | { readonly kind: 'session.improved' }
  | { readonly kind: 'session.organized' }
  | {
      readonly kind: 'policy.changed'
      readonly version: number
      readonly values: Readonly<Record<string, number>>
      readonly reason: string
      readonly evidence: Readonly<Record<string, unknown>>
      readonly by: 'improve' | 'person'
    }
  /** A person chose another policy for this project: what it differs in from the shipped one. */
  | { readonly kind: 'policy.chosen'; readonly name: string; readonly values: PolicyBase['values'] }
  /** A person stopped learning from moving the policy, or let it go on. */
  | { readonly kind: 'policy.frozen'; readonly frozen: boolean }
  | { readonly kind: 'memory.stored'; readonly memory: Memory }
  /** A person took these back from the archive, as undoing a move does. */
  | { readonly kind: 'memory.restored'; readonly memories: readonly MemoryId[] }
  | { readonly kind: 'memory.updated'; readonly change: MemoryChange }
  /** Several at once: all of it counts, or, cut short by a crash, none. */
  | {
      readonly kind: 'memory.batch'
      readonly stored: readonly Memory[]
      readonly changes: readonly MemoryChange[]
    }
  | { readonly kind: 'memory.deleted'; readonly memories: readonly MemoryId[] }
  /** A tool gave these out whole: a use, as far as frequency and recency go. */
  | { readonly kind: 'memory.accessed'; readonly memories: readonly MemoryId[] }
  /** Somebody said what it is worth: pinned at that, whatever is counted later. */
  | {
      readonly kind: 'memory.scored'
      readonly memory: MemoryId
      readonly score: number
      readonly previous: number
      readonly reason: string
    }
  /** One made of several; those are taken out unless they are preserved. */
  | {
      readonly kind: 'memory.consolidated'
      readonly memory: Memory
      readonly from: readonly MemoryId[]
      readonly preserved: boolean
    }
