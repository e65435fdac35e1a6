// The built-in embedder: no download, no native code, no waiting. A text is the sum of its words' vectors, rarer ones heavier.
//
// Words it has learnt (learn.ts) bring the texts they are met in; any other has its own hashed vector. nDCG@10 alone, hashed and
// learnt: LoCoMo 28.7, 46.0; JSTS 64.2, 67.1; JSQuAD 81.8, 91.2; SciFact 40.3, 60.2. BM25: 47.9, 69.6, 94.6, 69.2. At a quarter of
// its weight beside BM25, learnt gives 48.6, 70.3, 94.5, 69.5; hashed takes from all four, so it should not be joined to keywords.
import { type SyncEmbedder, unitVector } from '../model/ports.ts'
import { hashPair } from '../text/hash.ts'
import { termsOf } from '../text/words.ts'
import { weightOf } from './learn.ts'
import type { LearnedWords } from './learned.ts'
import { addOwn, DIMENSIONS } from './own.ts'

/** Says how texts are cut and words hashed: counts up when one of them changes, so that old vectors are not compared with new. */
const VERSION = 1

/** Whether a model id is the built-in's, whatever it has learnt. */
export const isBuiltin = (id: string): boolean => id.startsWith('builtin-')

/** The built-in embedder with what it has learnt, or with hashed words alone. */
export function builtinEmbedder(learned?: LearnedWords): SyncEmbedder {
  return {
    id: learned ? `builtin-${VERSION}:${learned.name}` : `builtin-${VERSION}`,
    dimensions: DIMENSIONS,
    embed: (texts) => texts.map((text) => vectorOf(termsOf(text), learned)),
  }
}

function vectorOf(terms: readonly string[], learned: LearnedWords | undefined): Float32Array {
  const sums = new Float32Array(DIMENSIONS)
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  for (const [term, count] of counts) {
    const hash = hashPair(term)
    const place = learned ? learned.find(hash) : -1
    const weight = weightOf(count, learned ? learned.rarity(place) : 1)
    if (learned && place >= 0) learned.addTo(sums, place, weight)
    else addOwn(sums, 0, hash, weight)
  }
  const text = unitVector(sums)
  if (!learned || counts.size === 0) return text
  for (let i = 0; i < DIMENSIONS; i++) text[i]! -= learned.mean[i]!
  return unitVector(text)
}
