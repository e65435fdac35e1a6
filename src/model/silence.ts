// Silence: the numbers that decide when nothing is injected, or less.

export interface SilenceNumbers {
  /** Up to this many characters a prompt is too short to search for, unless it names a file or code. */
  readonly shortPromptChars: number
  /** With fewer words that say what it is about a short prompt is not searched for, unless it names a file or code. */
  readonly promptWordsMin: number
  /** Share of words in common from which a prompt counts as an earlier one repeated, 0 to 1. */
  readonly samePromptShare: number
  /** The least score of a note before a call, if it is not a lesson about its command. */
  readonly callScoreMin: number
  /** Notes from one earlier session in one injection; what the person said does not count. */
  readonly sessionNotesMax: number
  /** Sessions in a row that used nothing of the notes at their start, before one note less is shown. */
  readonly startPatience: number
}
