// A project fact: what is true of this project and keeps costing calls, with its evidence. Its text is rendered from
// these fields and never parsed back.

/**
 * command: a command that fails, and the form that works. path: a path that does not exist, and the right one. tool: a
 * tool, skill, flag or option that does not exist here. rule: a rule of a linter or compiler. order: a step that must
 * come first. rejection: what the person rejects. routine: a standing command (build, test, lint) or where tests are.
 */
export const FACT_TOPICS = ['command', 'path', 'tool', 'rule', 'order', 'rejection', 'routine'] as const
export type FactTopic = (typeof FACT_TOPICS)[number]

/** proposed: seen in one session. standing: seen in two or more. retired: it has stopped being true. */
export const FACT_STATES = ['proposed', 'standing', 'retired'] as const
export type FactState = (typeof FACT_STATES)[number]

/** When a fact is about what is happening. Every field that is present must match; an absent field always matches. */
export interface FactTrigger {
  /** Names of tools. */
  readonly tools?: readonly string[] | undefined
  /** Paths inside the repository, forward slashes. One of them must be in the input. */
  readonly paths?: readonly string[] | undefined
  /** The beginning of a command, words separated by one space: `gh pr diff`. */
  readonly command?: string | undefined
  /** Parts that the command or the input must contain, such as a flag. All of them must be in the input. */
  readonly parts?: readonly string[] | undefined
  /** Parts of the error's text. One of them must be in the error; without an error it never matches. */
  readonly errors?: readonly string[] | undefined
  /** Parts of source code that lead to the failure. One of them must be in the new text of an edit. */
  readonly code?: readonly string[] | undefined
}

/** One way to avoid the failure. */
export interface FactRemedy {
  /** One clause in the imperative: "use `git diff --name-only`". */
  readonly text: string
  /** In how many sessions it worked. */
  readonly sessions: number
  /** When it last worked, ISO. */
  readonly last: string
}

export interface ProjectFact {
  readonly topic: FactTopic
  /** One sentence without the remedy: "`gh pr diff` refuses `--stat` here". */
  readonly claim: string
  /** The ways to avoid it, the best one first: most sessions, then the latest. At most 4; empty if none is known. */
  readonly remedies: readonly FactRemedy[]
  readonly state: FactState
  /** Sessions that met it, latest last, 20 at most. `sessionCount` of the memory is their total. */
  readonly sessions: readonly string[]
  /** In the latest of these the agent that met it last; absent for the main thread. */
  readonly lastAgentId?: string | undefined
  /** Failed calls that it explains. */
  readonly failures: number
  /** When it was last met, ISO. */
  readonly lastMet: string
  /** Sessions since it was last met in which it was not true. */
  readonly refutations: number
  /** Any of these makes the fact worth a note at a call, a failure or a prompt; empty for the start alone. */
  readonly triggers: readonly FactTrigger[]
  readonly routine?: Routine | undefined
  /** Of a fact that counts names over sessions, such as changed files: in how many sessions each occurred. */
  readonly counts?: NameCounts | undefined
}

export type NameCounts = Readonly<Record<string, number>>

/** A standing command. */
export interface Routine {
  /** build, test, test one, integration test, lint, format, run, check, other. */
  readonly purpose: string
  readonly medianMs: number
  /** The share of runs that passed, 0 to 1. */
  readonly passed: number
  readonly runs?: number | undefined
  /** The medians of the latest sessions, from which `medianMs` is computed; at most 15. */
  readonly timesMs?: readonly number[] | undefined
  /** The concrete forms that sessions used, the most frequent first; at most 6. */
  readonly forms?: readonly RoutineForm[] | undefined
}

export interface RoutineForm {
  readonly text: string
  readonly sessions: number
}
