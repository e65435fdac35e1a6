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
}

export interface Lesson {
  /** First line of the command that failed, at most 120 characters; absent for a tool that runs no command. */
  readonly command?: string | undefined
  /** The tool that failed and its file; absent where a command failed. */
  readonly target?: string | undefined
  /** The line of the error that says most, at most 200 characters. */
  readonly error: string
  /** Absent while no fix is known. */
  readonly fix?: LessonFix | undefined
  /** What was done between two failures and did not help. */
  readonly failedAttempts: readonly LessonStep[]
  /** The latest calls that failed: their tool_use_id, oldest first. */
  readonly calls: readonly string[]
  /** Milliseconds from the first failure to the fix; 0 without a fix. */
  readonly costMs: number
  /** In how many sessions the command passed although the lesson warned of it. */
  readonly falseAlarms: number
}
