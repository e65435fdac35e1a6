// Scores memories by meaning: by the vectors stored with the snapshot, and by vectors made now for newer memories.
import { createBuiltinEmbedder, isBuiltinModel } from '../../embed/builtinEmbedder.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Embedder } from '../../model/ports.ts'
import { openVectorSet, type VectorSet } from '../../store/vectors/vectorSet.ts'
import { loadVocabulary } from '../embedding/builtinVocabulary.ts'
import { embeddedText, textKey } from '../embedding/vectorSync.ts'
import type { LiveStore } from '../live/liveStore.ts'
import type { CachedDoc } from './docCache.ts'
import { computeLexicalCosines } from './lexicalCosine.ts'

/** The vectors of one embedder, row after row: reading each from a place of its own would take longer than the sums. */
interface VectorBlock {
  matrix: Float32Array
  rows: number
}

export interface SemanticScorer {
  /** The similarity of each document to the question, 0 to 1, in the order of `docs`. */
  score(question: string, docs: readonly CachedDoc[]): Promise<Float32Array>
}

/** The id of the built-in embedder without a trained vocabulary. */
const UNTRAINED = createBuiltinEmbedder().id

/**
 * `configured` is the user's embedder. Without it, or if the store's vectors are of another model, the built-in
 * embedder makes the vectors; while that has no vocabulary, texts are compared by their terms.
 */
export function createSemanticScorer(liveStore: LiveStore, configured?: Embedder): SemanticScorer {
  let usable = configured
  const { files, layout } = liveStore.store
  let block: VectorBlock = { matrix: new Float32Array(0), rows: 0 }
  let current: { readonly vectors: VectorSet; readonly embedder: Embedder } | undefined

  const refresh = () => {
    const vectors = openVectorSet(files, layout, undefined, current?.vectors)
    if (current && vectors === current.vectors) return current
    const { model } = vectors.current
    const vocabulary = isBuiltinModel(model) ? loadVocabulary(liveStore.store, vectors.current) : undefined
    const embedder = usable?.id === model ? usable : createBuiltinEmbedder(vocabulary?.words)
    if (embedder.id !== current?.embedder.id) block = { matrix: new Float32Array(0), rows: 0 }
    current = { vectors, embedder }
    return current
  }
  const addVector = (doc: CachedDoc, dimensions: number, values: Float32Array): void => {
    if (block.matrix.length < (block.rows + 1) * dimensions) {
      const wider = new Float32Array(Math.max(1_024, 2 * block.rows) * dimensions)
      wider.set(block.matrix.subarray(0, block.rows * dimensions))
      block.matrix = wider
    }
    block.matrix.set(values, block.rows * dimensions)
    doc.block = block
    doc.row = block.rows++
  }
  const embedMissing = async (vectors: VectorSet, embedder: Embedder, docs: readonly CachedDoc[]): Promise<void> => {
    const missing: { readonly doc: CachedDoc; readonly text: string }[] = []
    for (const doc of docs) {
      if (doc.block === block) continue
      const text = embeddedText(doc.memory)
      const values = findStoredVector(vectors, embedder, doc, text)
      if (values) addVector(doc, embedder.dimensions, values)
      else missing.push({ doc, text })
    }
    if (missing.length === 0) return
    const made = await embedder.embed(
      missing.map(({ text }) => text),
      'passage',
    )
    missing.forEach(({ doc }, i) => {
      const values = made[i]
      if (values) addVector(doc, embedder.dimensions, values)
    })
  }

  const score: SemanticScorer['score'] = async (question, docs) => {
    const { vectors, embedder } = refresh()
    if (embedder.id === UNTRAINED) return computeLexicalCosines(question, docs)
    try {
      const scored = block
      await embedMissing(vectors, embedder, docs)
      const [query] = await embedder.embed([question], 'query')
      // Another question has trained a new vocabulary meanwhile, and moved the documents to a block of its vectors.
      if (scored !== block) return score(question, docs)
      return computeSimilarities(query!, block.matrix, docs)
    } catch (error) {
      if (embedder !== usable || !(error instanceof MemoryError)) throw error
      // The embedder does not answer and would delay every search: use the built-in one as long as this store is open.
      usable = undefined
      current = undefined
      return score(question, docs)
    }
  }
  return { score }
}

/** The vector stored with the snapshot, if this embedder made it from this very text. */
function findStoredVector(
  { current, tiers }: VectorSet,
  embedder: Embedder,
  doc: CachedDoc,
  text: string,
): Float32Array | undefined {
  if (current.model !== embedder.id) return undefined
  for (const index of tiers.values()) {
    const key = index.getKey(doc.memory.id)
    if (key !== undefined) return key === textKey(text) ? index.getVector(doc.memory.id) : undefined
  }
  return undefined
}

function computeSimilarities(query: Float32Array, matrix: Float32Array, docs: readonly CachedDoc[]): Float32Array {
  // In double precision, the sums need not convert it again for every document.
  const vector = Float64Array.from(query)
  const similarities = new Float32Array(docs.length)
  for (let i = 0; i < similarities.length; i++) {
    const cosine = dot(vector, matrix, docs[i]!.row! * vector.length)
    similarities[i] = cosine < 0 ? 0 : cosine > 1 ? 1 : cosine
  }
  return similarities
}

/** Most of a search's time. Four sums side by side, because a single one would wait for the previous step. */
function dot(vector: Float64Array, matrix: Float32Array, offset: number): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let i = 0
  let j = offset
  for (; i + 3 < vector.length; i += 4, j += 4) {
    a += vector[i]! * matrix[j]!
    b += vector[i + 1]! * matrix[j + 1]!
    c += vector[i + 2]! * matrix[j + 2]!
    d += vector[i + 3]! * matrix[j + 3]!
  }
  for (; i < vector.length; i++, j++) a += vector[i]! * matrix[j]!
  return a + b + c + d
}
