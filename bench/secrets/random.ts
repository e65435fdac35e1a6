// Seeded random values for invented secrets. The same seed always gives the same secrets.

/** A source of random numbers and of the values made from them. */
export interface Random {
  /** From 0 to `count - 1`. */
  readonly below: (count: number) => number
  readonly pick: <T>(values: readonly T[]) => T
  /** `length` characters of an alphabet. */
  readonly chars: (alphabet: string, length: number) => string
}

/** Mulberry32: 32 bits of state, good enough for test data. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    below,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    chars: (alphabet, length) => Array.from({ length }, () => alphabet[below(alphabet.length)]).join(''),
  }
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'

/** The alphabets of tokens and keys. */
export const ALPHABETS: Readonly<Record<string, string>> = {
  lower: LOWER,
  upper: LOWER.toUpperCase(),
  digit: DIGITS,
  hex: `${DIGITS}abcdef`,
  alnum: DIGITS + LOWER + LOWER.toUpperCase(),
  lowerAlnum: DIGITS + LOWER,
  upperAlnum: DIGITS + LOWER.toUpperCase(),
  url64: `${DIGITS}${LOWER}${LOWER.toUpperCase()}_-`,
  base64: `${DIGITS}${LOWER}${LOWER.toUpperCase()}+/`,
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
}

/** `length` characters of the named alphabet. */
export const drawChars = (random: Random, alphabet: string, length: number): string =>
  random.chars(ALPHABETS[alphabet] ?? alphabet, length)

const WORDS = 'winter summer harbor copper falcon silver meadow orange puzzle rocket timber velvet'.split(' ')

/** A password as people and password managers make it: a word with digits and a sign, or random characters. */
export function drawPassword(random: Random): string {
  const word = random.pick(WORDS)
  switch (random.below(5)) {
    case 0:
      return `${word[0]?.toUpperCase()}${word.slice(1)}${1000 + random.below(9000)}${random.pick([...'!.*+-_'])}`
    case 1:
      return `${drawChars(random, 'lower', 3)}${drawChars(random, 'digit', 2)}${drawChars(random, 'lowerAlnum', 6)}`
    case 2:
      return `${drawChars(random, 'alnum', 5)}${random.pick([...'!.*+-_'])}7${drawChars(random, 'alnum', 6)}`
    case 3:
      return `${drawChars(random, 'alnum', 19)}4`
    default:
      return `${word}-${random.pick(WORDS)}-${10 + random.below(90)}`
  }
}

/** A key as programs make it: 32 to 48 characters of hex, base64url or letters and digits. */
export const drawKey = (random: Random): string =>
  drawChars(random, random.pick(['hex', 'alnum', 'url64']), random.pick([32, 40, 48])).replace(/^[-_]|[-_]$/g, 'a')

/** The number of a payment card: `prefix`, then random digits, then the check digit of the Luhn algorithm. */
export function drawPaymentNumber(random: Random, prefix: string, length: number): string {
  const body = prefix + drawChars(random, 'digit', length - prefix.length - 1)
  const sum = [...body].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return body + ((10 - (sum % 10)) % 10)
}
