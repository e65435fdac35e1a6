// Builds a segment from documents given as term counts, and merges segments into one without removed documents. A merge
// needs no text: terms are hashes.
import { MemoryError } from '../../model/memoryError.ts'
import { hash64 } from '../../text/hash.ts'
import type { IndexSegment } from './indexSegment.ts'
import {
  COUNT_MAX,
  COUNT_SHIFT,
  DOCUMENT_MASK,
  DOCUMENTS_MAX,
  encodeLength,
  encodeSegment,
  SLOT_WORDS,
  sortByDocument,
  type TermPostings,
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
  const terms = Array.from(postingsByTerm, ([text, postings]) => ({
    hash: hash64(text),
    postings: Uint32Array.from(postings),
  }))
  return encodeSegment(Uint8Array.from(norms), combineTerms(terms))
}

/** For more documents than a posting has numbers. */
function tooManyDocumentsError(): MemoryError {
  return new MemoryError('INPUT_INVALID', `An index segment holds at most ${DOCUMENTS_MAX} documents`, {
    hint: 'Write the documents as several segments.',
  })
}

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
  const terms: TermPostings[] = []
  let documents = 0
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
    const { table, postings } = segment.readAll()
    for (let slot = 0; slot < table.length; slot += SLOT_WORDS) {
      const first = wordAt(table, slot + 3)
      const last = first + wordAt(table, slot + 2)
      const kept = new Uint32Array(last - first)
      let end = 0
      for (let at = first; at < last; at++) {
        const posting = wordAt(postings, at)
        const number = wordAt(numbers, posting & DOCUMENT_MASK)
        if (number !== REMOVED) kept[end++] = (posting & ~DOCUMENT_MASK) | number
      }
      const hash = [wordAt(table, slot), wordAt(table, slot + 1)] as const
      if (end > 0) terms.push({ hash, postings: kept.subarray(0, end) })
    }
  }
  return encodeSegment(norms.subarray(0, documents), combineTerms(terms))
}

/** In the order of their hashes; terms with the same one are one term. */
function combineTerms(terms: TermPostings[]): readonly TermPostings[] {
  const combined: TermPostings[] = []
  for (const { hash, postings } of terms.sort((a, b) => a.hash[0] - b.hash[0] || a.hash[1] - b.hash[1])) {
    const last = combined.at(-1)
    if (last?.hash[0] === hash[0] && last.hash[1] === hash[1])
      combined[combined.length - 1] = { hash, postings: joinPostings(last.postings, postings) }
    else combined.push({ hash, postings: sortByDocument(postings) })
  }
  return combined
}

/** By document; the counts of one that has both terms are added. */
function joinPostings(a: Uint32Array, b: Uint32Array): Uint32Array {
  const all = new Uint32Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  sortByDocument(all)
  let end = 0
  for (let i = 0; i < all.length; i++) {
    const posting = wordAt(all, i)
    const before = end === 0 ? REMOVED : wordAt(all, end - 1)
    if (end === 0 || (before & DOCUMENT_MASK) !== (posting & DOCUMENT_MASK)) all[end++] = posting
    else {
      const count = Math.min(COUNT_MAX, (before >>> COUNT_SHIFT) + (posting >>> COUNT_SHIFT))
      all[end - 1] = (posting & DOCUMENT_MASK) | (count << COUNT_SHIFT)
    }
  }
  return all.subarray(0, end)
}
