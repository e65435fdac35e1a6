// The events of a team: what this store shares through the hub, and what it has received.
import type { MemoryId } from './id.ts'

/**
 * What an exchange with the hub has changed for one memory (src/broker/projection/teamProjection.ts), or a person who
 * forgets it. Logs of earlier versions have other kinds; of these only `forget` is used.
 */
export type LoggedOperation = Readonly<{ memory: MemoryId; kind: string }>

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
      /** The kinds that the team shared then: others wait for another `join`. Absent if each machine decides. */
      readonly kinds?: readonly string[] | undefined
    }
  | { readonly kind: 'team.left' }
  /** What is to be forgotten by the team. */
  | { readonly kind: 'team.published'; readonly operations: readonly LoggedOperation[] }
  /**
   * What the hub has, or has taken from here. With `revision`, everything up to it was read, in this `epoch`. Another
   * epoch than before: the hub was restored from a backup. Earlier versions wrote `through` in its place.
   */
  | {
      readonly kind: 'team.received'
      readonly operations: readonly LoggedOperation[]
      readonly revision?: number | undefined
      readonly epoch?: string | undefined
      /** The kinds that the team shares by now; null if each machine decides; absent if they are as before. */
      readonly kinds?: readonly string[] | null | undefined
      readonly through?: number | undefined
    }

// What a memory that is shared with a team shows of it: who wrote it, and how many have it.

export interface TeamMark {
  /** The name of whoever learned or said it first. */
  readonly by: string
  /** How many people have met or written it, from 1 up: the distinct names. */
  readonly people: number
  /** How many of their machines, from 1 up. */
  readonly replicas: number
  /** This machine is one of them; false if it only received it. */
  readonly own: boolean
  /** Another machine wrote the text as it is: a teammate's words. */
  readonly isTheirs?: true | undefined
}
