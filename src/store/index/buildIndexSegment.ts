// Builds a segment from documents given as term counts, and merges segments into one without removed documents. A merge
// needs no text: terms are hashes.
import { MemoryError } from '../../model/memoryError.ts'
import { hash64 } from '../../text/hash.ts'
import {
  COUNT_MAX,
  COUNT_SHIFT,
  DOCUMENT_MASK,
  DOCUMENTS_MAX,
  encodeLength,
  encodeSegment,
  type IndexSegment,
  listTerms,
  SLOT_WORDS,
  sortByDocument,
  type TermLists,
  wordAt,
} from './indexSegment.ts'

/** Counts are whole numbers from 1 on, stored up to 255. `length` is the number that BM25 compares to the average. */
export type IndexedDocument = Readonly<{ terms: ReadonlyMap<string, number>; length: number }>

/**
 * The bytes of a segment over these documents, which get the numbers 0, 1, … in their order.
 *
 * The same documents give the same bytes. Throws INPUT_INVALID past 2^24 documents.
 */
export function buildIndexSegment(documents: Iterable<IndexedDocument>): Buffer {
  const norms: number[] = []
  const postingsByTerm = new Map<string, number[]>()
  for (const { terms, length } of documents) {
    const document = norms.length
    if (document === DOCUMENTS_MAX) throw tooManyDocumentsError()
    norms.push(encodeLength(length))
    for (const [text, count] of terms) {
      if (count < 1) continue
      const posting = document | (Math.min(COUNT_MAX, count) << COUNT_SHIFT)
      const known = postingsByTerm.get(text)
      if (known) known.push(posting)
      else postingsByTerm.set(text, [posting])
    }
  }
  const terms = Array.from(postingsByTerm, ([text, postings]) => ({ hash: hash64(text), postings }))
  terms.sort((a, b) => a.hash[0] - b.hash[0] || a.hash[1] - b.hash[1])
  return encodeSegment(Uint8Array.from(norms), listTerms(terms))
}

/** For more documents than a posting has numbers. */
const tooManyDocumentsError = (): MemoryError =>
  new MemoryError('INPUT_INVALID', `An index segment holds at most ${DOCUMENTS_MAX} documents`, {
    hint: 'Write the documents as several segments.',
  })

export interface MergeInput {
  readonly segment: IndexSegment
  /**
   * The new number of a document, undefined to leave it out. Over all inputs, the numbers are 0, 1, … in any order,
   * each once. Called once for each document, in order.
   */
  readonly newNumber: (doc: number) => number | undefined
}

/** In place of a new number: the document is left out. No document has this number. */
const REMOVED = 2 ** 32 - 1

/**
 * The bytes of one segment with the kept documents under their new numbers. The same bytes as `buildIndexSegment`
 * gives for them, except counts and lengths that a segment cannot store exactly.
 *
 * Needs the memory of all inputs. Throws STORE_INVALID for an input with a wrong checksum, INPUT_INVALID past 2^24
 * documents.
 */
export function mergeSegments(inputs: readonly MergeInput[]): Buffer {
  const norms = new Uint8Array(inputs.reduce((sum, { segment }) => sum + segment.documents, 0))
  let documents = 0
  const opened: OpenInput[] = []
  for (const { segment, newNumber } of inputs) {
    const numbers = new Uint32Array(segment.documents).fill(REMOVED)
    const inputNorms = segment.norms()
    for (let doc = 0; doc < segment.documents; doc++) {
      const number = newNumber(doc)
      if (number === undefined) continue
      norms[number] = inputNorms[doc] ?? 0
      numbers[doc] = number
      documents++
    }
    if (documents > DOCUMENTS_MAX) throw tooManyDocumentsError()
    opened.push({ ...segment.readAll(), numbers, slot: 0 })
  }
  return encodeSegment(norms.subarray(0, documents), mergeTerms(opened))
}

/** An input whose slots before `slot` are merged. */
interface OpenInput {
  readonly table: Uint32Array
  readonly postings: Uint32Array
  /** The new numbers of its documents. */
  readonly numbers: Uint32Array
  slot: number
}

/** The kept terms of all inputs: each table is in the order of the hashes. */
function mergeTerms(inputs: readonly OpenInput[]): TermLists {
  const slots = inputs.reduce((sum, { table }) => sum + table.length / SLOT_WORDS, 0)
  const hashes = new Uint32Array(2 * slots)
  const counts = new Uint32Array(slots)
  const postings = new Uint32Array(inputs.reduce((sum, input) => sum + input.postings.length, 0))
  let terms = 0
  let end = 0
  for (let next = findLowest(inputs); next; next = findLowest(inputs)) {
    const [high, low] = [wordAt(next.table, next.slot), wordAt(next.table, next.slot + 1)]
    const first = end
    for (const input of inputs) {
      if (input.table[input.slot] !== high || input.table[input.slot + 1] !== low) continue
      end = copyPostings(input, postings, end)
      input.slot += SLOT_WORDS
    }
    if (end === first) continue
    sortByDocument(postings.subarray(first, end))
    hashes[2 * terms] = high
    hashes[2 * terms + 1] = low
    counts[terms++] = end - first
  }
  return {
    hashes: hashes.subarray(0, 2 * terms),
    counts: counts.subarray(0, terms),
    postings: postings.subarray(0, end),
  }
}

/** The input whose next term has the lowest hash; undefined if none has a term left. */
function findLowest(inputs: readonly OpenInput[]): OpenInput | undefined {
  let lowest: OpenInput | undefined
  for (const input of inputs) {
    const { table } = input
    while (input.slot < table.length && table[input.slot + 2] === 0) input.slot += SLOT_WORDS
    if (input.slot === table.length) continue
    const order = lowest ? wordAt(table, input.slot) - wordAt(lowest.table, lowest.slot) : -1
    const isLower =
      order < 0 || (order === 0 && lowest && wordAt(table, input.slot + 1) < wordAt(lowest.table, lowest.slot + 1))
    if (isLower) lowest = input
  }
  return lowest
}

/** Adds the postings of the next term that are kept, and returns where they end. */
function copyPostings({ table, postings, numbers, slot }: OpenInput, to: Uint32Array, start: number): number {
  const first = wordAt(table, slot + 3)
  const last = first + wordAt(table, slot + 2)
  let end = start
  for (let at = first; at < last; at++) {
    const posting = wordAt(postings, at)
    const number = wordAt(numbers, posting & DOCUMENT_MASK)
    if (number !== REMOVED) to[end++] = (posting & ~DOCUMENT_MASK) | number
  }
  return end
}
