// Scores a document together with its neighbours, as if they were one text: BM25 over term counts that come from the
// postings which the search has read anyway.
import { type Bm25, lengthPenalty } from '../../model/bm25.ts'
import { COUNT_SHIFT, DOCUMENT_MASK } from './segmentFormat.ts'

/** A query term that was read: its highest possible score and its postings in each segment. */
export interface QueryTermPostings {
  readonly group: number
  readonly gain: number
  readonly postings: readonly (Uint32Array | undefined)[]
}

/** Counts of some terms in some documents of one segment. */
export class TermCounts {
  readonly #slots: Uint16Array
  readonly #table: Uint8Array
  readonly #terms: readonly QueryTermPostings[]

  /** `docs` in any order, at most 65,535. `documents` is the size of the segment. */
  constructor(terms: readonly QueryTermPostings[], segment: number, docs: Iterable<number>, documents: number) {
    this.#terms = terms
    this.#slots = new Uint16Array(documents)
    let slots = 0
    for (const doc of docs) if (this.#slots[doc] === 0) this.#slots[doc] = ++slots
    this.#table = new Uint8Array((slots + 1) * terms.length)
    for (let term = 0; term < terms.length; term++) {
      const postings = terms[term]!.postings[segment]
      if (postings) this.#addPostings(postings, term)
    }
  }

  #addPostings(postings: Uint32Array, term: number): void {
    for (let i = 0; i < postings.length; i++) {
      const posting = postings[i]!
      const slot = this.#slots[posting & DOCUMENT_MASK]!
      if (slot !== 0) this.#table[slot * this.#terms.length + term] = posting >>> COUNT_SHIFT
    }
  }

  /**
   * Writes BM25 of a document with its neighbours into `into`, one number for each reach. Counts and lengths are
   * weighted sums, compared with as many average documents. `near` are the neighbours and the document itself.
   */
  scoreWindow(
    doc: number,
    near: readonly number[],
    { reaches, share, lengths, bm25 }: WindowParameters,
    into: Float64Array,
  ): void {
    const terms = this.#terms.length
    for (let r = 0; r < reaches.length; r++) {
      const reach = reaches[r]!
      let length = 0
      let sum = 0
      for (let i = 0; i < near.length; i++) {
        const neighbour = near[i]!
        const weight = weightOf(reach, neighbour - doc, share)
        if (weight === 0) continue
        length += weight * lengths.lengthOf(neighbour)
        sum += weight
      }
      const penalty = lengthPenalty(length, sum * lengths.average, bm25)
      let score = 0
      for (let term = 0; term < terms; term++) {
        let count = 0
        for (let i = 0; i < near.length; i++) {
          const own = this.#table[this.#slots[near[i]!]! * terms + term]!
          if (own !== 0) count += own * weightOf(reach, near[i]! - doc, share)
        }
        if (count > 0) score += (this.#terms[term]!.gain * count) / (count + penalty)
      }
      into[r] = score
    }
  }
}

export interface WindowParameters {
  readonly reaches: readonly WindowReach[]
  /** Factor of the neighbours' weights, 0 to 1. */
  readonly share: number
  readonly lengths: DocLengths
  readonly bm25: Bm25
}

/** The weight of a neighbour at a distance is `weights[middle + distance]`. The document itself has weight 1. */
export interface WindowReach {
  readonly weights: readonly number[]
  readonly middle: number
}

function weightOf({ weights, middle }: WindowReach, distance: number, share: number): number {
  return distance === 0 ? 1 : share * (weights[middle + distance] ?? 0)
}

/** Lengths of documents, as the index stores them. */
export interface DocLengths {
  lengthOf(doc: number): number
  readonly average: number
}
