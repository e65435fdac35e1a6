// Scores memories by meaning: by the vectors stored with the snapshot, and by vectors made now for newer memories.

import { computeTermWeight, createBuiltinEmbedder } from '../../embed/builtinEmbedder.ts'
import { assertNotCancelled, type Pause, runWithPauses, type Steps } from '../../model/longCall.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Embedder } from '../../model/ports.ts'
import { countEach } from '../../model/sorting.ts'
import { GRAPH_ROWS_MIN, loadHnswLibrary, openVectorSet, type VectorSet } from '../../store/vectors/vectorIndex.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import { embeddedText, textKey } from '../embedding/maintainVectors.ts'
import type { LiveStore } from '../live/liveStore.ts'
import type { CachedDoc, WeightedTerms } from './liveIndex.ts'

interface Current {
  readonly vectors: VectorSet
  readonly embedder: Embedder
}

export interface SemanticScorer {
  /** The similarity of each document to the question, 0 to 1, in the order of `docs`. Throws CANCELLED. */
  score(question: string, docs: readonly CachedDoc[], signal?: AbortSignal): Promise<Float32Array>
  /**
   * Fewer documents, among which the nearest `count` are; or all, as long as comparing all is as fast. Uses the graph
   * of the vector index, so that it may miss one in some hundred searches.
   */
  preselect(
    question: string,
    docs: readonly CachedDoc[],
    count: number,
    signal?: AbortSignal,
  ): Promise<readonly CachedDoc[]>
}

/**
 * Opening the graphs takes as long as about so many exact searches. A process with fewer never opens them. Measured by
 * `bench vectors`, see docs/performance.md.
 */
const EXACT_SEARCHES = 8

/** Neighbours taken from the graph for each document that is wanted: some may not be shown to the caller. */
const NEIGHBOURS_A_RESULT = 8
const NEIGHBOURS_MIN = 128

const BUILTIN = createBuiltinEmbedder()

/**
 * `configured` is the user's embedder. Without it, or if the store's vectors are of another model, the built-in
 * embedder is used, which compares texts by their terms; with a `pause`, in parts.
 */
export function createSemanticScorer(liveStore: LiveStore, configured?: Embedder, pause?: Pause): SemanticScorer {
  let usable = configured
  const { files, layout } = liveStore.store
  let current: Current | undefined

  const refresh = () => {
    const vectors = openVectorSet(files, layout, undefined, current?.vectors)
    if (current && vectors === current.vectors) return current
    const { model } = vectors.current
    const embedder = usable?.id === model ? usable : BUILTIN
    current = { vectors, embedder }
    return current
  }
  const embedMissing = async (
    { vectors, embedder }: Current,
    docs: readonly CachedDoc[],
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    const missing = new Map<CachedDoc, string>()
    for (const doc of docs) {
      if (doc.model === embedder.id) continue
      const text = embeddedText(doc.memory)
      const vector = findStoredVector(vectors, embedder, doc, text)
      if (vector) setVector(doc, vector, embedder)
      else missing.set(doc, text)
    }
    if (missing.size === 0) return
    const made = await embedder.embed([...missing.values()], 'passage', signal)
    for (const [i, doc] of [...missing.keys()].entries()) setVector(doc, made[i], embedder)
  }

  const score: SemanticScorer['score'] = async (question, docs, signal) => {
    // The built-in embedder needs no vectors: to read those of a large store takes long.
    const { vectors, embedder } = usable ? refresh() : { embedder: BUILTIN }
    if (vectors === undefined || embedder === BUILTIN)
      return runWithPauses(computeLexicalCosines(question, docs), pause)
    try {
      await embedMissing({ vectors, embedder }, docs, signal)
      const query = await embedQuestion(embedder, question, signal)
      return computeSimilarities(query, docs)
    } catch (error) {
      assertNotCancelled(signal)
      if (embedder !== usable || !(error instanceof MemoryError)) throw error
      // The embedder does not answer and would delay every search: use the built-in one as long as this store is open.
      usable = undefined
      current = undefined
      return score(question, docs, signal)
    }
  }
  let searches = 0
  let graphs: VectorSet | undefined
  const preselect: SemanticScorer['preselect'] = async (question, docs, count, signal) => {
    if (docs.length < GRAPH_ROWS_MIN || ++searches <= EXACT_SEARCHES) return docs
    const hnsw = await loadHnswLibrary(liveStore.store.home)
    const embedder = usable ? refresh().embedder : BUILTIN
    if (!hnsw || embedder === BUILTIN) return docs
    graphs = openVectorSet(files, layout, hnsw, graphs)
    if (graphs.current.model !== embedder.id) return docs
    try {
      const wanted = Math.max(NEIGHBOURS_MIN, NEIGHBOURS_A_RESULT * count)
      const query = await embedQuestion(embedder, question, signal)
      const found = selectNear(graphs, docs, query, wanted)
      // Too few if the caller may see, or asks for, only a small part.
      return found.length >= count ? found : docs
    } catch (error) {
      assertNotCancelled(signal)
      if (error instanceof MemoryError) return docs // The search itself reports or avoids it.
      throw error
    }
  }
  /** One embedder call for both steps of a search. */
  let latest: { readonly question: string; readonly id: string; readonly vector: Float32Array } | undefined
  const embedQuestion = async (embedder: Embedder, question: string, signal: AbortSignal | undefined) => {
    if (latest?.question === question && latest.id === embedder.id) return latest.vector
    const [vector = new Float32Array(embedder.dimensions)] = await embedder.embed([question], 'query', signal)
    latest = { question, id: embedder.id, vector }
    return vector
  }
  return { score, preselect }
}

