// Similarity of texts by shared terms, as long as the built-in embedder has no vocabulary.
//
// The embedder's hashed vectors only approximate it: a question of two words can be as near to a text that has none of
// them as to one that has both. From about fifty memories on the embedder trains a vocabulary, and its vectors are
// used.
import { computeTermWeight } from '../../embed/trainWordVectors.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import { embeddedText } from '../embedding/vectorSync.ts'
import type { CachedDoc, WeightedTerms } from './docCache.ts'

/**
 * The square root of the cosine of each document's terms with the question's, 0 to 1. A cosine weights terms by their
 * square: texts that share one of four words would get only a quarter.
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
