// Trains word vectors on a project's own texts, by random indexing (Kanerva, Kristofersson and Holst 2000).
//
//   index vector of a word     six values among 256 dimensions, placed by its hash
//   vector of a text           the sum of its words' index vectors, weighted by rarity
//   trained vector of a word   .9 × the sum of the texts that contain it, minus the mean text, + .1 × its index vector
//
// So two words are similar if they occur in similar texts.
import { inverseDocumentFrequency } from '../model/bm25.ts'
import { toUnitVector } from '../model/ports.ts'
import { hash64 } from '../text/hash.ts'
import { addIndexVector, addScaled, BUILTIN_DIMENSIONS, type WordHash } from './indexVector.ts'
import { packWordVectors, type WordVectors } from './wordVectors.ts'

/** Terms to train on at most, sampled evenly from all texts: a million take about two seconds. */
const TERMS_MAX = 1_000_000

/** Words with a trained vector at most, the most frequent ones, 272 bytes each. */
const WORDS_MAX = 32_768

/** The share of a word's index vector. Alone .1 to .3 gave the same quality; beside keywords .1 was best. */
const INDEX_SHARE = 0.1

interface Word {
  readonly hash: WordHash
  /** In how many texts it occurs. */
  texts: number
  /** Inverse document frequency. */
  rarity: number
  /** Only of the most frequent words: the trained vector. */
  vector: Float32Array | undefined
  /** The sum of its weights in the texts that contain it. */
  share: number
}

/** A distinct word of one text, and how often it occurs there. */
interface Occurrence {
  readonly word: Word
  count: number
}

type CountedText = readonly Occurrence[]

/** Trains on texts given as their terms. The same texts in the same order give the same bytes. */
export function trainWordVectors(terms: Iterable<readonly string[]>): WordVectors {
  const { words, texts } = countWords(sampleEvenly([...terms]))
  // The sort is stable: equally frequent words stay in the order of their first occurrence.
  const frequent = words.sort((a, b) => b.texts - a.texts).slice(0, WORDS_MAX)
  for (const word of frequent) word.vector = new Float32Array(BUILTIN_DIMENSIONS)
  trainContexts(texts, frequent)
  const trained = frequent.flatMap(({ hash, rarity, vector }) => (vector ? [{ hash, rarity, vector }] : []))
  return packWordVectors(trained, texts.length, computeMeanText(texts))
}

/** The weight of a word that occurs `count` times in a text: the second time counts less than the first. */
export const computeTermWeight = (count: number, rarity: number): number => (1 + Math.log(count)) * rarity

function countWords(terms: readonly (readonly string[])[]): { words: Word[]; texts: readonly CountedText[] } {
  const words = new Map<string, Word>()
  const texts = terms.map((text) => {
    const occurrences = new Map<string, Occurrence>()
    for (const term of text) {
      const occurrence = occurrences.get(term)
      if (occurrence) occurrence.count++
      else {
        const word = words.get(term) ?? { hash: hash64(term), texts: 0, rarity: 0, vector: undefined, share: 0 }
        words.set(term, word)
        word.texts++
        occurrences.set(term, { word, count: 1 })
      }
    }
    return [...occurrences.values()]
  })
  for (const word of words.values()) word.rarity = inverseDocumentFrequency(word.texts, texts.length)
  return { words: [...words.values()], texts }
}

/** Sets the vectors of the frequent words: their contexts at length 1 − INDEX_SHARE, and their index vectors. */
function trainContexts(texts: readonly CountedText[], frequent: readonly Word[]): void {
  const mean = new Float32Array(BUILTIN_DIMENSIONS)
  for (const occurrences of texts) {
    const sum = new Float32Array(BUILTIN_DIMENSIONS)
    for (const { word, count } of occurrences) addIndexVector(sum, word.hash, computeTermWeight(count, word.rarity))
    const text = toUnitVector(sum)
    addScaled(mean, text, 0, 1 / texts.length)
    for (const { word, count } of occurrences) {
      if (word.vector === undefined) continue
      const share = computeTermWeight(count, 1)
      addScaled(word.vector, text, 0, share)
      word.share = Math.fround(word.share + share)
    }
  }
  for (const { hash, vector, share } of frequent) {
    if (vector === undefined) continue
    addScaled(vector, mean, 0, -share)
    const unit = toUnitVector(vector)
    vector.fill(0)
    addScaled(vector, unit, 0, 1 - INDEX_SHARE)
    addIndexVector(vector, hash, INDEX_SHARE)
  }
}

/** The mean of the texts' vectors with trained words: what all texts of a project have in common. */
function computeMeanText(texts: readonly CountedText[]): Float32Array {
  const mean = new Float32Array(BUILTIN_DIMENSIONS)
  for (const occurrences of texts) {
    const sum = new Float32Array(BUILTIN_DIMENSIONS)
    for (const { word, count } of occurrences) {
      const weight = computeTermWeight(count, word.rarity)
      if (word.vector === undefined) addIndexVector(sum, word.hash, weight)
      else addScaled(sum, word.vector, 0, weight)
    }
    addScaled(mean, toUnitVector(sum), 0, 1 / texts.length)
  }
  return mean
}

/** As many texts, evenly spread, as have TERMS_MAX terms together. */
function sampleEvenly(texts: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const terms = texts.reduce((sum, text) => sum + text.length, 0)
  if (terms <= TERMS_MAX) return texts
  const count = Math.floor((texts.length * TERMS_MAX) / terms)
  return Array.from({ length: count }, (_, i) => texts[Math.floor((i * texts.length) / count)] ?? [])
}
