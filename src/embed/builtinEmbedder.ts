// The built-in embedder: no download, no native code, no waiting. A text is the sum of its words' vectors, rarer ones heavier.
//
// Words it has learnt (learn.ts) bring the texts they are met in; any other has its own hashed vector. nDCG@10 alone, hashed and
// learnt: LoCoMo 28.7, 46.0; JSTS 64.2, 67.1; JSQuAD 81.8, 91.2; SciFact 40.3, 60.2. BM25: 47.9, 69.6, 94.6, 69.2. At a quarter of
// its weight beside BM25, learnt gives 48.6, 70.3, 94.5, 69.5; hashed takes from all four, so it should not be joined to keywords.
import { type SyncEmbedder, toUnitVector } from '../model/ports.ts'
import { hash64 } from '../text/hash.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'
import { addIndexVector, BUILTIN_DIMENSIONS } from './indexVector.ts'
import { computeTermWeight } from './trainWordVectors.ts'
import type { WordVectors } from './wordVectors.ts'

/** Says how texts are cut and words hashed: counts up when one of them changes, so that old vectors are not compared with new. */
const VERSION = 1

/** Whether a model id is the built-in's, whatever it has learnt. */
export const isBuiltinModel = (id: string): boolean => id.startsWith('builtin-')

/** The built-in embedder with what it has learnt, or with hashed words alone. */
export function createBuiltinEmbedder(learned?: WordVectors): SyncEmbedder {
  return {
    id: learned ? `builtin-${VERSION}:${learned.name}` : `builtin-${VERSION}`,
    dimensions: BUILTIN_DIMENSIONS,
    embed: (texts) => texts.map((text) => vectorOf(extractTerms(text), learned)),
  }
}

function vectorOf(terms: readonly string[], learned: WordVectors | undefined): Float32Array {
  const sums = new Float32Array(BUILTIN_DIMENSIONS)
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  for (const [term, count] of counts) {
    const hash = hash64(term)
    const place = learned ? learned.find(hash) : -1
    const weight = computeTermWeight(count, learned ? learned.rarity(place) : 1)
    if (learned && place >= 0) learned.addTo(sums, place, weight)
    else addIndexVector(sums, 0, hash, weight)
  }
  const text = toUnitVector(sums)
  if (!learned || counts.size === 0) return text
  for (let i = 0; i < BUILTIN_DIMENSIONS; i++) text[i]! -= learned.mean[i]!
  return toUnitVector(text)
}
