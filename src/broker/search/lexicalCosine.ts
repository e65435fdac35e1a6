// Similarity of texts by shared terms, in place of vectors: what a search by meaning uses without a model. The built-in
// embedder's hashed vectors only approximate it: a question of two words can be as near to a text that has none of them
// as to one that has both.
import { computeTermWeight } from '../../embed/builtinEmbedder.ts'
import type { Steps } from '../../model/longCall.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import { embeddedText } from '../embedding/vectorSync.ts'
import type { CachedDoc, WeightedTerms } from './docCache.ts'

/** Among so few documents all words of a question count nearly the same: how rare one is cannot be seen yet. */
const FEW_DOCUMENTS = 10

/** Documents that are compared in one step: some 10 µs. */
const STEP_DOCUMENTS = 256

/**
 * The square root of the cosine of each document's terms with the question's, 0 to 1. A rare word of the question
 * counts more. A cosine weights terms by their square: texts that share one of four words would get only a quarter.
 */
export function* computeLexicalCosines(question: string, docs: readonly CachedDoc[]): Steps<Float32Array> {
  for (const doc of docs) {
    doc.terms ??= weightedTerms(embeddedText(doc.memory))
    yield
  }
  const query = yield* weightByRarity(weightedTerms(question), docs)
  const cosines = new Float32Array(docs.length)
  for (const [i, { terms }] of docs.entries()) {
    if (terms) cosines[i] = Math.sqrt(cosine(query, terms))
    if (i % STEP_DOCUMENTS === 0) yield
  }
  return cosines
}

function weightedTerms(text: string): WeightedTerms {
  const counts = new Map<string, number>()
  for (const term of extractTerms(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return withLength(new Map([...counts].map(([term, count]) => [term, computeTermWeight(count)])))
}

function* weightByRarity({ weights }: WeightedTerms, docs: readonly CachedDoc[]): Steps<WeightedTerms> {
  const rare = new Map<string, number>()
  for (const [term, weight] of weights) {
    let having = 0
    for (const [i, { terms }] of docs.entries()) {
      if (terms?.weights.has(term)) having++
      if (i % STEP_DOCUMENTS === 0) yield
    }
    rare.set(term, weight * Math.log(1 + (docs.length + FEW_DOCUMENTS) / (having + FEW_DOCUMENTS)))
  }
  return withLength(rare)
}

function withLength(weights: ReadonlyMap<string, number>): WeightedTerms {
  let squares = 0
  for (const weight of weights.values()) squares += weight * weight
  return { weights, length: Math.sqrt(squares) }
}

function cosine(a: WeightedTerms, b: WeightedTerms): number {
  let sum = 0
  for (const [term, weight] of a.weights) sum += weight * (b.weights.get(term) ?? 0)
  return sum === 0 ? 0 : Math.min(1, sum / (a.length * b.length))
}
