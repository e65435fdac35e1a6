// Writes a segment from documents given as counted terms. One pass over the documents into typed arrays, then a
// counting sort by term: linear, at most 16 bytes of memory a posting, the result included.
import { MemoryError } from '../../model/memoryError.ts'
import { hash64 } from '../../text/hash.ts'
import { decodeLength, encodeLength } from './lengthNorm.ts'
import { COUNT_MAX, COUNT_SHIFT, DOCUMENT_MASK, DOCUMENTS_MAX } from './segmentFormat.ts'
import { encodeSegment } from './segmentLayout.ts'
import { growArray, TermSet } from './termSet.ts'

/** Counts are whole numbers from 1 on, kept up to 255. `length` is what BM25 compares to the average: the caller's number. */
export interface IndexedDocument {
  readonly terms: ReadonlyMap<string, number>
  readonly length: number
}

/**
 * The bytes of a segment over these documents, numbered 0, 1, … in the order given.
 *
 * The same documents give the same bytes. Throws INPUT_INVALID past 2^24 documents.
 */
export function buildIndexSegment(documents: Iterable<IndexedDocument>): Buffer {
  const terms = new TermSet()
  const postings = new Collected()
  let norms = new Uint8Array(1024)
  let lengthTotal = 0
  let document = 0
  for (const { terms: counted, length } of documents) {
    if (document === DOCUMENTS_MAX) throw tooManyDocumentsError()
    if (document === norms.length) norms = growArray(norms, new Uint8Array(2 * document))
    norms[document] = encodeLength(length)
    lengthTotal += decodeLength(norms[document]!)
    const start = postings.count
    for (const [text, count] of counted) {
      if (count >= 1) collect(terms, postings, text, document, Math.min(COUNT_MAX, count), start)
    }
    document++
  }
  const order = terms.inHashOrder()
  return encodeSegment({
    norms: norms.subarray(0, document),
    lengthTotal,
    terms: terms.columns(order),
    postings: byTerm(terms, postings, order),
  })
}

/** The refusal of more documents than a posting can number. */
export function tooManyDocumentsError(): MemoryError {
  return new MemoryError('INPUT_INVALID', `An index segment holds at most ${DOCUMENTS_MAX} documents`, {
    hint: 'Write the documents as several segments.',
  })
}

/** Adds one posting; `start` is where this document's postings begin. */
function collect(
  terms: TermSet,
  postings: Collected,
  text: string,
  document: number,
  count: number,
  start: number,
): void {
  const [high, low] = hash64(text)
  const term = terms.idOf(high, low)
  const before = terms.lastPosting[term]! - 1
  if (before >= start) {
    // Two terms of this document share a hash, so they are one term to whoever searches.
    const sum = Math.min(COUNT_MAX, (postings.postingAt(before) >>> COUNT_SHIFT) + count)
    postings.replaceAt(before, (postings.postingAt(before) & DOCUMENT_MASK) | (sum << COUNT_SHIFT))
    return
  }
  postings.push(term, document | (count << COUNT_SHIFT))
  terms.lastPosting[term] = postings.count
  terms.frequency[term]!++
}

/** Counting sort: postings in the order of their terms, within a term as they came. */
function byTerm(terms: TermSet, postings: Collected, order: Uint32Array): Uint32Array {
  const next = new Uint32Array(terms.count)
  let first = 0
  for (let i = 0; i < order.length; i++) {
    next[order[i]!] = first
    first += terms.frequency[order[i]!]!
  }
  const sorted = new Uint32Array(postings.count)
  postings.forEachChunk((ids, values, length) => {
    for (let i = 0; i < length; i++) sorted[next[ids[i]!]!++] = values[i]!
  })
  return sorted
}

// Chunks instead of doubling: six million postings are never copied, and no second array of twice the size stands beside them.
const CHUNK_BITS = 18
const CHUNK = 2 ** CHUNK_BITS

/** Postings as they come, each with its term's id. */
class Collected {
  count = 0
  #ids: Uint32Array[] = []
  #values: Uint32Array[] = []

  push(term: number, posting: number): void {
    const within = this.count & (CHUNK - 1)
    if (within === 0) {
      this.#ids.push(new Uint32Array(CHUNK))
      this.#values.push(new Uint32Array(CHUNK))
    }
    const chunk = this.count >>> CHUNK_BITS
    this.#ids[chunk]![within] = term
    this.#values[chunk]![within] = posting
    this.count++
  }

  postingAt(at: number): number {
    return this.#values[at >>> CHUNK_BITS]![at & (CHUNK - 1)]!
  }

  replaceAt(at: number, posting: number): void {
    this.#values[at >>> CHUNK_BITS]![at & (CHUNK - 1)] = posting
  }

  forEachChunk(visit: (ids: Uint32Array, values: Uint32Array, length: number) => void): void {
    for (let chunk = 0; chunk < this.#ids.length; chunk++) {
      visit(this.#ids[chunk]!, this.#values[chunk]!, Math.min(CHUNK, this.count - chunk * CHUNK))
    }
  }
}
