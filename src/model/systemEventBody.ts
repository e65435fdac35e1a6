// What memctl itself tells in the log: what was improved and organised, what a person and tools do to the policy and to memories.
import type { ExclusionRule } from './exclusion.ts'
import type { EventId, MemoryId } from './id.ts'
import type { Memory, MemoryChange } from './memory.ts'
import type { PolicyPatch } from './policyPatch.ts'
import type { Privacy } from './privacy.ts'
import type { ImpactKind, StrengthChange } from './strength.ts'

export type SystemEventBody =
  | { readonly kind: 'session.improved' }
  /** What time opened then are events of their own; in the first stores it opened untold, and the fold still does it there. */
  | { readonly kind: 'session.organized'; readonly releases?: 'told' }
  | {
      readonly kind: 'policy.changed'
      readonly version: number
      readonly values: Readonly<Record<string, number>>
      /** What is not told for some time from here on; absent for nothing. */
      readonly exclusions?: readonly ExclusionRule[]
      readonly reason: string
      readonly evidence: Readonly<Record<string, unknown>>
      readonly by: 'improve' | 'person'
    }
  /** A person chose another policy for this project: what it differs in from the shipped one. */
  | { readonly kind: 'policy.chosen'; readonly name: string; readonly values: PolicyPatch['values'] }
  /** A person stopped learning from moving the policy, or let it go on. */
  | { readonly kind: 'policy.frozen'; readonly frozen: boolean }
  /**
   * Somebody said outright which memories of a recall helped, in place of what traces would tell; the others of it did not. `shares`
   * says how far each of them did, 0 to 1; absent where all did fully.
   */
  | {
      readonly kind: 'recall.judged'
      readonly recall: EventId
      readonly helped: readonly MemoryId[]
      readonly shares?: readonly number[] | undefined
    }
  | { readonly kind: 'memory.stored'; readonly memory: Memory }
  /** A person took these back from the archive, as undoing a move does. */
  | { readonly kind: 'memory.restored'; readonly memories: readonly MemoryId[] }
  /** Somebody says what it gave (seed 000); an archived memory comes back by it. */
  | {
      readonly kind: 'memory.impact'
      readonly memory: MemoryId
      readonly impact: ImpactKind
      readonly perspective?: string | undefined
    }
  /** A task is over, for who counts by tasks (seed 000's sleep phase): experiences grow weaker by its rate. */
  | { readonly kind: 'memory.slept' }
  /** Time has opened it to more readers, by the policy's days: one step, and the moment it was due. */
  | {
      readonly kind: 'memory.released'
      readonly memory: MemoryId
      readonly from: Privacy
      readonly to: Privacy
      readonly opened: string
    }
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
  /** Use, time or a person changed how well these are consolidated. */
  | { readonly kind: 'memory.strengthened'; readonly changes: readonly StrengthChange[] }
  /** An agent's sleep phase is over (seed 000): what it came to, for who looks; the changes themselves are events before it. */
  | {
      readonly kind: 'agent.slept'
      readonly agent: string
      readonly decayed: number
      readonly archived: number
      readonly consolidated: number
      readonly errors: readonly string[]
    }
  /** One made of several; those are taken out unless they are preserved. */
  | {
      readonly kind: 'memory.consolidated'
      readonly memory: Memory
      readonly from: readonly MemoryId[]
      readonly preserved: boolean
    }
