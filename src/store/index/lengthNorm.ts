// A document's length in one byte, on a log scale: BM25 needs to know short from long, not 812 from 815.

// Sixteen steps a doubling: the last code stands for 62,756, more than any memory's content can hold.
const STEPS_PER_DOUBLING = 16

// The steps within one doubling. The rest of the scale is these times a power of two: 256 powers, cold, would cost a
// search a tenth of a millisecond.
const STEPS = Array.from({ length: STEPS_PER_DOUBLING }, (_, step) => 2 ** (step / STEPS_PER_DOUBLING))

/**
 * The byte for a length (a whole number from 0 on). Lengths up to 28 come back exactly, longer ones within 3.5 %
 * (2.6 % from 100 on); what is longer than 62,756 counts as that.
 */
export function encodeLength(length: number): number {
  return Math.min(255, Math.round(STEPS_PER_DOUBLING * Math.log2(1 + length)))
}

/** The length a byte stands for: a whole number, so that a total does not depend on the order of its sum. */
export function decodeLength(norm: number): number {
  return Math.round(STEPS[norm & 15]! * (1 << (norm >> 4))) - 1
}
