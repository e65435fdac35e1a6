// A seeded random generator: the same seed gives the same data on every machine, so that two benches can be compared.

export interface Random {
  /** 0 up to, not including, 1. */
  next(): number
  /** A whole number, 0 up to, not including, `below`. */
  below(below: number): number
  /** Like `below`, but rank r has about 1/r of the frequency of rank 1, as words, files and errors have (Zipf). */
  rank(below: number): number
  pick<T>(list: readonly T[]): T
  isOneIn(n: number): boolean
  /** `digits` hexadecimal digits. */
  hex(digits: number): string
}

/** Mulberry32 (public domain, by Tommy Ettinger): 32 bits of state suffice for generated text. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    rank: (limit) => Math.min(limit - 1, Math.floor(limit ** next()) - 1),
    pick: (list) => list[below(list.length)]!,
    isOneIn: (n) => below(n) === 0,
    hex: (digits) => Array.from({ length: digits }, () => below(16).toString(16)).join(''),
  }
}
