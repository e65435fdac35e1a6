// Scores memories by meaning: by the vectors kept beside the snapshot, and for what is newer by ones made now.
import { createBuiltinEmbedder, isBuiltinModel } from '../../embed/builtinEmbedder.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Embedder } from '../../model/ports.ts'
import { openVectorSet, type VectorSet } from '../../store/vectors/vectorSet.ts'
import { loadVocabulary } from '../embedding/builtinVocabulary.ts'
import { embeddedText, textKey } from '../embedding/vectorSync.ts'
import type { LiveStore } from '../live/liveStore.ts'
import type { CachedDoc } from './docCache.ts'
import { computeLexicalCosines } from './lexicalCosine.ts'

/** Vectors of one embedder, row after row. */
interface Block {
  matrix: Float32Array
  rows: number
}

export interface SemanticScorer {
  /** The similarity of each document to the question, 0 to 1, in their order. */
  score(question: string, docs: readonly CachedDoc[]): Promise<Float32Array>
}

/** The built-in's id while it has learnt no words. */
const UNTRAINED = createBuiltinEmbedder().id

/**
 * `chosen` is the embedder that a person has configured. Without it, and for a store whose vectors are another model's, the built-in
 * makes its own; while that has learnt no words, texts are compared word by word.
 */
export function createSemanticScorer(liveStore: LiveStore, chosen?: Embedder): SemanticScorer {
  let given = chosen
  const { files, layout } = liveStore.store
  let block: Block = { matrix: new Float32Array(0), rows: 0 }
  let vectors: VectorSet | undefined
  let embedder: Embedder | undefined

  const begin = (): Embedder => {
    const now = openVectorSet(files, layout, undefined, vectors)
    if (now !== vectors || !embedder) {
      const { model } = now.current
      const learnt = isBuiltinModel(model) ? loadVocabulary(liveStore.store, now.current) : undefined
      const serving = given && given.id === model ? given : createBuiltinEmbedder(learnt?.words)
      if (serving.id !== embedder?.id) block = { matrix: new Float32Array(0), rows: 0 }
      embedder = serving
      vectors = now
    }
    return embedder
  }
  // One after the other in one block: looked up each for itself, a vector costs more than the sum over it.
  const put = (doc: CachedDoc, dimensions: number, values: Float32Array): void => {
    if (block.matrix.length < (block.rows + 1) * dimensions) {
      const wider = new Float32Array(Math.max(1_024, 2 * block.rows) * dimensions)
      wider.set(block.matrix.subarray(0, block.rows * dimensions))
      block.matrix = wider
    }
    block.matrix.set(values, block.rows * dimensions)
    doc.block = block
    doc.row = block.rows++
  }
  const embedMissing = async (serving: Embedder, docs: readonly CachedDoc[]): Promise<void> => {
    const missing: { readonly doc: CachedDoc; readonly text: string }[] = []
    for (const doc of docs) {
      if (doc.block === block) continue
      const text = embeddedText(doc.memory)
      const values = vectorOnDisk(vectors!, serving, doc, text)
      if (values) put(doc, serving.dimensions, values)
      else missing.push({ doc, text })
    }
    if (missing.length === 0) return
    const made = await serving.embed(
      missing.map(({ text }) => text),
      'passage',
    )
    missing.forEach(({ doc }, i) => {
      put(doc, serving.dimensions, made[i]!)
    })
  }

  const score: SemanticScorer['score'] = async (question, docs) => {
    const serving = begin()
    if (serving.id === UNTRAINED) return computeLexicalCosines(question, docs)
    try {
      return await near(serving, question, docs)
    } catch (error) {
      if (serving !== given || !(error instanceof MemoryError)) throw error
      // It cannot be asked now, and would keep every search waiting: the built-in answers for as long as this store is open.
      given = undefined
      embedder = undefined
      return score(question, docs)
    }
  }
  const near = async (serving: Embedder, question: string, docs: readonly CachedDoc[]): Promise<Float32Array> => {
    const own = block
    await embedMissing(serving, docs)
    const [query] = await serving.embed([question], 'query')
    // Another question has met new words meanwhile, and moved every document to a block of their vectors.
    if (own !== block) return score(question, docs)
    const { matrix } = block
    const { dimensions } = serving
    const similarities = new Float32Array(docs.length)
    for (let i = 0; i < similarities.length; i++) {
      const cosine = dot(query!, matrix, docs[i]!.row! * dimensions)
      similarities[i] = cosine < 0 ? 0 : cosine > 1 ? 1 : cosine
    }
    return similarities
  }
  return { score }
}

/** The vector kept beside the snapshot, if it was made by this embedder from this very text. */
function vectorOnDisk(
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

/** Four sums side by side: one would wait for itself at every step, and this is most of what a search takes. */
function dot(vector: Float32Array, matrix: Float32Array, at: number): number {
  let one = 0
  let two = 0
  let three = 0
  let four = 0
  let i = 0
  for (; i + 3 < vector.length; i += 4) {
    one += vector[i]! * matrix[at + i]!
    two += vector[i + 1]! * matrix[at + i + 1]!
    three += vector[i + 2]! * matrix[at + i + 2]!
    four += vector[i + 3]! * matrix[at + i + 3]!
  }
  for (; i < vector.length; i++) one += vector[i]! * matrix[at + i]!
  return one + two + three + four
}
