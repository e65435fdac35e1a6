// BM25, the keyword score of a document: Σ gain · count / (count + penalty) over the terms of the query.
//
// Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), with the 1 + of Lucene's
// BM25Similarity, so that a term in most documents does not count against them.

export interface Bm25 {
  /** How slowly repetitions of a term stop counting; from 0 on, 1.2 is usual. */
  readonly k1: number
  /** How much a document's length counts against it, 0 (not at all) to 1 (in full); 0.75 is usual. */
  readonly b: number
}

export const USUAL_BM25: Bm25 = { k1: 1.2, b: 0.75 }

/** How rare a term of `having` among `documents` documents is (Robertson and Spärck Jones); above 0. */
export const inverseDocumentFrequency = (having: number, documents: number): number =>
  Math.log(1 + (documents - having + 0.5) / (having + 0.5))

/** The limit of a term's score in a document that repeats it ever more often. */
export const termGain = (having: number, documents: number, { k1 }: Bm25): number =>
  inverseDocumentFrequency(having, documents) * (k1 + 1)

/** What the denominator adds to the count, for a document of this length. */
export const lengthPenalty = (length: number, average: number, { k1, b }: Bm25): number =>
  average > 0 ? k1 * (1 - b + (b * length) / average) : k1
