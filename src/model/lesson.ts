// A lesson: what is known of an error. Its text is rendered from these fields and never parsed back.

/** One step: a file that was edited or a command that was run. */
export interface LessonStep {
  readonly kind: 'edit' | 'command'
  /** The file, or the first line of the command, at most 160 characters. */
  readonly what: string
  /** The first line of an edit's new text. */
  readonly detail?: string | undefined
}

export interface LessonFix {
  /** steps: what was done before the call passed. instead: another command worked. again: it passed unchanged. */
  readonly kind: 'steps' | 'instead' | 'again'
  readonly steps: readonly LessonStep[]
  /** Only the order of the calls suggests it, nothing in the error. Worth showing once it worked in two sessions. */
  readonly isGuess?: true | undefined
}

/** One way in which the call came to pass, and how often. */
export interface FixCandidate {
  readonly fix: LessonFix
  /** In how many sessions it worked. */
  readonly sessions: number
  /** The session in which it last worked, and when, ISO. */
  readonly lastSession: string
  readonly last: string
  /** The agent that did it last; absent for a main thread, and in lessons of older versions. */
  readonly lastAgentId?: string | undefined
}

export interface Lesson {
  /** First line of the command that failed, at most 120 characters; absent for a tool that runs no command. */
  readonly command?: string | undefined
  /** The tool that failed and its file; absent where a command failed. */
  readonly target?: string | undefined
  /** The line of the error that says most, at most 200 characters. */
  readonly error: string
  /** The best candidate; absent while no fix is known. */
  readonly fix?: LessonFix | undefined
  /**
   * Every way that worked, best first: most sessions, then the newest; 4 at most. Absent in lessons of older versions,
   * as are the next three.
   */
  readonly candidates?: readonly FixCandidate[] | undefined
  /** The sessions that met the error, latest last, 20 at most. */
  readonly sessions?: readonly string[] | undefined
  /** When the error was last met, ISO. */
  readonly lastMet?: string | undefined
  /** The path, name or finding that tells the error from others with its signature; absent if none is needed. */
  readonly subject?: string | undefined
  /** What was done between two failures and did not help. */
  readonly failedAttempts: readonly LessonStep[]
  /** How many calls failed with it in all; absent in lessons of older versions. */
  readonly failures?: number | undefined
  /** The latest calls that failed: their tool_use_id, oldest first. */
  readonly calls: readonly string[]
  /** Milliseconds from the first failure to the fix; 0 without a fix. */
  readonly costMs: number
  /** In how many sessions the command passed although the lesson warned of it. */
  readonly falseAlarms: number
}
