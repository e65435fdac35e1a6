// The events of a team: what this store has shared through the hub, and what it has received.
import type { EventId, MemoryId } from './id.ts'

/** An operation as the log has it. `src/team/operation.ts` has the fields of each kind. */
interface LoggedOperation {
  readonly id: EventId
  /** The machine's copy of the project's store, a UUID. */
  readonly replica: string
  /** 1, 2, 3 … per replica. */
  readonly n: number
  readonly memory: MemoryId
  readonly kind: string
}

export type TeamEventBody =
  /** This store shares memories from now on. Another replica than before: it is another copy of the store. */
  | {
      readonly kind: 'team.joined'
      /** The UUID of the hub, and the project's name there. */
      readonly hub: string
      readonly project: string
      readonly replica: string
      /** What the team calls this person. */
      readonly name: string
      /** A hash of machine and folder: a copied or restored store is in another place. */
      readonly place: string
    }
  | { readonly kind: 'team.left' }
  /** Operations of this replica, in order. Again with the same numbers, if the hub has lost them. */
  | { readonly kind: 'team.published'; readonly operations: readonly LoggedOperation[] }
  /**
   * Operations of other replicas up to a position of the hub; `pushed`: the hub has this replica's up to this `n`. The
   * position is one of this `epoch`, a UUID; of the first if absent.
   */
  | {
      readonly kind: 'team.received'
      readonly operations: readonly LoggedOperation[]
      readonly through: number
      readonly pushed?: number | undefined
      readonly epoch?: string | undefined
    }

// What a memory that is shared with a team shows of it: who wrote it, and how many have it.

export interface TeamMark {
  /** The name of whoever wrote the text as it is. */
  readonly by: string
  /** How many people have met or written it, from 1 up: the distinct names. */
  readonly people: number
  /** How many of their machines, from 1 up. */
  readonly replicas: number
  /** This machine is one of them; false if it only received it. */
  readonly own: boolean
  /** Another machine wrote the text as it is: a teammate's words. */
  readonly isTheirs?: true | undefined
  /** The time of the text as it is, a hybrid time (src/team/operation.ts): a change here is based on this version. */
  readonly at: string
}
