// A word's own vector: six signed ones among 256, placed by the word's hash. Two words meet in one place in seven or so.

export const BUILTIN_DIMENSIONS = 256

const ONES = 6

/** At this height six ones have length 1. */
const HEIGHT = 1 / Math.sqrt(ONES)

/**
 * Adds `weight` × the own vector of the word with this hash to the 256 numbers of `sums` from `at` on.
 *
 * Each one has its bits from a mixing of its own: six times nine bits are nearly all that a hash has.
 */
export function addIndexVector(
  sums: Float32Array,
  at: number,
  [high, low]: readonly [number, number],
  weight: number,
): void {
  let bits = high
  for (let one = 1; one <= ONES; one++) {
    // MurmurHash3's finaliser over the one half, with as much of the other as tells this one from the last.
    bits = Math.imul(bits ^ (bits >>> 16) ^ (low + Math.imul(one, 0x9e3779b9)), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
    bits ^= bits >>> 16
    sums[at + (bits & 0xff)]! += (bits & 0x100 ? -HEIGHT : HEIGHT) * weight
  }
}
