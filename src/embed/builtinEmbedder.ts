// The built-in embedder: no download, no native code, synchronous. A text is the sum of its words' index vectors. It
// keeps the vector index in work where no model is configured; searches by meaning then compare the words themselves
// (broker/search/semanticScorer.ts), which these vectors only approximate.

import { type SyncEmbedder, toUnitVector } from '../model/ports.ts'
import { countEach } from '../model/sorting.ts'
import { hash64 } from '../text/hash.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'

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
  for (const [term, count] of countEach(terms)) addIndexVector(sums, hash64(term), computeTermWeight(count))
  return toUnitVector(sums)
}

// Index vectors of the built-in embedder: six values of ±1/√6 among 256 dimensions, placed by the word's hash.

const BUILTIN_DIMENSIONS = 256

/** Non-zero values of an index vector. Two words share about one position in seven pairs. */
const NON_ZEROS = 6

/** With six values of this size the vector has length 1. */
const VALUE = 1 / Math.sqrt(NON_ZEROS)

/** 64 bits: the high and the low half of a word's hash. */
type WordHash = readonly [high: number, low: number]

/** Adds `weight` × the index vector of the word with this hash to `sums`. */
function addIndexVector(sums: Float32Array, [high, low]: WordHash, weight: number): void {
  let bits = high
  for (let n = 1; n <= NON_ZEROS; n++) {
    // MurmurHash3's finalizer, with other input for each value: six times nine bits are nearly all that a hash has.
    bits = Math.imul(bits ^ (bits >>> 16) ^ (low + Math.imul(n, 0x9e3779b9)), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
    bits ^= bits >>> 16
    sums[bits & 0xff]! += (bits & 0x100 ? -VALUE : VALUE) * weight
  }
}
