// Builds the expansions of a segment: for each word that a query may contain, the documents that have a word of
// nearly the same meaning. It is an index segment of its own, over the same documents. A posting's count is a share
// of the greatest score that one term can give, in 255 steps, with rarity, repetition and length already applied.
//
//   count ──► weight of the neighbour × min(rarity of both words) × count / (count + length penalty)
//
// So a query adds up what is written here. The words themselves are not stored.
import { inverseDocumentFrequency, lengthPenalty, termGain, USUAL_BM25 } from '../../model/bm25.ts'
import { hash64 } from '../../text/hash.ts'
import type { IndexSegment, TermHash } from './indexSegment.ts'
import {
  COUNT_MAX,
  COUNT_SHIFT,
  DOCUMENT_MASK,
  decodeLength,
  encodeSegment,
  LONGEST_NORM,
  SLOT_WORDS,
  wordAt,
} from './segmentFormat.ts'

/** A word of a query and its neighbours. */
export interface WordExpansion {
  /** What a query looks it up by. */
  readonly keys: readonly TermHash[]
  /** The word itself: documents that have it need no expansion. */
  readonly own: WordMatches
  readonly neighbours: readonly { readonly matches: WordMatches; readonly weight: number }[]
  /** Documents that mean it as a whole, by their numbers. Weights, here and above, are 0 to 1. */
  readonly documents?: ReadonlyMap<number, number> | undefined
}

/** A document has a word if it has all terms of one of these lists. */
export type WordMatches = readonly (readonly TermHash[])[]

/** Documents of one word at most, the best: a hook reads all of them. */
const DOCUMENTS_A_WORD_MAX = 512

/** A word that more than this share of the documents have says nothing about them. */
const COMMON_SHARE = 0.25
/** Up to this many documents no word counts as common. */
const COMMON_DOCUMENTS_MIN = 40

/** The bytes of the expansions over the segment's documents; undefined if there are none. */
export function buildExpansions(index: IndexSegment, expansions: Iterable<WordExpansion>): Buffer | undefined {
  const finder = new DocumentFinder(index)
  const byKey = new Map<number, KeyPostings>()
  for (const expansion of expansions) {
    const scores = scoreExpansion(expansion, finder)
    if (scores.size === 0) continue
    for (const key of expansion.keys) {
      const known = byKey.get(termKey(key))
      byKey.set(termKey(key), { key, scores: known ? takeBetter(known.scores, scores) : scores })
    }
  }
  return byKey.size === 0 ? undefined : encode(index.documents, [...byKey.values()])
}

function takeBetter(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): Map<number, number> {
  const better = new Map(a)
  for (const [doc, score] of b) better.set(doc, Math.max(score, better.get(doc) ?? 0))
  return better
}

interface KeyPostings {
  readonly key: TermHash
  /** By document: the share of the greatest score, 0 to 1. */
  readonly scores: ReadonlyMap<number, number>
}

function scoreExpansion({ own, neighbours, documents }: WordExpansion, finder: DocumentFinder): Map<number, number> {
  const scores = new Map<number, number>()
  const present = neighbours.filter(({ matches }) => finder.find(matches).size > 0)
  if (present.length === 0 && !documents?.size) return scores
  const having = finder.find(own)
  const rarityMax = having.size > 0 ? finder.rarity(having.size) : Number.POSITIVE_INFINITY
  const put = (doc: number, score: number): void => {
    if (!having.has(doc) && score > (scores.get(doc) ?? 0)) scores.set(doc, score)
  }
  for (const { matches, weight } of present) {
    const found = finder.find(matches)
    if (finder.isCommon(found.size)) continue
    const share = weight * Math.min(rarityMax, finder.rarity(found.size))
    for (const [doc, saturation] of finder.findBest(matches)) put(doc, share * saturation)
  }
  // As rare as the documents that mean it.
  const meant = documents ? finder.rarity(documents.size) : 0
  for (const [doc, weight] of documents ?? []) put(doc, weight * Math.min(rarityMax, meant) * finder.saturation(doc, 1))
  return scores
}

