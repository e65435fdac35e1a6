// How alike texts are by the words they share, where nothing has been learnt yet: what the built-in's hashed vectors only approximate.
//
// Hashed, a question of two words is as near to some texts that have none of them as to others that have both: with few memories that
// is most of what is found. From some fifty memories on the built-in learns words, and its vectors serve.
import { weightOf } from '../../embed/learn.ts'
import { termsOf } from '../../text/words.ts'
import { textOf } from '../embed/embedding.ts'
import type { Card, Counted } from './cards.ts'

/**
 * The root of the cosine of each card's words with the question's, 0 to 1. The root, because words weigh in a cosine by the square: one of
 * four words shared on both sides should not count as a quarter of a likeness.
 */
export function literalNear(question: string, cards: readonly Card[]): Float32Array {
  const asked = countedIn(question)
  const near = new Float32Array(cards.length)
  for (let i = 0; i < near.length; i++) {
    const card = cards[i]!
    card.counted ??= countedIn(textOf(card.memory))
    near[i] = Math.sqrt(cosine(asked, card.counted))
  }
  return near
}

function countedIn(text: string): Counted {
  const counts = new Map<string, number>()
  for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
  let squares = 0
  for (const [term, count] of counts) {
    const weight = weightOf(count, 1)
    counts.set(term, weight)
    squares += weight * weight
  }
  return { weights: counts, length: Math.sqrt(squares) }
}

function cosine(asked: Counted, told: Counted): number {
  let sum = 0
  for (const [term, weight] of asked.weights) sum += weight * (told.weights.get(term) ?? 0)
  return sum === 0 ? 0 : Math.min(1, sum / (asked.length * told.length))
}
