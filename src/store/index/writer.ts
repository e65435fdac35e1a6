// Writes a segment from documents given as counted terms. One pass over the documents into typed arrays, then a
// counting sort by term: linear in the postings, about 40 bytes of memory for each.
import { MemoryError } from '../../model/errors.ts'
import { hashPair } from '../../text/hash.ts'
import { COUNT_MAX, COUNT_SHIFT, DOCUMENT_MASK, DOCUMENTS_MAX, homeOf } from './format.ts'
import { segmentBytes, type TermColumns } from './layout.ts'
import { decodeLength, encodeLength } from './norm.ts'

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
export function writeSegment(documents: Iterable<IndexedDocument>): Buffer {
  const terms = new TermSet()
  const postings = new Collected()
  let norms = new Uint8Array(1024)
  let lengthTotal = 0
  let document = 0
  for (const { terms: counted, length } of documents) {
    if (document === DOCUMENTS_MAX) throw tooMany()
    if (document === norms.length) norms = grown(norms, new Uint8Array(2 * document))
    norms[document] = encodeLength(length)
    lengthTotal += decodeLength(norms[document]!)
    const start = postings.count
    for (const [text, count] of counted) {
      if (count >= 1) collect(terms, postings, text, document, Math.min(COUNT_MAX, count), start)
    }
    document++
  }
  const order = terms.inHashOrder()
  return segmentBytes({
    norms: norms.subarray(0, document),
    lengthTotal,
    terms: terms.columns(order),
    postings: byTerm(terms, postings, order),
  })
}

/** The refusal of more documents than a posting can number. */
export function tooMany(): MemoryError {
  return new MemoryError('INPUT_INVALID', `An index segment holds at most ${DOCUMENTS_MAX} documents`, {
    mend: 'Write the documents as several segments.',
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
  const [high, low] = hashPair(text)
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

/** Distinct terms by hash, numbered as they come: an open-addressing table over typed arrays. */
class TermSet {
  count = 0
  high = new Uint32Array(1024)
  low = new Uint32Array(1024)
  frequency = new Uint32Array(1024)
  /** One past the term's newest posting. */
  lastPosting = new Uint32Array(1024)
  #slots = new Uint32Array(2048)

  idOf(high: number, low: number): number {
    const mask = this.#slots.length - 1
    let slot = low & mask
    for (let found = this.#slots[slot]!; found !== 0; found = this.#slots[slot]!) {
      if (this.low[found - 1] === low && this.high[found - 1] === high) return found - 1
      slot = (slot + 1) & mask
    }
    if (this.count === this.high.length) {
      this.#grow()
      return this.idOf(high, low)
    }
    this.high[this.count] = high
    this.low[this.count] = low
    this.#slots[slot] = ++this.count
    return this.count - 1
  }

  /** Ids by ascending hash: a counting sort by home, where about one term meets another, then insertion. */
  inHashOrder(): Uint32Array {
    const ends = new Uint32Array(this.count + 1)
    for (let id = 0; id < this.count; id++) ends[homeOf(this.high[id]!, this.count) + 1]!++
    for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!
    const order = new Uint32Array(this.count)
    for (let id = 0; id < this.count; id++) order[ends[homeOf(this.high[id]!, this.count)]!++] = id
    for (let i = 1; i < order.length; i++) {
      const id = order[i]!
      let at = i
      for (; at > 0 && this.#before(id, order[at - 1]!); at--) order[at] = order[at - 1]!
      order[at] = id
    }
    return order
  }

  columns(order: Uint32Array): TermColumns {
    const pick = (from: Uint32Array): Uint32Array => {
      const picked = new Uint32Array(order.length)
      for (let i = 0; i < order.length; i++) picked[i] = from[order[i]!]!
      return picked
    }
    return { count: this.count, high: pick(this.high), low: pick(this.low), frequency: pick(this.frequency) }
  }

  #before(a: number, b: number): boolean {
    return this.high[a]! < this.high[b]! || (this.high[a] === this.high[b] && this.low[a]! < this.low[b]!)
  }

  #grow(): void {
    const capacity = 2 * this.high.length
    this.high = grown(this.high, new Uint32Array(capacity))
    this.low = grown(this.low, new Uint32Array(capacity))
    this.frequency = grown(this.frequency, new Uint32Array(capacity))
    this.lastPosting = grown(this.lastPosting, new Uint32Array(capacity))
    this.#slots = new Uint32Array(2 * capacity)
    const mask = this.#slots.length - 1
    for (let id = 0; id < this.count; id++) {
      let slot = this.low[id]! & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = id + 1
    }
  }
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

function grown<T extends Uint8Array | Uint32Array>(from: T, into: T): T {
  into.set(from)
  return into
}
