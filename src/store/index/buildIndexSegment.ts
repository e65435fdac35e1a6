// Builds a segment from documents given as term counts. One pass over the documents into typed arrays, then a counting
// sort by term: linear, at most 16 bytes of memory per posting, with the result.
import { MemoryError } from '../../model/memoryError.ts'
import { hash64 } from '../../text/hash.ts'
import {
  COUNT_MAX,
  COUNT_SHIFT,
  DOCUMENT_MASK,
  DOCUMENTS_MAX,
  decodeLength,
  encodeLength,
  encodeSegment,
  homeSlot,
  type TermColumns,
  wordAt,
} from './segmentFormat.ts'

/** Counts are whole numbers from 1 on, stored up to 255. `length` is the number that BM25 compares to the average. */
export interface IndexedDocument {
  readonly terms: ReadonlyMap<string, number>
  readonly length: number
}

/**
 * The bytes of a segment over these documents, which get the numbers 0, 1, … in their order.
 *
 * The same documents give the same bytes. Throws INPUT_INVALID past 2^24 documents.
 */
export function buildIndexSegment(documents: Iterable<IndexedDocument>): Buffer {
  const terms = new TermSet()
  const postings = new PostingList()
  let norms = new Uint8Array(1024)
  let lengthTotal = 0
  let document = 0
  for (const { terms: counted, length } of documents) {
    if (document === DOCUMENTS_MAX) throw tooManyDocumentsError()
    if (document === norms.length) norms = growArray(norms, new Uint8Array(2 * document))
    const norm = encodeLength(length)
    norms[document] = norm
    lengthTotal += decodeLength(norm)
    const start = postings.count
    for (const [text, count] of counted) {
      if (count >= 1) postings.add(terms, text, document | (Math.min(COUNT_MAX, count) << COUNT_SHIFT), start)
    }
    document++
  }
  const order = terms.inHashOrder()
  return encodeSegment({
    norms: norms.subarray(0, document),
    lengthTotal,
    terms: terms.columns(order),
    postings: sortByTerm(terms, postings, order),
  })
}

/** For more documents than a posting has numbers. */
export function tooManyDocumentsError(): MemoryError {
  return new MemoryError('INPUT_INVALID', `An index segment holds at most ${DOCUMENTS_MAX} documents`, {
    hint: 'Write the documents as several segments.',
  })
}

/** Postings in the order of their terms, within a term in their own order. A counting sort. */
function sortByTerm(terms: TermSet, postings: PostingList, order: Uint32Array): Uint32Array {
  const next = new Uint32Array(terms.count)
  let first = 0
  for (let i = 0; i < order.length; i++) {
    const term = wordAt(order, i)
    next[term] = first
    first += wordAt(terms.frequency, term)
  }
  const sorted = new Uint32Array(postings.count)
  postings.forEachChunk((ids, values, length) => {
    for (let i = 0; i < length; i++) sorted[increment(next, wordAt(ids, i))] = wordAt(values, i)
  })
  return sorted
}

// Chunks, not one array that doubles: six million postings are never copied, nor is there ever a second array of twice
// the size.
const CHUNK_BITS = 18
const CHUNK = 2 ** CHUNK_BITS

interface PostingChunk {
  readonly ids: Uint32Array
  readonly values: Uint32Array
}

/** Postings in the order in which they come, each with the id of its term. */
class PostingList {
  count = 0
  #chunks: PostingChunk[] = []
  #last: PostingChunk = { ids: new Uint32Array(0), values: new Uint32Array(0) }

  /** Adds a term's posting of a document whose postings begin at `start`. */
  add(terms: TermSet, text: string, posting: number, start: number): void {
    const [high, low] = hash64(text)
    const term = terms.idOf(high, low)
    const previous = wordAt(terms.lastPosting, term) - 1
    if (previous >= start) {
      this.#addCount(previous, posting >>> COUNT_SHIFT)
      return
    }
    const within = this.count & (CHUNK - 1)
    if (within === 0) {
      this.#last = { ids: new Uint32Array(CHUNK), values: new Uint32Array(CHUNK) }
      this.#chunks.push(this.#last)
    }
    this.#last.ids[within] = term
    this.#last.values[within] = posting
    terms.lastPosting[term] = ++this.count
    increment(terms.frequency, term)
  }

