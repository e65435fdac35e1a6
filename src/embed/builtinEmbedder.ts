// The built-in embedder: no download, no native code, synchronous. A text is the sum of its words' vectors, weighted by
// rarity.
//
// Trained words (trainWordVectors.ts) have the vectors of their contexts; other words have their index vectors. nDCG@10
// of the embedder alone, index and trained: LoCoMo 28.7, 46.0; JSTS 64.2, 67.1; JSQuAD 81.8, 91.2; SciFact 40.3, 60.2.
// BM25: 47.9, 69.6, 94.6, 69.2. BM25 plus trained vectors at a quarter of the weight: 48.6, 70.3, 94.5, 69.5. Index
// vectors alone make BM25 worse on all four, so they should not be combined with keywords.
import { type SyncEmbedder, toUnitVector } from '../model/ports.ts'
import { hash64 } from '../text/hash.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'
import { addIndexVector, addScaled, BUILTIN_DIMENSIONS } from './indexVector.ts'
import { computeTermWeight } from './trainWordVectors.ts'
import type { WordVectors } from './wordVectors.ts'

/** Part of the model id. Grows when terms or hashes change, so that old and new vectors are not compared. */
const VERSION = 1

/** Whether a model id is that of the built-in embedder, with any training. */
export const isBuiltinModel = (id: string): boolean => id.startsWith('builtin-')

/** The built-in embedder with trained words, or with index vectors only. */
export function createBuiltinEmbedder(trained?: WordVectors): SyncEmbedder {
  return {
    id: trained ? `builtin-${VERSION}:${trained.name}` : `builtin-${VERSION}`,
    dimensions: BUILTIN_DIMENSIONS,
    embed: (texts) => texts.map((text) => embedTerms(extractTerms(text), trained)),
  }
}

function embedTerms(terms: readonly string[], trained: WordVectors | undefined): Float32Array {
  const sums = new Float32Array(BUILTIN_DIMENSIONS)
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  for (const [term, count] of counts) {
    const hash = hash64(term)
    const index = trained ? trained.find(hash) : -1
    const weight = computeTermWeight(count, trained ? trained.rarity(index) : 1)
    if (trained && index >= 0) trained.addTo(sums, index, weight)
    else addIndexVector(sums, hash, weight)
  }
  const vector = toUnitVector(sums)
  if (!trained || counts.size === 0) return vector
  addScaled(vector, trained.mean, 0, -1)
  return toUnitVector(vector)
}
