// Nearby: what a document says together with those beside it. Counts of a question's terms in a few documents, from the postings a
// search has read anyway, and BM25 over a document and its neighbours as if they were one text.
import { COUNT_SHIFT, DOCUMENT_MASK } from './format.ts'

/** A term that was read, with what a document that had it very often would get, and its postings in each segment. */
export interface ReadTerm {
  readonly group: number
  readonly gain: number
  readonly postings: readonly (Uint32Array | undefined)[]
}

/** The counts of some terms in some documents of one segment. */
export class Counts {
  readonly #slots: Uint16Array
  readonly #table: Uint8Array
  readonly #terms: readonly ReadTerm[]

  /** `docs` may be in any order, 65,535 at most; `documents` is how many the segment has. */
  constructor(terms: readonly ReadTerm[], segment: number, docs: Iterable<number>, documents: number) {
    this.#terms = terms
    this.#slots = new Uint16Array(documents)
    let slots = 0
    for (const doc of docs) if (this.#slots[doc] === 0) this.#slots[doc] = ++slots
    this.#table = new Uint8Array((slots + 1) * terms.length)
    for (let term = 0; term < terms.length; term++) {
      const postings = terms[term]!.postings[segment]
      if (postings) this.#take(postings, term)
    }
  }

  #take(postings: Uint32Array, term: number): void {
    for (let i = 0; i < postings.length; i++) {
      const slot = this.#slots[postings[i]! & DOCUMENT_MASK]!
      if (slot !== 0) this.#table[slot * this.#terms.length + term] = postings[i]! >>> COUNT_SHIFT
    }
  }

  /**
   * BM25 of a document together with its neighbours, once for each of `reaches`: their counts and lengths are added up by their
   * weights, and compared with as many average documents. `near` are the documents, `reaches` their weights in the same order.
   */
  together(
    near: readonly number[],
    reaches: readonly (readonly number[])[],
    lengths: Lengths,
    { k1, b }: { readonly k1: number; readonly b: number },
  ): number[] {
    const terms = this.#terms.length
    const rows = near.map((doc) => this.#slots[doc]! * terms)
    const own = near.map((doc) => lengths.of(doc))
    const penalties = reaches.map((weights) => k1 * (1 - b + b * relativeLength(own, weights, lengths.average)))
    const scores = reaches.map(() => 0)
    for (let term = 0; term < terms; term++) {
      for (let reach = 0; reach < reaches.length; reach++) {
        const weights = reaches[reach]!
        let count = 0
        for (let i = 0; i < rows.length; i++) count += weights[i]! * this.#table[rows[i]! + term]!
        if (count > 0) scores[reach]! += (this.#terms[term]!.gain * count) / (count + penalties[reach]!)
      }
    }
    return scores
  }
}

function relativeLength(lengths: readonly number[], weights: readonly number[], average: number): number {
  let length = 0
  let sum = 0
  for (let i = 0; i < weights.length; i++) {
    length += weights[i]! * lengths[i]!
    sum += weights[i]!
  }
  return average > 0 ? length / (sum * average) : 1
}

/** Documents' lengths as the index keeps them. */
export interface Lengths {
  of(doc: number): number
  readonly average: number
}
