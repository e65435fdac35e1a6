// Builds a segment from documents given as term counts. One pass over the documents into typed arrays, then a counting
// sort by term: linear, at most 16 bytes of memory per posting, with the result.
import { MemoryError } from '../../model/memoryError.ts'
import { hash64 } from '../../text/hash.ts'
import type { IndexSegment } from './indexSegment.ts'
import {
  COUNT_MAX,
  COUNT_SHIFT,
  DOCUMENT_MASK,
  DOCUMENTS_MAX,
  decodeLength,
  encodeLength,
  encodeSegment,
  homeSlot,
  SLOT_WORDS,
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
function tooManyDocumentsError(): MemoryError {
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

// Merges segments into one and leaves out removed documents. Needs no text: terms are hashes. Linear, because all term
// tables have the same order.

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
