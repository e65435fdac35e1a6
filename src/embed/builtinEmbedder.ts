// The built-in embedder: no download, no native code, synchronous. A text is the sum of its words' index vectors. It
// keeps the vector index in work where no model is configured; searches by meaning then compare the words themselves
// (broker/search/lexicalCosine.ts), which these vectors only approximate.
import { type SyncEmbedder, toUnitVector } from '../model/ports.ts'
import { hash64 } from '../text/hash.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'
import { addIndexVector, BUILTIN_DIMENSIONS } from './indexVector.ts'

/** Part of the model id. Grows when terms or hashes change, so that old and new vectors are not compared. */
const VERSION = 1

/** Whether a model id is that of the built-in embedder. Earlier versions trained its words: `builtin-1:8c1f00aa`. */
export const isBuiltinModel = (id: string): boolean => id.startsWith('builtin-')

export function createBuiltinEmbedder(): SyncEmbedder {
  return {
    id: `builtin-${VERSION}`,
    dimensions: BUILTIN_DIMENSIONS,
    embed: (texts) => texts.map((text) => embedTerms(extractTerms(text))),
  }
}

/** The weight of a word that occurs `count` times in a text: the second time counts less than the first. */
export const computeTermWeight = (count: number): number => 1 + Math.log(count)

function embedTerms(terms: readonly string[]): Float32Array {
  const sums = new Float32Array(BUILTIN_DIMENSIONS)
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  for (const [term, count] of counts) addIndexVector(sums, hash64(term), computeTermWeight(count))
  return toUnitVector(sums)
}
