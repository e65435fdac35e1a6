// Sought: entries about some words, best first. Of a thousand texts no index is needed: each is counted once, and asked again.
import { queryTermsOf, termsOf } from '../text/words.ts'
import type { Entry } from './entry.ts'

/** An entry with the words it is found by. */
export interface Card<T> {
  readonly of: T
  readonly key: string
  readonly tags: readonly string[]
  /** All of it in one text, small letters, in normal form: for who looks for a part of a word. */
  readonly text: string
  readonly terms: ReadonlyMap<string, number>
  readonly length: number
}

/** A term in the key or a tag says as much as so many in the body. */
const NAME_WEIGHT = 3

/** BM25's usual numbers (Robertson and Zaragoza, 2009): how soon a repeated word stops counting, and how much length does. */
const K1 = 1.2
const B = 0.75

/** What the query's text, standing there as it is, adds: more than any word of it. */
const WHOLE_WEIGHT = 10

export function cardOf<T>(of: T, { key, tags, content }: Entry, also: readonly string[] = []): Card<T> {
  const names = [key, ...tags, ...also].join('\n')
  const terms = new Map<string, number>()
  for (const term of termsOf(names)) terms.set(term, (terms.get(term) ?? 0) + NAME_WEIGHT)
  const words = termsOf(content)
  for (const term of words) terms.set(term, (terms.get(term) ?? 0) + 1)
  return { of, key, tags, text: normal(`${names}\n${content}`), terms, length: words.length }
}

/** Those that have something of the query, best first; equals by their key. */
export function sought<T>(cards: readonly Card<T>[], query: string): T[] {
  const asked = [...queryTermsOf(query).keys()]
  const whole = normal(query.trim())
  const mean = cards.reduce((sum, card) => sum + card.length, 0) / Math.max(1, cards.length) || 1
  const rarity = new Map(
    asked.map((term) => {
      const having = cards.reduce((count, card) => count + (card.terms.has(term) ? 1 : 0), 0)
      return [term, Math.log(1 + (cards.length - having + 0.5) / (having + 0.5))]
    }),
  )
  const scored = cards.map((card) => {
    let score = card.text.includes(whole) ? WHOLE_WEIGHT : 0
    for (const term of asked) {
      const count = card.terms.get(term) ?? 0
      const norm = K1 * (1 - B + (B * card.length) / mean)
      score += rarity.get(term)! * ((count * (K1 + 1)) / (count + norm))
    }
    return { card, score }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.card.key < b.card.key ? -1 : 1))
    .map(({ card }) => card.of)
}

const normal = (text: string): string => text.normalize('NFKC').toLowerCase()
