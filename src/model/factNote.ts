// A project fact as hooks read it: its line, and when it is worth a note.
import type { Conversation } from './conversation.ts'
import type { FactState, FactTopic, FactTrigger } from './fact.ts'
import type { MemoryId } from './id.ts'
import type { TeamMark } from './teamMark.ts'

export interface FactNote {
  readonly id: MemoryId
  readonly topic: FactTopic
  /** The role whose agents may see it; absent: everyone. */
  readonly role?: string | undefined
  readonly state: Exclude<FactState, 'retired'>
  /** The remedy, then the claim; one line without a full stop. */
  readonly line: string
  /** At a matching failure: the line with what was printed, marked as output; absent if the line is the same. */
  readonly failureLine?: string | undefined
  readonly hasRemedy: boolean
  /** Shorter, for a list of facts; absent if the line is as short. */
  readonly short?: string | undefined
  /** Of a rule: the extensions of the files it was found in, such as `.go`. */
  readonly extensions?: readonly string[] | undefined
  /** Sessions that met it. */
  readonly sessions: number
  /** When it was last met, ISO. */
  readonly lastMet: string
  /** The conversation that met it last, if its session has not ended. */
  readonly metBy?: Conversation | undefined
  /** The share of the sessions since it was first met that met it, 0 to 1; it fades like `worth`. */
  readonly rate: number
  /** The failed calls that showing it is expected to prevent, from 0 up; only the order means something. */
  readonly worth: number
  readonly triggers: readonly FactTrigger[]
  /** Of a fact that a team shares. */
  readonly team?: TeamMark | undefined
  /** Rendered together with others in one note; not stored. */
  readonly isListed?: boolean | undefined
}

/** facts.json: the facts of a snapshot that hooks may show, the worthiest first. */
export interface FactFile {
  readonly generation: number
  readonly facts: readonly FactNote[]
}