/** The documents that the graphs have near the question, and those whose current text has no vector yet. */
function selectNear({ tiers }: VectorSet, docs: readonly CachedDoc[], query: Float32Array, wanted: number) {
  const near = new Set<string>()
  for (const index of tiers.values()) for (const { id } of index.nearest(query, wanted)) near.add(id)
  const indexes = [...tiers.values()]
  const isStored = (doc: CachedDoc): boolean => {
    doc.textKey ??= textKey(embeddedText(doc.memory))
    return indexes.some((index) => index.getKey(doc.memory.id) === doc.textKey)
  }
  return docs.filter((doc) => near.has(doc.memory.id) || !isStored(doc))
}

/** The vector stored with the snapshot, if this embedder made it from this very text. */
function findStoredVector({ current, tiers }: VectorSet, embedder: Embedder, doc: CachedDoc, text: string) {
  if (current.model !== embedder.id) return undefined
  for (const index of tiers.values()) {
    const key = index.getKey(doc.memory.id)
    if (key !== undefined) return key === textKey(text) ? index.getVector(doc.memory.id) : undefined
  }
  return undefined
}

function setVector(doc: CachedDoc, vector: Float32Array | undefined, { id }: Embedder): void {
  doc.vector = vector
  doc.model = id
}

/** 0 for a document without a vector of as many dimensions. */
function computeSimilarities(query: Float32Array, docs: readonly CachedDoc[]): Float32Array {
  // In double precision, the sums need not convert it again for every document.
  const question = Float64Array.from(query)
  return Float32Array.from(docs, ({ vector }) =>
    vector?.length === question.length ? Math.min(1, Math.max(0, dot(question, vector))) : 0,
  )
}

/** Most of a search's time. Four sums side by side, because a single one would wait for the previous step. */
function dot(a: Float64Array, b: Float32Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0]
  let i = 0
  for (; i + 3 < a.length; i += 4) {
    first += a[i]! * b[i]!
    second += a[i + 1]! * b[i + 1]!
    third += a[i + 2]! * b[i + 2]!
    fourth += a[i + 3]! * b[i + 3]!
  }
  for (; i < a.length; i++) first += a[i]! * b[i]!
  return first + second + third + fourth
}

// Similarity of texts by shared terms, in place of vectors: what a search by meaning uses without a model. The built-in
// embedder's hashed vectors only approximate it: a question of two words can be as near to a text that has none of them
// as to one that has both.

/** Among so few documents all words of a question count nearly the same: how rare one is cannot be seen yet. */
const FEW_DOCUMENTS = 10

/** Documents that are compared in one step: some 10 µs. */
const STEP_DOCUMENTS = 256

/** How many documents have each term of a question; all of them under the empty term. */
export type TermCounts = ReadonlyMap<string, number>

/**
 * The square root of the cosine of each document's terms with the question's, 0 to 1. A rare word of the question
 * counts more. A cosine weights terms by their square: texts that share one of four words would get only a quarter.
 * The counts may be of more documents than these.
 */
export function* computeLexicalCosines(question: string, docs: readonly CachedDoc[], counts?: TermCounts) {
  const query = weightByRarity(question, counts ?? (yield* countTerms(question, docs)))
  const cosines = new Float32Array(docs.length)
  for (const [i, doc] of docs.entries()) {
    cosines[i] = Math.sqrt(cosine(query, termsOf(doc)))
    if (i % STEP_DOCUMENTS === 0) yield
  }
  return cosines
}

/** The counts of these documents, added to those of others. */
export function* countTerms(question: string, docs: readonly CachedDoc[], others?: TermCounts): Steps<TermCounts> {
  for (const doc of docs) {
    termsOf(doc)
    yield
  }
  const counts = new Map([['', docs.length + (others?.get('') ?? 0)]])
  for (const term of weightedTerms(question).weights.keys()) {
    let having = others?.get(term) ?? 0
    for (const [i, { terms }] of docs.entries()) {
      if (terms?.weights.has(term)) having++
      if (i % STEP_DOCUMENTS === 0) yield
    }
    counts.set(term, having)
  }
  return counts
}

const termsOf = (doc: CachedDoc): WeightedTerms => (doc.terms ??= weightedTerms(embeddedText(doc.memory)))

export function weightedTerms(text: string): WeightedTerms {
  const counts = countEach(extractTerms(text))
  return withLength(new Map([...counts].map(([term, count]) => [term, computeTermWeight(count)])))
}

/** The terms of a question: rare ones have more weight. */
export function weightByRarity(question: string, counts: TermCounts): WeightedTerms {
  const countOf = (term: string): number => (counts.get(term) ?? 0) + FEW_DOCUMENTS
  const rarityOf = (term: string): number => Math.log(1 + countOf('') / countOf(term))
  return withLength(
    new Map([...weightedTerms(question).weights].map(([term, weight]) => [term, weight * rarityOf(term)])),
  )
}

function withLength(weights: ReadonlyMap<string, number>): WeightedTerms {
  let squares = 0
  for (const weight of weights.values()) squares += weight * weight
  return { weights, length: Math.sqrt(squares) }
}

function cosine(a: WeightedTerms, b: WeightedTerms): number {
  let sum = 0
  for (const [term, weight] of a.weights) sum += weight * (b.weights.get(term) ?? 0)
  return sum === 0 ? 0 : Math.min(1, sum / (a.length * b.length))
}
