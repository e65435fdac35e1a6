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
