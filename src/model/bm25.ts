// BM25: how much the occurrences of a term in a text say about it.
//
//   score = Σ gain · count / (count + penalty)      over the terms of the query
//
// Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), with the 1 + of Lucene's BM25Similarity, so that
// a term most texts have does not count against them.

export interface Bm25 {
  /** How late more of the same term stops counting; from 0 on, 1.2 is usual. */
  readonly k1: number
  /** How much a text's length counts against it, 0 (not at all) to 1 (in full); 0.75 is usual. */
  readonly b: number
}

export const USUAL_BM25: Bm25 = { k1: 1.2, b: 0.75 }

/** What a term that `having` of `texts` texts have adds to a text that has it very often. */
export const termGain = (having: number, texts: number, { k1 }: Bm25): number =>
  Math.log(1 + (texts - having + 0.5) / (having + 0.5)) * (k1 + 1)

/** What is added to the count below the line, for a text of this length; where the average is 0, no text is longer than it. */
export const lengthPenalty = (length: number, average: number, { k1, b }: Bm25): number =>
  average > 0 ? k1 * (1 - b + (b * length) / average) : k1
