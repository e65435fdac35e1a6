// Expansion: the numbers that decide what a query finds beside the words it says. See docs/recall.md.

export interface ExpansionNumbers {
  /** Score of a word of the same meaning, relative to the word itself; 0 to 1, 0 turns expansion off. */
  readonly weight: number
  /** Weight of the words of the developer lexicon, 0 to 1. */
  readonly lexicon: number
  /** Weight of the nearest words of the embedder, 0 to 1. */
  readonly embedder: number
  /** Nearest words of a word, and of a memory. */
  readonly neighboursMax: number
  /** How many standard deviations above the mean similarity of two words a nearest word must be. */
  readonly deviationsMin: number
  /** Words that get a vector. */
  readonly vocabularyMax: number
  /** Time of the worker for it after a session, in seconds; the rest follows after the next one. */
  readonly secondsMax: number
}
