// Joins segments into one, leaving out what is gone. Works on hashes, so it needs no document again, and is linear:
// the tables lie in the same order and are walked in step.

import { tooManyDocumentsError } from './buildIndexSegment.ts'
import type { IndexSegment } from './indexSegment.ts'
import { decodeLength } from './lengthNorm.ts'
import { COUNT_SHIFT, DOCUMENT_MASK, DOCUMENTS_MAX, SLOT_WORDS } from './segmentFormat.ts'
import { encodeSegment } from './segmentLayout.ts'

/** One input of a merge. `keep` is asked once a document, in order. */
export interface MergeInput {
  readonly segment: IndexSegment
  readonly keep: (doc: number) => boolean
  /**
   * The new number of a kept document, from 0 up, each given once over all inputs. Absent in every input: those of the first
   * input first, in their order.
   */
  readonly newNumber?: (doc: number) => number
}

/**
 * The bytes of one segment of the kept documents, in the order of their places: the same bytes `buildIndexSegment` gives
 * for them (save counts and lengths past what a segment keeps).
 *
 * Holds every input in memory. Throws STORE_INVALID when an input's checksum is wrong, INPUT_INVALID past 2^24 documents.
 */
export function mergeSegments(inputs: readonly MergeInput[]): Buffer {
  const { norms, lengthTotal, renumbered } = keptDocuments(inputs)
  const sources = inputs.map(({ segment }, i) => new Source(segment, renumbered[i]!))
  const termsMax = sources.reduce((sum, source) => sum + source.table.length / SLOT_WORDS, 0)
  const high = new Uint32Array(termsMax)
  const low = new Uint32Array(termsMax)
  const frequency = new Uint32Array(termsMax)
  const postings = new Uint32Array(sources.reduce((sum, source) => sum + source.postings.length, 0))
  let count = 0
  let written = 0
  for (let next = least(sources); next; next = least(sources)) {
    const { high: termHigh, low: termLow } = next
    const start = written
    for (const source of sources) {
      if (source.high === termHigh && source.low === termLow) written = source.take(postings, written)
    }
    if (written === start) continue
    inOrder(postings.subarray(start, written))
    high[count] = termHigh
    low[count] = termLow
    frequency[count++] = written - start
  }
  return encodeSegment({
    norms,
    lengthTotal,
    terms: { count, high, low, frequency },
    postings: postings.subarray(0, written),
  })
}

// No document has this number: what is not kept.
const GONE = 2 ** 32 - 1

interface Kept {
  readonly norms: Uint8Array
  readonly lengthTotal: number
  /** For each input, the new number of each of its documents, or GONE. */
  readonly renumbered: readonly Uint32Array[]
}

function keptDocuments(inputs: readonly MergeInput[]): Kept {
  const all = new Uint8Array(inputs.reduce((sum, { segment }) => sum + segment.documents, 0))
  let lengthTotal = 0
  let kept = 0
  const renumbered = inputs.map(({ segment, keep, newNumber }) => {
    const numbers = new Uint32Array(segment.documents).fill(GONE)
    const norms = segment.norms()
    for (let doc = 0; doc < segment.documents; doc++) {
      if (!keep(doc)) continue
      const number = newNumber ? newNumber(doc) : kept
      lengthTotal += decodeLength(norms[doc]!)
      all[number] = norms[doc]!
      numbers[doc] = number
      kept++
    }
    return numbers
  })
  if (kept > DOCUMENTS_MAX) throw tooManyDocumentsError()
  return { norms: all.subarray(0, kept), lengthTotal, renumbered }
}

/** Sorts a term's postings by document where an input has given places out of order. */
function inOrder(postings: Uint32Array): void {
  let last = -1
  for (let i = 0; i < postings.length; i++) {
    const document = postings[i]! & DOCUMENT_MASK
    if (document < last) {
      // With the document above the count a plain sort of numbers does, several times faster than one that is told how.
      for (let j = 0; j < postings.length; j++) postings[j] = (postings[j]! << 8) | (postings[j]! >>> COUNT_SHIFT)
      postings.sort()
      for (let j = 0; j < postings.length; j++) postings[j] = (postings[j]! >>> 8) | (postings[j]! << COUNT_SHIFT)
      return
    }
    last = document
  }
}

/** The source whose next term has the least hash; undefined when all are through. */
function least(sources: readonly Source[]): Source | undefined {
  let found: Source | undefined
  for (const source of sources) {
    if (source.done) continue
    if (!found || source.high < found.high || (source.high === found.high && source.low < found.low)) found = source
  }
  return found
}

/** A segment's terms, one after the other. */
class Source {
  readonly table: Uint32Array
  readonly postings: Uint32Array
  readonly #numbers: Uint32Array
  #at = -SLOT_WORDS
  /** The hash of the term at hand; -1 when there is none, which no hash is. */
  high = -1
  low = -1

  constructor(segment: IndexSegment, numbers: Uint32Array) {
    const { table, postings } = segment.readAll()
    this.table = table
    this.postings = postings
    this.#numbers = numbers
    this.#advance()
  }

  get done(): boolean {
    return this.#at >= this.table.length
  }

  /** Copies the kept postings of the term at hand, goes on to the next term; returns the new end. */
  take(into: Uint32Array, at: number): number {
    const first = this.table[this.#at + 3]!
    const end = first + this.table[this.#at + 2]!
    let written = at
    for (let i = first; i < end; i++) {
      const posting = this.postings[i]!
      const number = this.#numbers[posting & DOCUMENT_MASK]!
      if (number !== GONE) into[written++] = (posting & ~DOCUMENT_MASK) | number
    }
    this.#advance()
    return written
  }

  #advance(): void {
    do this.#at += SLOT_WORDS
    while (!this.done && this.table[this.#at + 2] === 0)
    this.high = this.done ? -1 : this.table[this.#at]!
    this.low = this.done ? -1 : this.table[this.#at + 1]!
  }
}
