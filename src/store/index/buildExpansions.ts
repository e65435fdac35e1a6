// Builds the expansions of a segment: for each word that a query may contain, the documents that have a word of
// nearly the same meaning. It is an index segment of its own, over the same documents. A posting's count is a share
// of the greatest score that one term can give, in 255 steps, with rarity, repetition and length already applied.
//
//   count ──► weight of the neighbour × min(rarity of both words) × count / (count + length penalty)
//
// So a query adds up what is written here. The words themselves are not stored.

import { inverseDocumentFrequency, lengthPenalty, termGain, USUAL_BM25 } from '../../model/bm25.ts'
import { hash64 } from '../../text/hash.ts'
import {
  COUNT_MAX,
  COUNT_SHIFT,
  DOCUMENT_MASK,
  decodeLength,
  encodeSegment,
  type IndexSegment,
  LONGEST_NORM,
  listTerms,
  SLOT_WORDS,
  sortByDocument,
  type TermHash,
  type TermPostings,
  wordAt,
} from './indexSegment.ts'

export interface WordExpansion {
  /** What a query looks it up by. */
  readonly keys: readonly TermHash[]
  /** The word itself: documents that have it need no expansion. */
  readonly own: WordMatches
  /** Weights are 0 to 1. */
  readonly neighbours: readonly { readonly matches: WordMatches; readonly weight: number }[]
}

/** The bytes of the expansions over the segment's documents; undefined if there are none. */
export function buildExpansions(index: IndexSegment, expansions: Iterable<WordExpansion>): Buffer | undefined {
  const finder = new DocumentFinder(index)
  const byKey = new Map<number, TermPostings>()
  for (const expansion of expansions) {
    const postings = scoreExpansion(expansion, finder)
    if (postings.length === 0) continue
    for (const key of expansion.keys) {
      const known = byKey.get(termKey(key))
      byKey.set(termKey(key), { hash: key, postings: known ? takeBetter(known.postings, postings) : postings })
    }
  }
  if (byKey.size === 0) return undefined
  const norms = new Uint8Array(index.documents).fill(LONGEST_NORM)
  const terms = [...byKey.values()].sort((a, b) => a.hash[0] - b.hash[0] || a.hash[1] - b.hash[1])
  return encodeSegment(norms, listTerms(terms))
}

/** The documents that have a neighbour and not the word itself, each with its greatest score. */
function scoreExpansion({ own, neighbours }: WordExpansion, finder: DocumentFinder): Uint32Array {
  const having = finder.find(own).docs
  const rarityMax = having.length > 0 ? finder.rarity(having.length) : Number.POSITIVE_INFINITY
  const scores = new Map<number, number>()
  for (const { matches, weight } of neighbours) {
    const found = finder.find(matches).docs.length
    if (found === 0 || finder.isCommon(found)) continue
    const share = weight * Math.min(rarityMax, finder.rarity(found))
    const { docs, saturations } = finder.findBest(matches)
    docs.forEach((doc, i) => {
      const score = share * (saturations[i] ?? 0)
      if (score > (scores.get(doc) ?? 0)) scores.set(doc, score)
    })
  }
  if (scores.size > 0) for (const doc of having) scores.delete(doc)
  const steps = Array.from(scores, ([doc, score]) => {
    const step = Math.min(COUNT_MAX, Math.round(COUNT_MAX * score))
    return (step << COUNT_SHIFT) | doc
  })
  // Scores below one step are left out.
  const postings = steps.filter((posting) => posting >>> COUNT_SHIFT > 0)
  return selectBest(sortByDocument(Uint32Array.from(postings)))
}

/** The documents of both, each with its greater score. */
function takeBetter(a: Uint32Array, b: Uint32Array): Uint32Array {
  const better = new Map<number, number>()
  for (const words of [a, b]) {
    for (const word of words) {
      const doc = word & DOCUMENT_MASK
      better.set(doc, Math.max(word, better.get(doc) ?? 0))
    }
  }
  return selectBest(sortByDocument(Uint32Array.from(better.values())))
}

/** The best documents of a word among these, which are in their order, and in their order. */
function selectBest(postings: Uint32Array): Uint32Array {
  // The score is in the upper bits, so the greatest numbers are the best documents.
  return postings.length > DOCUMENTS_A_WORD_MAX
    ? sortByDocument(postings.slice().sort().subarray(-DOCUMENTS_A_WORD_MAX))
    : postings
}

export const hashMatches = (matches: readonly (readonly string[])[]): WordMatches =>
  matches.map((terms) => terms.map(hash64))

// Finds the documents of an index segment that have a word, for the expansions of the segment.

/** A document has a word if it has all terms of one of these lists. */
export type WordMatches = readonly (readonly TermHash[])[]

/** Documents of one word at most, the best: a hook reads all of them. */
const DOCUMENTS_A_WORD_MAX = 512

/** A word that more than this share of the documents have says nothing about them. */
const COMMON_SHARE = 0.25
/** Up to this many documents no word counts as common. */
const COMMON_DOCUMENTS_MIN = 40

/** Documents in ascending order, and how much each repeats the word, 0 to 1. */
type FoundDocuments = Readonly<{ docs: Uint32Array; saturations: Float64Array }>