  /** Two terms of a document have the same hash: they are one term. */
  #addCount(at: number, count: number): void {
    const values = this.#chunks[at >>> CHUNK_BITS]?.values ?? this.#last.values
    const posting = wordAt(values, at & (CHUNK - 1))
    const sum = Math.min(COUNT_MAX, (posting >>> COUNT_SHIFT) + count)
    values[at & (CHUNK - 1)] = (posting & DOCUMENT_MASK) | (sum << COUNT_SHIFT)
  }

  forEachChunk(visit: (ids: Uint32Array, values: Uint32Array, length: number) => void): void {
    for (const [i, { ids, values }] of this.#chunks.entries()) {
      visit(ids, values, Math.min(CHUNK, this.count - i * CHUNK))
    }
  }
}

/** Distinct terms by hash, numbered as they come. An open-addressing table, 24 to 48 bytes per term. */
class TermSet {
  count = 0
  high = new Uint32Array(1024)
  low = new Uint32Array(1024)
  frequency = new Uint32Array(1024)
  /** Index of the term's newest posting, plus 1. */
  lastPosting = new Uint32Array(1024)
  #slots = new Uint32Array(2048)

  idOf(high: number, low: number): number {
    const mask = this.#slots.length - 1
    let slot = low & mask
    for (let next = wordAt(this.#slots, slot); next !== 0; next = wordAt(this.#slots, slot)) {
      if (this.low[next - 1] === low && this.high[next - 1] === high) return next - 1
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

  /** Ids by ascending hash: a counting sort by home slot, which has one term on average, then an insertion sort. */
  inHashOrder(): Uint32Array {
    const ends = new Uint32Array(this.count + 1)
    for (let id = 0; id < this.count; id++) increment(ends, homeSlot(wordAt(this.high, id), this.count) + 1)
    for (let i = 1; i < ends.length; i++) ends[i] = wordAt(ends, i) + wordAt(ends, i - 1)
    const order = new Uint32Array(this.count)
    for (let id = 0; id < this.count; id++) order[increment(ends, homeSlot(wordAt(this.high, id), this.count))] = id
    for (let i = 1; i < order.length; i++) {
      const id = wordAt(order, i)
      let at = i
      for (; at > 0 && this.#isBefore(id, wordAt(order, at - 1)); at--) order[at] = wordAt(order, at - 1)
      order[at] = id
    }
    return order
  }

  columns(order: Uint32Array): TermColumns {
    const pick = (from: Uint32Array): Uint32Array => {
      const picked = new Uint32Array(order.length)
      for (let i = 0; i < order.length; i++) picked[i] = wordAt(from, wordAt(order, i))
      return picked
    }
    return { count: this.count, high: pick(this.high), low: pick(this.low), frequency: pick(this.frequency) }
  }

  #isBefore(a: number, b: number): boolean {
    const difference = wordAt(this.high, a) - wordAt(this.high, b)
    return difference < 0 || (difference === 0 && wordAt(this.low, a) < wordAt(this.low, b))
  }

  #grow(): void {
    const capacity = 2 * this.high.length
    this.high = growArray(this.high, new Uint32Array(capacity))
    this.low = growArray(this.low, new Uint32Array(capacity))
    this.frequency = growArray(this.frequency, new Uint32Array(capacity))
    this.lastPosting = growArray(this.lastPosting, new Uint32Array(capacity))
    this.#slots = new Uint32Array(2 * capacity)
    const mask = this.#slots.length - 1
    for (let id = 0; id < this.count; id++) {
      let slot = wordAt(this.low, id) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = id + 1
    }
  }
}

/** Copies `from` to the beginning of `into`. */
function growArray<T extends Uint8Array | Uint32Array>(from: T, into: T): T {
  into.set(from)
  return into
}

/** Adds 1 to `words[i]` and returns the value before. */
function increment(words: Uint32Array, i: number): number {
  const value = wordAt(words, i)
  words[i] = value + 1
  return value
}
