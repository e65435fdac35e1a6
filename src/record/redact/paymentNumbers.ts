// Numbers of payment cards, by their length and first digits, and by the check digit or the word before.
import type { SecretSpan } from './secretSpan.ts'

/** 15 or 16 digits: without signs between them, or in groups with the same sign. */
const CARD = new RegExp(
  '(?<![\\w.+-]|[\\dA-F]{4} )' +
    '(?:[2-6]\\d{15}|3[47]\\d{13}|[2-6]\\d{3}([ -])\\d{4}\\1\\d{4}\\1\\d{4}|3[47]\\d{2}([ -])\\d{6}\\2\\d{5})' +
    '(?![\\w-]|\\.\\d| [\\dA-F]{4}\\b)',
  'g',
)

/** The first digits of Visa, Mastercard, American Express, Discover, JCB, UnionPay. */
const ISSUER = /^(?:4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|35|6(?:011|4[4-9]|5|2))/

/** Adds the span of every card number. */
export function findPaymentNumbers(text: string, spans: SecretSpan[]): void {
  for (const { 0: match, index } of text.matchAll(CARD)) {
    const digits = match.replace(/\D/g, '')
    const isNamed = /card|カード/i.test(text.slice(Math.max(0, index - 24), index))
    if (ISSUER.test(digits) && (isNamed || hasCheckDigit(digits)) && new Set(digits).size > 3)
      spans.push({ start: index, end: index + match.length, kind: 'card' })
  }
}

/** The algorithm of Luhn. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 1 : 2)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}
