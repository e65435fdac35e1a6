// Random values for invented secrets. The same seed always gives the same secrets.
import type { Random } from '../fixture/seededRandom.ts'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'

/** The alphabets of tokens and keys. */
const ALPHABETS: Readonly<Record<string, string>> = {
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

/** `length` characters of a named alphabet, or of these. */
export function drawChars(random: Random, alphabet: string, length: number): string {
  const all = ALPHABETS[alphabet] ?? alphabet
  return Array.from({ length }, () => all[random.below(all.length)]).join('')
}

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
