// Expansion: the numbers that decide what a query finds beside the words it says.

export interface ExpansionNumbers {
  /** Score of a word of the same meaning, relative to the word itself; 0 to 1, 0 turns expansion off. */
  readonly weight: number
  /** Weight of the words of the developer lexicon, 0 to 1. */
  readonly lexicon: number
}
