// System events: what memctl logs itself when it maintains, and when users and tools change policy and memories.

import type { EventId, MemoryId } from './id.ts'
import type { ImportMark, Memory, MemoryChange } from './memory.ts'
import type { PolicyPatch } from './policy.ts'
import type { Privacy } from './privacy.ts'
import type { ExclusionRule } from './recallQuery.ts'
import type { ImpactKind, StrengthChange } from './strength.ts'
import type { TeamEventBody } from './teamEvent.ts'

export type SystemEventBody =
  | TeamEventBody
  | { readonly kind: 'session.improved' }
  /** `releases` is absent in early stores, where privacy releases were not logged: there this event implies them. */
  | { readonly kind: 'session.organized'; readonly releases?: 'told' }
  /**
   * The optional model has read the session up to an event; a `memory.batch` before it has the memories it proposed.
   * So a rebuild asks no model.
   */
  | {
      readonly kind: 'session.distilled'
      /** claude, anthropic or openai; import for an answer that a person supplied. */
      readonly by: string
      /** The model as its service names it; empty if unknown. */
      readonly model: string
      readonly through: EventId
      /** What was done, in one line: the first line of the session's summary from now on. */
      readonly headline?: string | undefined
      /** What is still to be done; absent if the model named nothing. */
      readonly leftOpen?: readonly string[] | undefined
      /** Open tasks of earlier sessions that this one ended, by `openTaskKey`; absent if there are none. */
      readonly closed?: readonly string[] | undefined
      /** As the service counts them, or estimated. */
      readonly tokens: { readonly input: number; readonly output: number }
      /** Proposals without support or of what was known already. */
      readonly dropped: number
    }
  | {
      readonly kind: 'policy.changed'
      readonly version: number
      readonly values: Readonly<Record<string, number>>
      /** The exclusion rules from now on; absent for none. */
      readonly exclusions?: readonly ExclusionRule[]
      readonly reason: string
      readonly evidence: Readonly<Record<string, unknown>>
      readonly by: 'improve' | 'person'
    }
  /** The user configured another policy for this project: its differences from the default policy. */
  | { readonly kind: 'policy.chosen'; readonly name: string; readonly values: PolicyPatch['values'] }
  /** The user stopped or resumed the learning of the policy. */
  | { readonly kind: 'policy.frozen'; readonly frozen: boolean }
  /**
   * A person rated single memories of a recall, which replaces their computed use. Without `by` (and with `shares`) it
   * is the feedback of an earlier version's evaluation, and does not count.
   */
  | {
      readonly kind: 'recall.judged'
      readonly recall: EventId
      readonly helped: readonly MemoryId[]
      readonly shares?: readonly number[] | undefined
      /** Memories that a person found not useful. */
      readonly unhelped?: readonly MemoryId[]
      readonly by?: 'person' | undefined
    }
  | { readonly kind: 'memory.stored'; readonly memory: Memory }
  /** The user restored these from the archive, or undid a tier transition. */
  | { readonly kind: 'memory.restored'; readonly memories: readonly MemoryId[] }
  /** Somebody says what a memory gave (agent-memory spec). It restores an archived memory. */
  | {
      readonly kind: 'memory.impact'
      readonly memory: MemoryId
      readonly impact: ImpactKind
      readonly perspective?: string | undefined
    }
  /** A decay pass (agent-memory spec: sleep phase): experiences decay by one task. */
  | { readonly kind: 'memory.slept' }
  /** A privacy release after the policy's days: one step, and when it was due. */
  | {
      readonly kind: 'memory.released'
      readonly memory: MemoryId
      readonly from: Privacy
      readonly to: Privacy
      readonly opened: string
    }
  | { readonly kind: 'memory.updated'; readonly change: MemoryChange }
  /** Several changes at once: after a crash all of them count, or none. */
  | {
      readonly kind: 'memory.batch'
      readonly stored: readonly Memory[]
      readonly changes: readonly MemoryChange[]
      readonly import?: ImportMark | undefined
    }
  | { readonly kind: 'memory.deleted'; readonly memories: readonly MemoryId[] }
  /** A tool returned the full text: counts for the frequency and recency of use. */
  | { readonly kind: 'memory.accessed'; readonly memories: readonly MemoryId[] }
  /** Somebody set the importance: it is pinned and counting does not change it. */
  | {
      readonly kind: 'memory.scored'
      readonly memory: MemoryId
      readonly score: number
      readonly previous: number
      readonly reason: string
    }
  /** Changes of strength by use, time or a caller. */
  | { readonly kind: 'memory.strengthened'; readonly changes: readonly StrengthChange[] }
  /** The totals of an agent's sleep phase (agent-memory spec); the changes themselves are earlier events. */
  | {
      readonly kind: 'agent.slept'
      readonly agent: string
      readonly decayed: number
      readonly archived: number
      readonly consolidated: number
      readonly errors: readonly string[]
    }
  /** A memory made of several; these are removed unless `preserved`. */
  | {
      readonly kind: 'memory.consolidated'
      readonly memory: Memory
      readonly from: readonly MemoryId[]
      readonly preserved: boolean
    }
