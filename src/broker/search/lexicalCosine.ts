// How alike texts are by the words they share, for as long as the built-in embedder has learnt none: its hashed vectors only approximate it.
//
// Hashed, a question of two words is as near to some texts that have none of them as to others that have both: with few memories that
// is most of what is found. From some fifty memories on the built-in learns words, and its vectors are used.
import { computeTermWeight } from '../../embed/trainWordVectors.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import { embeddedText } from '../embedding/vectorSync.ts'
import type { CachedDoc, WeightedTerms } from './docCache.ts'

/**
 * The root of the cosine of each document's words with the question's, 0 to 1. The root, because words weigh in a cosine by the square: one
 * of four words shared on both sides should not count as a quarter of a likeness.
 */
export function computeLexicalCosines(question: string, docs: readonly CachedDoc[]): Float32Array {
  const query = weightedTerms(question)
  const cosines = new Float32Array(docs.length)
  docs.forEach((doc, i) => {
    doc.terms ??= weightedTerms(embeddedText(doc.memory))
    cosines[i] = Math.sqrt(cosine(query, doc.terms))
  })
  return cosines
}

function weightedTerms(text: string): WeightedTerms {
  const counts = new Map<string, number>()
  for (const term of extractTerms(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
  let squares = 0
  for (const [term, count] of counts) {
    const weight = computeTermWeight(count, 1)
    counts.set(term, weight)
    squares += weight * weight
  }
  return { weights: counts, length: Math.sqrt(squares) }
}

function cosine(a: WeightedTerms, b: WeightedTerms): number {
  let sum = 0
  for (const [term, weight] of a.weights) sum += weight * (b.weights.get(term) ?? 0)
  return sum === 0 ? 0 : Math.min(1, sum / (a.length * b.length))
}