/** Finds the documents that have a word, and how much each repeats it. */
class DocumentFinder {
  readonly #index: IndexSegment
  readonly #norms: Uint8Array
  readonly #average: number
  readonly #gainMax: number
  readonly #postings: Uint32Array
  /** Of each term: where its postings begin and end. */
  readonly #terms = new Map<number, readonly [number, number]>()
  /** By the word's list itself: a word is in several expansions, always with the same list. */
  readonly #found = new Map<WordMatches, ReadonlyMap<number, number>>()
  readonly #best = new Map<WordMatches, readonly (readonly [number, number])[]>()

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
    this.#norms = index.norms()
    this.#average = index.lengthTotal / Math.max(1, index.documents)
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
    return count / (count + lengthPenalty(decodeLength(this.#norms[doc] ?? 0), this.#average, USUAL_BM25))
  }

  /** The documents that have all terms of one of these lists, each with its saturation. */
  find(matches: WordMatches): ReadonlyMap<number, number> {
    const known = this.#found.get(matches)
    if (known) return known
    let found = NO_DOCUMENTS
    for (const terms of matches) {
      const counts = this.#findAll(terms)
      if (counts.size === 0) continue
      const more = new Map(found)
      for (const [doc, count] of counts) more.set(doc, Math.max(this.saturation(doc, count), more.get(doc) ?? 0))
      found = more
    }
    this.#found.set(matches, found)
    return found
  }

  /** The same, but only the documents that repeat it most. */
  findBest(matches: WordMatches): Iterable<readonly [number, number]> {
    const found = this.find(matches)
    if (found.size <= DOCUMENTS_A_WORD_MAX) return found
    const known = this.#best.get(matches)
    if (known) return known
    const best = [...found].sort((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, DOCUMENTS_A_WORD_MAX)
    this.#best.set(matches, best)
    return best
  }

  /** The documents with all of these terms, and the count of the rarest one in each. */
  #findAll(terms: readonly TermHash[]): ReadonlyMap<number, number> {
    let counts: Map<number, number> | undefined
    for (const term of terms) {
      const [from, to] = this.#terms.get(termKey(term)) ?? [0, 0]
      const own = new Map<number, number>()
      for (let i = from; i < to; i++) {
        const doc = wordAt(this.#postings, i) & DOCUMENT_MASK
        const count = wordAt(this.#postings, i) >>> COUNT_SHIFT
        if (!counts) own.set(doc, count)
        else if (counts.has(doc)) own.set(doc, Math.min(count, counts.get(doc) ?? 0))
      }
      if (own.size === 0) return NO_DOCUMENTS
      counts = own
    }
    return counts ?? NO_DOCUMENTS
  }
}

const NO_DOCUMENTS: ReadonlyMap<number, number> = new Map()

/** 52 bits of a term's hash, which is a whole number that a double holds. */
const termKey = ([high, low]: TermHash): number => high * 2 ** 20 + (low >>> 12)

function encode(documents: number, keys: readonly KeyPostings[]): Buffer {
  // In the order of the table: by home slot, then by hash.
  const sorted = keys.toSorted((a, b) => a.key[0] - b.key[0] || a.key[1] - b.key[1])
  const lists = sorted.map(({ scores }) => toPostings(scores))
  const kept = sorted.flatMap(({ key }, i) => (lists[i]?.length ? [{ key, postings: lists[i] }] : []))
  const postings = new Uint32Array(kept.reduce((sum, list) => sum + list.postings.length, 0))
  let end = 0
  for (const list of kept) {
    postings.set(list.postings, end)
    end += list.postings.length
  }
  return encodeSegment({
    norms: new Uint8Array(documents).fill(LONGEST_NORM),
    lengthTotal: documents * decodeLength(LONGEST_NORM),
    terms: {
      count: kept.length,
      high: Uint32Array.from(kept, ({ key }) => key[0]),
      low: Uint32Array.from(kept, ({ key }) => key[1]),
      frequency: Uint32Array.from(kept, (list) => list.postings.length),
    },
    postings,
  })
}

/** The best documents of a word, in their order. Scores below one step are left out. */
function toPostings(scores: ReadonlyMap<number, number>): Uint32Array {
  const all = new Uint32Array(scores.size)
  let count = 0
  for (const [doc, score] of scores) {
    const step = Math.min(COUNT_MAX, Math.round(COUNT_MAX * score))
    if (step > 0) all[count++] = (step << COUNT_SHIFT) | doc
  }
  let postings = all.subarray(0, count)
  // The step is in the upper bits, so the greatest numbers are the best documents.
  if (count > DOCUMENTS_A_WORD_MAX) postings = postings.sort().subarray(-DOCUMENTS_A_WORD_MAX)
  return sortByDocument(postings)
}

/** Sorts in place. Numbers with the document in the upper bits are sorted without a comparing function. */
function sortByDocument(postings: Uint32Array): Uint32Array {
  const rotate = (bits: number): void => {
    postings.forEach((word, i) => {
      postings[i] = (word << bits) | (word >>> (32 - bits))
    })
  }
  rotate(32 - COUNT_SHIFT)
  postings.sort()
  rotate(COUNT_SHIFT)
  return postings
}

/** The hashes of a word's matches. */
export const hashMatches = (matches: readonly (readonly string[])[]): WordMatches =>
  matches.map((terms) => terms.map(hash64))
