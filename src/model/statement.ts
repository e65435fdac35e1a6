// A statement: what a person said that is meant to last.

export const STATEMENT_TYPES = ['preference', 'rule', 'decision', 'correction', 'fact'] as const
export type StatementType = (typeof STATEMENT_TYPES)[number]

/** person: about how this person works, in every project. project, branch, file: about that alone. */
export const STATEMENT_SCOPES = ['person', 'project', 'branch', 'file'] as const
export type StatementScope = (typeof STATEMENT_SCOPES)[number]

/** Where it was said. `assistant`: what the assistant decided, and why. `model`: proposed by the optional model. */
export const STATEMENT_ORIGINS = [
  'prompt',
  'rejection',
  'correction',
  'reply',
  'plan',
  'command',
  'assistant',
  'model',
] as const
export type StatementOrigin = (typeof STATEMENT_ORIGINS)[number]

export interface Statement {
  readonly type: StatementType
  readonly scope: StatementScope
  /** 1: perhaps meant to last, only found by search. 2: meant to last. 3: a standing instruction. */
  readonly strength: 1 | 2 | 3
  readonly origin: StatementOrigin
  /** The shortest form, for the start of a session; the memory's content has the clause as it was said. */
  readonly short: string
  /** The terms that say what it is about: a later statement with the same ones supersedes it. */
  readonly subject: readonly string[]
  /** Why, if it was said. */
  readonly reason?: string | undefined
  /** The later statement that replaced it, a memory's id; absent while it stands. */
  readonly supersededBy?: string | undefined
}

/** How certain a statement of a person must be, 0 to 1: the score of its grammar and its place. */
export interface StatementNumbers {
  /** Perhaps meant to last: found by search, never injected (strength 1). */
  readonly perhapsFrom: number
  /** Meant to last (strength 2). */
  readonly lastingFrom: number
  /** A standing instruction (strength 3). */
  readonly instructionFrom: number
}

/**
 * Whether it may be injected. What is uncertain or superseded is only found by search, or in the history; so is what
 * the assistant decided.
 */
export const canBeInjected = ({ strength, supersededBy, origin }: Statement): boolean =>
  strength >= 3 && supersededBy === undefined && origin !== 'assistant'

/** Stands for the later memory where a person said only that something no longer holds, and not what does. */
export const NO_SUCCESSOR = 'outdated'

/** A memory's own fields on what replaced it. */
interface Supersedable {
  readonly statement?: Statement | undefined
  readonly supersededBy?: string | undefined
}

/** The id of the later memory that replaced this one; undefined while none has. */
export const findSuccessor = ({ statement, supersededBy }: Supersedable): string | undefined =>
  statement?.supersededBy ?? supersededBy
