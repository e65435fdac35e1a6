// Index vectors of the built-in embedder: six values of ±1/√6 among 256 dimensions, placed by the word's hash.

export const BUILTIN_DIMENSIONS = 256

/** Non-zero values of an index vector. Two words share about one position in seven pairs. */
const NON_ZEROS = 6

/** With six values of this size the vector has length 1. */
const VALUE = 1 / Math.sqrt(NON_ZEROS)

/** 64 bits: the high and the low half of a word's hash. */
type WordHash = readonly [high: number, low: number]

/** Adds `weight` × the index vector of the word with this hash to `sums`. */
export function addIndexVector(sums: Float32Array, [high, low]: WordHash, weight: number): void {
  let bits = high
  for (let n = 1; n <= NON_ZEROS; n++) {
    // MurmurHash3's finalizer, with other input for each value: six times nine bits are nearly all that a hash has.
    bits = Math.imul(bits ^ (bits >>> 16) ^ (low + Math.imul(n, 0x9e3779b9)), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
    bits ^= bits >>> 16
    sums[bits & 0xff]! += (bits & 0x100 ? -VALUE : VALUE) * weight
  }
}
