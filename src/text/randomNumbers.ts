// Random numbers from a seed: the same on every machine and in every run.

/** Mulberry32 (public domain, by Tommy Ettinger): numbers from 0 up to, not including, 1. */
export function createRandomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}
