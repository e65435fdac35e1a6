// Merges segments into one and leaves out removed documents. Needs no text: terms are hashes. Linear, because all term
// tables have the same order.
import { tooManyDocumentsError } from './buildIndexSegment.ts'
import type { IndexSegment } from './indexSegment.ts'
import {
  COUNT_SHIFT,
  DOCUMENT_MASK,
  DOCUMENTS_MAX,
  decodeLength,
  encodeSegment,
  SLOT_WORDS,
  wordAt,
} from './segmentFormat.ts'

export interface MergeInput {
  readonly segment: IndexSegment
  /**
   * The new number of a document, undefined to leave it out. Over all inputs, the numbers are 0, 1, … in any order,
   * each once. Called once for each document, in order.
   */
  readonly newNumber: (doc: number) => number | undefined
}

/**
 * The bytes of one segment with the kept documents under their new numbers. The same bytes as `buildIndexSegment`
 * gives for them, except counts and lengths that a segment cannot store exactly.
 *
 * Needs the memory of all inputs. Throws STORE_INVALID for an input with a wrong checksum, INPUT_INVALID past 2^24
 * documents.
 */
export function mergeSegments(inputs: readonly MergeInput[]): Buffer {
  const { norms, lengthTotal, cursors } = renumberDocuments(inputs)
  const termsMax = cursors.reduce((sum, cursor) => sum + cursor.table.length / SLOT_WORDS, 0)
  const high = new Uint32Array(termsMax)
  const low = new Uint32Array(termsMax)
  const frequency = new Uint32Array(termsMax)
  const postings = new Uint32Array(cursors.reduce((sum, cursor) => sum + cursor.postings.length, 0))
  let count = 0
  let end = 0
  for (let next = smallestHash(cursors); next; next = smallestHash(cursors)) {
    const { high: termHigh, low: termLow } = next
    const start = end
    for (const cursor of cursors) {
      if (cursor.high === termHigh && cursor.low === termLow) end = cursor.copyPostings(postings, end)
    }
    if (end === start) continue
    sortByDocument(postings.subarray(start, end))
    high[count] = termHigh
    low[count] = termLow
    frequency[count++] = end - start
  }
  return encodeSegment({
    norms,
    lengthTotal,
    terms: { count, high, low, frequency },
    postings: postings.subarray(0, end),
  })
}

/** In place of a new number: the document is left out. No document has this number. */
const REMOVED = 2 ** 32 - 1

function renumberDocuments(inputs: readonly MergeInput[]) {
  const norms = new Uint8Array(inputs.reduce((sum, { segment }) => sum + segment.documents, 0))
  let lengthTotal = 0
  let documents = 0
  const cursors = inputs.map(({ segment, newNumber }) => {
    const numbers = new Uint32Array(segment.documents).fill(REMOVED)
    const inputNorms = segment.norms()
    for (let doc = 0; doc < segment.documents; doc++) {
      const number = newNumber(doc)
      if (number === undefined) continue
      const norm = inputNorms[doc] ?? 0
      lengthTotal += decodeLength(norm)
      norms[number] = norm
      numbers[doc] = number
      documents++
    }
    return new TermCursor(segment, numbers)
  })
  if (documents > DOCUMENTS_MAX) throw tooManyDocumentsError()
  return { norms: norms.subarray(0, documents), lengthTotal, cursors }
}

/** Sorts a term's postings by document, if they are not in order yet. */
function sortByDocument(postings: Uint32Array): void {
  let last = -1
  for (let i = 0; i < postings.length; i++) {
    const document = wordAt(postings, i) & DOCUMENT_MASK
    if (document < last) {
      // With the document in the high bits, a plain sort of numbers does. It is several times faster than one with a
      // comparator.
      for (let j = 0; j < postings.length; j++) {
        postings[j] = (wordAt(postings, j) << 8) | (wordAt(postings, j) >>> COUNT_SHIFT)
      }
      postings.sort()
      for (let j = 0; j < postings.length; j++) {
        postings[j] = (wordAt(postings, j) >>> 8) | (wordAt(postings, j) << COUNT_SHIFT)
      }
      return
    }
    last = document
  }
}

/** The cursor whose term has the smallest hash; undefined when all are at their end. */
function smallestHash(cursors: readonly TermCursor[]): TermCursor | undefined {
  let smallest: TermCursor | undefined
  for (const cursor of cursors) {
    if (cursor.isAtEnd) continue
    if (!smallest || cursor.high < smallest.high || (cursor.high === smallest.high && cursor.low < smallest.low)) {
      smallest = cursor
    }
  }
  return smallest
}

/** Goes through a segment's terms, in the order of their hashes. */
class TermCursor {
  readonly table: Uint32Array
  readonly postings: Uint32Array
  readonly #numbers: Uint32Array
  #slot = -SLOT_WORDS
  /** Hash of the current term; -1 at the end. */
  high = -1
  low = -1

  constructor(segment: IndexSegment, numbers: Uint32Array) {
    const { table, postings } = segment.readAll()
    this.table = table
    this.postings = postings
    this.#numbers = numbers
    this.#advance()
  }

  get isAtEnd(): boolean {
    return this.#slot >= this.table.length
  }

  /**
   * Copies the current term's kept postings to `into`, from index `start` on, and goes to the next term. Returns the
   * new end.
   */
  copyPostings(into: Uint32Array, start: number): number {
    const first = wordAt(this.table, this.#slot + 3)
    const last = first + wordAt(this.table, this.#slot + 2)
    let end = start
    for (let i = first; i < last; i++) {
      const posting = wordAt(this.postings, i)
      const number = wordAt(this.#numbers, posting & DOCUMENT_MASK)
      if (number !== REMOVED) into[end++] = (posting & ~DOCUMENT_MASK) | number
    }
    this.#advance()
    return end
  }

  #advance(): void {
    do this.#slot += SLOT_WORDS
    while (!this.isAtEnd && this.table[this.#slot + 2] === 0)
    this.high = this.isAtEnd ? -1 : wordAt(this.table, this.#slot)
    this.low = this.isAtEnd ? -1 : wordAt(this.table, this.#slot + 1)
  }
}