const NO_DOCUMENTS: FoundDocuments = { docs: new Uint32Array(0), saturations: new Float64Array(0) }

/** Finds the documents that have a word, and how much each repeats it. */
class DocumentFinder {
  readonly #index: IndexSegment
  /** By document: what its length takes off. */
  readonly #penalties: Float64Array
  readonly #gainMax: number
  readonly #postings: Uint32Array
  /** Of each term: where its postings begin and end. */
  readonly #terms = new Map<number, readonly [number, number]>()
  /** By the word's list itself: a word is in several expansions, always with the same list. */
  readonly #found = new Map<WordMatches, FoundDocuments>()
  readonly #best = new Map<WordMatches, FoundDocuments>()

  constructor(index: IndexSegment) {
    this.#index = index
    const { table, postings } = index.readAll()
    this.#postings = postings
    for (let slot = 0; slot < table.length; slot += SLOT_WORDS) {
      const frequency = wordAt(table, slot + 2)
      const first = wordAt(table, slot + 3)
      if (frequency > 0)
        this.#terms.set(termKey([wordAt(table, slot), wordAt(table, slot + 1)]), [first, first + frequency])
    }
    const average = index.lengthTotal / Math.max(1, index.documents)
    this.#penalties = Float64Array.from(index.norms(), (norm) => lengthPenalty(decodeLength(norm), average, USUAL_BM25))
    this.#gainMax = termGain(1, index.documents, USUAL_BM25)
  }

  /** How rare a word of so many documents is, as a share of the rarest. */
  rarity(documents: number): number {
    return (inverseDocumentFrequency(documents, this.#index.documents) * (USUAL_BM25.k1 + 1)) / this.#gainMax
  }

  isCommon(documents: number): boolean {
    return documents > Math.max(COMMON_DOCUMENTS_MIN, COMMON_SHARE * this.#index.documents)
  }

  /** What `count` repetitions in this document give of a term's score, 0 to 1. */
  saturation(doc: number, count: number): number {
    return count / (count + (this.#penalties[doc] ?? 0))
  }

  /** The documents that have all terms of one of these lists, each with its saturation. */
  find(matches: WordMatches): FoundDocuments {
    const known = this.#found.get(matches)
    if (known) return known
    let found = NO_DOCUMENTS
    for (const terms of matches) {
      const more = this.#findAll(terms)
      if (more.docs.length > 0) found = found.docs.length > 0 ? joinDocuments(found, more) : more
    }
    this.#found.set(matches, found)
    return found
  }

  /** The same, but only the documents that repeat it most. */
  findBest(matches: WordMatches): FoundDocuments {
    const found = this.find(matches)
    if (found.docs.length <= DOCUMENTS_A_WORD_MAX) return found
    const known = this.#best.get(matches)
    if (known) return known
    const best = pairs(found)
      .sort((a, b) => b[1] - a[1] || b[0] - a[0])
      .slice(0, DOCUMENTS_A_WORD_MAX)
    this.#best.set(matches, fromPairs(best))
    return fromPairs(best)
  }

  /** The documents with all of these terms, with the saturation of the rarest one in each. */
  #findAll(terms: readonly TermHash[]): FoundDocuments {
    let found: Uint32Array | undefined
    for (const term of terms) {
      const [from, to] = this.#terms.get(termKey(term)) ?? [0, 0]
      const own = this.#postings.subarray(from, to)
      found = found ? intersectPostings(found, own) : own
      if (found.length === 0) return NO_DOCUMENTS
    }
    if (!found) return NO_DOCUMENTS
    const docs = found.map((word) => word & DOCUMENT_MASK)
    return {
      docs,
      saturations: Float64Array.from(found, (word, i) => this.saturation(wordAt(docs, i), word >>> COUNT_SHIFT)),
    }
  }
}

/** The documents of both, each with the smaller count. */
function intersectPostings(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(a.length, b.length))
  let count = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [one, other] = [wordAt(a, i), wordAt(b, j)]
    const difference = (one & DOCUMENT_MASK) - (other & DOCUMENT_MASK)
    if (difference <= 0) i++
    if (difference >= 0) j++
    if (difference === 0) both[count++] = Math.min(one, other)
  }
  return both.subarray(0, count)
}

/** The documents of either, each with the greater saturation. */
function joinDocuments(a: FoundDocuments, b: FoundDocuments): FoundDocuments {
  const either = new Map(pairs(a))
  for (const [doc, saturation] of pairs(b)) either.set(doc, Math.max(saturation, either.get(doc) ?? 0))
  return fromPairs([...either].sort(([one], [other]) => one - other))
}

const pairs = ({ docs, saturations }: FoundDocuments): [number, number][] =>
  Array.from(docs, (doc, i) => [doc, saturations[i] as number])

const fromPairs = (documents: readonly (readonly [number, number])[]): FoundDocuments => ({
  docs: Uint32Array.from(documents, ([doc]) => doc),
  saturations: Float64Array.from(documents, ([, saturation]) => saturation),
})

/** 52 bits of a term's hash, which is a whole number that a double holds. */
const termKey = ([high, low]: TermHash): number => high * 2 ** 20 + (low >>> 12)
